import { Alert, Group, type MantineColor, Paper, Stack, Text } from '@mantine/core';
import { linkTo } from '../../lib/filters.ts';
import { words } from '../../lib/format.ts';
import type { Reason } from '../../lib/reasons.ts';
import { duration } from '../../lib/time.ts';
import { Copy } from '../../parts/code.tsx';
import { Countdown } from '../../parts/delivery/countdown.tsx';
import { type Delivery, elapsedMs, nextAttemptAt } from '../../parts/delivery/delivery.ts';
import type { SummaryProps } from '../../parts/delivery/page.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Owner } from '../../parts/owner.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Why } from '../../parts/why.tsx';
import { text } from '../../texts/index.ts';

const says = text.delivery.summary;

export function Summary({ delivery, reason }: SummaryProps) {
  const { id, event_id, endpoint_id, url, attempts, status, response_status, created_at, updated_at } = delivery;
  const outcome =
    status === 'pending'
      ? ([says.nextAttempt, <WhenNext key="next" delivery={delivery} />] as const)
      : ([status === 'delivered' ? says.delivered : says.ended, <Time key="end" at={updated_at} />] as const);
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Text size="sm" className="break-anywhere">
          {says.to(
            <PageLink href={`/endpoints/${encodeURIComponent(endpoint_id)}`}>{url ?? says.deleted(endpoint_id)}</PageLink>,
          )}
        </Text>
        <Facts
          of={[
            [says.attempts, String(attempts)],
            [says.lastResponse, <HttpStatus key="answer" status={response_status} />],
            outcome,
            ...(delivery.owner?.id == null ? [] : [[says.owner, <Owner key="owner" of={delivery.owner} />] as const]),
            [says.created, <Time key="created" at={created_at} />],
          ]}
        />
        <ReasonAlert delivery={delivery} reason={reason} />
        <Group gap="md" c="dimmed" fz="xs">
          <Group gap={4}>
            {says.delivery} <span className="mono break-anywhere">{id}</span>
            <Copy text={id} />
          </Group>
          <Group gap={6}>
            {says.event}
            <PageLink size="xs" href={`/events/${encodeURIComponent(event_id)}`} className="mono break-anywhere">
              {event_id}
            </PageLink>
            <PageLink size="xs" href={linkTo('/deliveries', { event_id })}>
              {says.allDeliveries}
            </PageLink>
          </Group>
          {delivery.event?.caused_by?.startsWith('call_') && (
            <Group gap={6}>
              {says.call}
              <PageLink size="xs" href={`/calls/${encodeURIComponent(delivery.event.caused_by)}`} className="mono break-anywhere">
                {delivery.event.caused_by}
              </PageLink>
            </Group>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function WhenNext({ delivery }: { delivery: Delivery }) {
  const at = nextAttemptAt(delivery);
  return at === null ? says.waitingInTurn : <Countdown at={at} />;
}

const colours: Readonly<Record<Reason['kind'], MantineColor>> = { error: 'red', skipped: 'gray', operator: 'gray' };

/** The API also shows an advice without its meaning, so many begin with it. */
const repeatsMeaning = ({ meaning, advice }: Reason) => advice?.startsWith(meaning.replace(/\.$/, '')) === true;

function ReasonAlert({ delivery, reason }: SummaryProps) {
  const { status, attempts, event, created_at, updated_at } = delivery;
  if (delivery.reason === null) {
    if (delivery.cause && status === 'pending') return <Text size="sm">{<Why of={delivery.cause} />}</Text>;
    if (status !== 'delivered') return null;
    const after = duration(elapsedMs(event?.created_at ?? created_at, updated_at));
    return <Text size="sm">{attempts === 1 ? says.deliveredAtFirst(after) : says.deliveredAt(attempts, after)}</Text>;
  }
  return (
    <Alert color={reason ? colours[reason.kind] : 'red'} title={reason?.title ?? words(delivery.reason)} p="sm">
      <Text size="sm">
        {delivery.cause && <Why of={delivery.cause} />} {!delivery.cause && reason && !repeatsMeaning(reason) && reason.meaning}{' '}
        {reason?.advice && <b>{reason.advice}</b>}
      </Text>
    </Alert>
  );
}
