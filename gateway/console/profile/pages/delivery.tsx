import { Alert, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PageProps } from '../../page/lib/page-props.ts';
import { Copy } from '../../page/parts/code.tsx';
import type { ReadDelivery } from '../../page/parts/delivery/delivery.ts';
import { DeliveryPage, type SummaryProps } from '../../page/parts/delivery/page.tsx';
import { Resend } from '../../page/parts/delivery/resend.tsx';
import { Skip } from '../../page/parts/delivery/skip.tsx';
import { TestBadge } from '../../page/parts/delivery/test-badge.tsx';
import { Facts } from '../../page/parts/facts.tsx';
import { NeighbourButtons } from '../../page/parts/neighbour-buttons.tsx';
import { PageLink } from '../../page/parts/page-link.tsx';
import { HttpStatus } from '../../page/parts/status.tsx';
import { Time } from '../../page/parts/time.tsx';
import { Why } from '../../page/parts/why.tsx';
import { ApiError, dataOf, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

/** One delivery: its timeline, and the request and response of each attempt. */
export default function Delivery({ params: { id = '' } }: PageProps) {
  return (
    <DeliveryPage
      id={id}
      beside={({ test }) => test && <TestBadge />}
      actions={(delivery) => (
        <>
          <NeighbourButtons what="delivery" />
          <Skip delivery={delivery} />
          <ResendToKnown key={id} delivery={delivery} />
        </>
      )}
      summary={(props) => <Summary {...props} />}
    />
  );
}

/** A delivery of a removed endpoint is kept, but cannot be sent again. */
const ResendToKnown = ({ delivery }: { delivery: ReadDelivery }) =>
  useEndpoint(delivery.endpoint_id) === 'known' && <Resend delivery={delivery} />;

/** Whether the endpoint still exists. */
function useEndpoint(id: string): 'loading' | 'known' | 'removed' {
  const { error, isPending } = useQuery({
    queryKey: ['endpoint', id],
    queryFn: () => dataOf(profile.GET('/endpoints/{id}', { params: { path: { id } } })),
    staleTime: 30_000,
  });
  if (isPending) return 'loading';
  return error instanceof ApiError && error.status === 404 ? 'removed' : 'known';
}

const says = text.delivery.summary;

function Summary({ delivery, reason }: SummaryProps) {
  const { id, url, endpoint_id, attempts, response_status, created_at } = delivery;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Text size="sm" className="break-anywhere">
          {says.to(
            useEndpoint(endpoint_id) === 'removed' ? (
              says.deleted(url || endpoint_id)
            ) : (
              <PageLink href={`/endpoints/${encodeURIComponent(endpoint_id)}`}>{url}</PageLink>
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
