import { Alert, Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api, type paths } from '../../lib/api.ts';
import { duration } from '../../lib/time.ts';
import { Code } from '../../parts/code.tsx';
import { Failure } from '../../parts/problem.tsx';
import { HttpStatus, Status } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';

type Delivery = paths['/deliveries/{id}']['get']['responses'][200]['content']['application/json']['data'];

const isInProgress = (delivery: Delivery | undefined) => !delivery || delivery.attempts_made.length === 0;

/** The result of a test event, updated as it is delivered. `confirms`: only the new secret of a rotation signed it. */
export function TestOutcome({ id, confirms }: { id: string; confirms: boolean }) {
  const read = useQuery({
    queryKey: ['delivery', id],
    queryFn: async () => (await answer(api.GET('/deliveries/{id}', { params: { path: { id } } }))).data,
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
          <Text size="sm">{delivery?.waits_for === 'turn' ? 'Waiting in turn …' : 'Waiting for the response …'}</Text>
        </Group>
      ) : (
        <Outcome delivery={delivery} attempt={attempt} confirms={confirms} />
      )}
    </div>
  );
}

interface OutcomeProps {
  delivery: Delivery;
  attempt: Delivery['attempts_made'][number];
  /** True if only the new secret of a rotation signed the event. */
  confirms: boolean;
}

function Outcome({ delivery, attempt, confirms }: OutcomeProps) {
  const isDelivered = attempt.outcome === 'success';
  return (
    <Alert color={isDelivered ? 'teal' : 'red'} title={isDelivered ? 'Test event delivered' : 'Test event failed'}>
      <Stack gap="xs">
        <Group gap="xs">
          <Status of={delivery.status} />
          <HttpStatus status={attempt.response_status} />
          <Text size="sm">
            attempt {attempt.number}
            {attempt.timings.total !== undefined && `, ${duration(attempt.timings.total)}`}
          </Text>
        </Group>
        {confirms && (
          <Text size="sm">
            {isDelivered
              ? 'The receiver accepted the new secret: it is confirmed, and signs X-SERVICE-Signature from now on.'
              : 'The new secret is not confirmed. X-SERVICE-Signature keeps the old one.'}
          </Text>
        )}
        {attempt.error && (
          <Text size="sm" className="break-anywhere">
            {attempt.error}
          </Text>
        )}
        {attempt.advice && <Text size="sm">{attempt.advice}</Text>}
        {delivery.status === 'pending' && delivery.next_attempt_at && (
          <Text size="sm">
            Next attempt: <RelativeTime at={delivery.next_attempt_at} />
          </Text>
        )}
        {attempt.response_body && <Code title="Response" text={attempt.response_body} />}
        <Anchor component={Link} href={`/deliveries/${delivery.id}`} size="sm">
          Show the delivery
        </Anchor>
      </Stack>
    </Alert>
  );
}
