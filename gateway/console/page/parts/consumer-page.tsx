import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { paths } from '../lib/api.ts';
import { count } from '../lib/format.ts';
import { text } from '../texts/shared.ts';
import { type Consumer, lagOf } from './consumers.tsx';
import { Facts } from './facts.tsx';
import { Frame } from './frame.tsx';
import { Loading } from './loading.tsx';
import { Failure } from './problem.tsx';
import { Section } from './section.tsx';
import { Time } from './time.tsx';

type Ledger = paths['/consumers/{id}/ledger']['get']['responses'][200]['content']['application/json']['data'];

interface ConsumerPageProps {
  /** What its API calls it: its id or its name. */
  of: string;
  list: string;
  read(): Promise<Consumer>;
  readLedger(): Promise<Ledger>;
  ownerOf?(consumer: Consumer): ReactNode;
  /** Where to see what it has not acknowledged. */
  events?(consumer: Consumer): ReactNode;
}

const texts = text.parts.consumers;
const everyMs = 10_000;

/** One pull consumer: how far it is behind, and whether its ledger balances. */
export function ConsumerPage({ of, list, read, readLedger, ownerOf, events }: ConsumerPageProps) {
  const { data: consumer, error, refetch } = useQuery({ queryKey: ['consumer', of], queryFn: read, refetchInterval: everyMs });
  const from = { href: '/endpoints', label: list };
  if (!consumer)
    return (
      <Frame title={texts.one} from={from}>
        {error ? <Failure error={error} retry={() => void refetch()} /> : <Loading lines={6} />}
      </Frame>
    );
  return (
    <Frame title={consumer.name} from={from}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {consumer.lag.events_removed && (
        <Alert color="yellow" title={texts.removed}>
          {texts.removedNext}
        </Alert>
      )}
      <Facts
        of={[
          ...(ownerOf ? [[texts.owner, ownerOf(consumer)] as const] : []),
          [texts.types, consumer.types?.join(', ') ?? text.parts.all],
          [texts.lag, lagOf(consumer)],
          [texts.oldest, <Time key="oldest" at={consumer.lag.oldest_at} none={text.parts.none} />],
          [texts.acknowledged, <Time key="acknowledged" at={consumer.acknowledged_at} none={texts.never} />],
          [texts.created, <Time key="created" at={consumer.created_at} />],
        ]}
      />
      {events?.(consumer)}
      <LedgerSection of={of} read={readLedger} />
    </Frame>
  );
}

/** Each count reads all events of the consumer, so nothing but a person counts again. */
function LedgerSection({ of, read }: { of: string; read(): Promise<Ledger> }) {
  const ledger = useQuery({ queryKey: ['consumer', of, 'ledger'], queryFn: read });
  const { data, error, refetch, isFetching, dataUpdatedAt } = ledger;
  const again = (
    <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
      {texts.countAgain}
    </Button>
  );
  return (
    <Section title={texts.ledger} beside={again}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading lines={3} />}
      {data && (
        <Stack gap="xs">
          <Facts
            of={[
              [texts.ledgerEvents, count(data.events)],
              [texts.ledgerAcknowledged, count(data.acknowledged)],
              [texts.ledgerWaiting, count(data.not_acknowledged)],
            ]}
          />
          <Text size="sm" className={data.unaccounted === 0 ? 'ink-teal' : 'ink-red'} fw={600}>
            {data.unaccounted === 0 ? texts.balances : texts.unbalanced(Math.abs(data.unaccounted))}{' '}
            <Text component="span" size="xs" c="dimmed" fw={400}>
              {texts.countedAt(<Time at={new Date(dataUpdatedAt).toISOString()} />)}
            </Text>
          </Text>
        </Stack>
      )}
    </Section>
  );
}
