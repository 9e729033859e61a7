import { Text } from '@mantine/core';
import { useEndpointName } from '../../lib/endpoint-names.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { shortUrl } from '../../lib/format.ts';
import { TwoLines, Url } from '../two-lines.tsx';

export const EndpointName = ({ id }: { id: string }) => useEndpointName(id);

interface Sent {
  endpoint_id: string;
  url: string | null;
  owner: Endpoint['owner'] | null;
}

/** The endpoint of a delivery, and the partner that it belongs to. It has neither if it is not stored any more. */
export const OwnedEndpoint = ({ of: { endpoint_id, url, owner } }: { of: Sent }) => (
  <TwoLines main={url === null ? endpoint_id : <Url of={shortUrl(url)} />} more={owner?.id && (owner.name ?? owner.id)} />
);

/** The name of the partner that an endpoint belongs to, below that of the endpoint. Nothing for the operator's. */
export function OwnerName({ of: { id, name } }: { of: Endpoint['owner'] }) {
  if (id === null) return null;
  return (
    <Text span size="xs" c="dimmed" display="block" truncate>
      <bdi>{name ?? id}</bdi>
    </Text>
  );
}
