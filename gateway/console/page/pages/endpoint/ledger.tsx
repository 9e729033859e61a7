import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useOverview } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, words } from '../../lib/format.ts';
import { imbalanceOf } from '../../lib/ledger.ts';
import { Hint } from '../../parts/hint.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { useLedger } from './use-ledger.ts';

const states = ['delivered', 'pending', 'failed', 'skipped'] as const;

const skippedBecause = (reason: string, deliveries: number) =>
  text.endpoint.ledger.reason(text.endpoint.ledger.reasons[reason] ?? words(reason), deliveries);

/** All deliveries ever created for this endpoint by status, and the result of the last audit. */
export function Ledger({ id }: { id: string }) {
  const ledger = useLedger(id);
  const { data } = ledger;
  if (!data)
    return (
      <Section title={text.endpoint.ledger.title}>
        {ledger.error ? <Failure error={ledger.error} retry={ledger.refetch} /> : <Loading lines={3} />}
      </Section>
    );
  const total = states.reduce((sum, state) => sum + data.deliveries[state], 0);
  const skipped = Object.entries(data.skipped_because);
  return (
    <Section title={text.endpoint.ledger.title}>
      <Stack gap="xs">
        <Text size="sm">{text.endpoint.ledger.total(total)}</Text>
        <Group gap="md">
          {states.map((state) => (
            <Anchor
              key={state}
              component={Link}
              href={linkTo('/deliveries', { endpoint_id: id, status: state })}
              underline="hover"
            >
              <Group gap={6}>
                <Text component="span" fw={700}>
                  {count(data.deliveries[state])}
                </Text>
                <Status of={state} label={text.endpoint.ledger.states[state](data.deliveries[state])} />
              </Group>
            </Anchor>
          ))}
        </Group>
        {skipped.length > 0 && (
          <Hint size="xs">
            {text.endpoint.ledger.skipped(skipped.map(([reason, amount]) => skippedBecause(reason, amount)).join(', '))}
          </Hint>
        )}
        <Balance />
      </Stack>
    </Section>
  );
}

/** The audit covers all endpoints together: an event stores how many endpoints matched, not which. */
function Balance() {
  const ledger = useOverview('hour').data?.ledger;
  if (!ledger || ledger.balanced === null || ledger.as_of === null)
    return <Hint size="xs">{text.endpoint.ledger.notAudited}</Hint>;
  return (
    <Text size="sm" className={ledger.balanced ? 'ink-teal' : 'ink-red'} fw={600}>
      {ledger.balanced ? text.endpoint.ledger.balances : text.endpoint.ledger.doesNotBalance(imbalanceOf(ledger))}{' '}
      <Text component="span" size="xs" c="dimmed" fw={400}>
        {text.endpoint.ledger.audited(<RelativeTime at={ledger.as_of} />)}
      </Text>
    </Text>
  );
}
