import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type paths } from '../../lib/api.ts';
import { reasonOf } from '../../lib/reasons.ts';
import { duration } from '../../lib/time.ts';
import { text } from '../../texts/shared.ts';
import { Code } from '../code.tsx';
import { AttemptError } from '../delivery/attempt-error.tsx';
import { Countdown } from '../delivery/countdown.tsx';
import { PageLink } from '../page-link.tsx';
import { Failure } from '../problem.tsx';
import { HttpStatus, Status } from '../status.tsx';

const says = text.endpointParts.test;

type Delivery = paths['/deliveries/{id}']['get']['responses'][200]['content']['application/json']['data'];

const isInProgress = (delivery: Delivery | undefined) => !delivery || delivery.attempts_made.length === 0;

/** The result of a test event, updated as it is delivered. */
export function TestOutcome({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => dataOf(api.GET('/deliveries/{id}', { params: { path: { id } } })),
    // Fast until the first response, then slower while it is retried.
    refetchInterval: ({ state: { data } }) => (isInProgress(data) ? 400 : data?.status === 'pending' ? 2000 : false),
  });
  const delivery = read.data;
  if (read.error && !delivery) return <Failure error={read.error} retry={read.refetch} />;
  const attempt = delivery?.attempts_made.at(-1);
  return (
    <div role="status">
      {!delivery || !attempt ? (
        <Group gap="xs">
          <Loader size="xs" />
          <Text size="sm">{delivery?.waits_for === 'turn' ? says.waitsInTurn : says.waits}</Text>
        </Group>
      ) : (
        <Outcome delivery={delivery} attempt={attempt} />
      )}
    </div>
  );
}

interface OutcomeProps {
  delivery: Delivery;
  attempt: Delivery['attempts_made'][number];
}

function Outcome({ delivery, attempt }: OutcomeProps) {
  const advice = reasonOf(attempt.outcome, attempt.response_status)?.advice ?? null;
  const isDelivered = attempt.outcome === 'success';
  return (
    <Alert color={isDelivered ? 'teal' : 'red'} title={isDelivered ? says.delivered : says.failed}>
      <Stack gap="xs">
        <Group gap="xs">
          <Status of={delivery.status} />
          <HttpStatus status={attempt.response_status} />
          <Text size="sm">
            {attempt.timings.total === undefined
              ? says.attempt(attempt.number)
              : says.attemptTook(attempt.number, duration(attempt.timings.total))}
          </Text>
        </Group>
        {attempt.error && (
          <Text size="sm" className="break-anywhere">
            <AttemptError of={attempt} />
          </Text>
        )}
        {advice && <Text size="sm">{advice}</Text>}
        {delivery.status === 'pending' && delivery.next_attempt_at && (
          <Text size="sm">{says.nextAttempt(<Countdown at={delivery.next_attempt_at} />)}</Text>
        )}
        {attempt.response_body && <Code title={says.response} text={attempt.response_body} />}
        <PageLink href={`/deliveries/${delivery.id}`}>{says.show}</PageLink>
      </Stack>
    </Alert>
  );
}
