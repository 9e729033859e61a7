import '../../page/parts/delivery/delivery.css';
import { Alert, Anchor, Grid, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useFilters } from '../../page/lib/filters.ts';
import type { PageProps } from '../../page/lib/page-props.ts';
import { type Reason, reasonOf } from '../../page/lib/reasons.ts';
import { Code, Copy } from '../../page/parts/code.tsx';
import { AttemptDetails } from '../../page/parts/delivery/attempt-details.tsx';
import { Compare } from '../../page/parts/delivery/compare.tsx';
import { selectedAttempt } from '../../page/parts/delivery/delivery.ts';
import { Resend } from '../../page/parts/delivery/resend.tsx';
import { TestBadge } from '../../page/parts/delivery/test-badge.tsx';
import { Timeline } from '../../page/parts/delivery/timeline.tsx';
import { Facts } from '../../page/parts/facts.tsx';
import { Frame } from '../../page/parts/frame.tsx';
import { Loading } from '../../page/parts/loading.tsx';
import { NeighbourButtons } from '../../page/parts/neighbour-buttons.tsx';
import { Failure } from '../../page/parts/problem.tsx';
import { HttpStatus, Status } from '../../page/parts/status.tsx';
import { Time } from '../../page/parts/time.tsx';
import { Why } from '../../page/parts/why.tsx';
import { ApiError, answer, type paths, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

type Delivery = paths['/deliveries/{id}']['get']['responses'][200]['content']['application/json']['data'];

const from = { href: '/deliveries', label: text.deliveries.title };
const refetchEveryMs = 2000;

/** One delivery: its timeline, and the request and response of each attempt. */
export default function DeliveryPage({ params: { id = '' } }: PageProps) {
  const read = useQuery({
    queryKey: ['delivery', id],
    queryFn: async () => (await answer(profile.GET('/deliveries/{id}', { params: { path: { id } } }))).data,
    // Shows the next attempt as it is made.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? refetchEveryMs : false),
  });
  const delivery = read.data;
  const endpoint = useEndpoint(delivery?.endpoint_id);
  if (!delivery)
    return (
      <Frame title={text.delivery.title} from={from}>
        {read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={10} />}
      </Frame>
    );
  return (
    <Frame
      title={delivery.event_type}
      from={from}
      beside={
        <>
          <Status of={delivery.status} />
          {delivery.test && <TestBadge />}
        </>
      }
      actions={
        <>
          <NeighbourButtons what="delivery" />
          {endpoint === 'known' && <Resend key={delivery.id} delivery={delivery} />}
        </>
      }
    >
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <DeliveryBody key={delivery.id} delivery={delivery} isRemoved={endpoint === 'removed'} />
    </Frame>
  );
}

/** Whether the endpoint still exists. A delivery of a removed one is kept, but cannot be sent again. */
function useEndpoint(id: string | undefined): 'loading' | 'known' | 'removed' {
  const { error, isPending } = useQuery({
    queryKey: ['endpoint', id],
    queryFn: async () => (await answer(profile.GET('/endpoints/{id}', { params: { path: { id: id ?? '' } } }))).data,
    enabled: id !== undefined,
    staleTime: 30_000,
  });
  if (isPending) return 'loading';
  return error instanceof ApiError && error.status === 404 ? 'removed' : 'known';
}

interface BodyProps {
  delivery: Delivery;
  /** True if the endpoint was removed. */
  isRemoved: boolean;
}

function DeliveryBody({ delivery, isRemoved }: BodyProps) {
  const [{ attempt: wanted, compare }] = useFilters();
  const selected = selectedAttempt(delivery, wanted);
  const reason = reasonOf(delivery.reason, delivery.response_status);
  return (
    <Stack gap="md">
      <Summary delivery={delivery} isRemoved={isRemoved} reason={reason} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }} className="beside-details">
          <Timeline delivery={delivery} selected={selected} reason={reason} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          {selected ? (
            <AttemptDetails delivery={delivery} attempt={selected} />
          ) : (
            delivery.event && (
              <Paper withBorder p="md">
                <Code title={text.delivery.requestBody} text={delivery.event.body} />
              </Paper>
            )
          )}
        </Grid.Col>
      </Grid>
      {selected && <Compare delivery={delivery} attempt={selected} isOpen={compare === '1'} />}
    </Stack>
  );
}

const says = text.delivery.summary;

function Summary({ delivery, isRemoved, reason }: BodyProps & { reason: Reason | undefined }) {
  const { id, url, endpoint_id, attempts, response_status, created_at } = delivery;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Text size="sm" className="break-anywhere">
          {says.to(
            isRemoved ? (
              says.deleted(url || endpoint_id)
            ) : (
              <Anchor component={Link} size="sm" href={`/endpoints/${encodeURIComponent(endpoint_id)}`}>
                {url}
              </Anchor>
            ),
          )}
        </Text>
        <Facts
          of={[
            [says.attempts, String(attempts)],
            [says.lastResponse, <HttpStatus key="answer" status={response_status} />],
            [says.created, <Time key="created" at={created_at} />],
            [
              says.delivery,
              <span key="id" className="mono break-anywhere">
                {id} <Copy text={id} />
              </span>,
            ],
          ]}
        />
        {reason && (
          <Alert color={reason.kind === 'error' ? 'red' : 'gray'} title={reason.title} p="sm">
            <Text size="sm">
              {delivery.cause && <Why of={delivery.cause} />} {reason.advice ?? reason.meaning}
            </Text>
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
