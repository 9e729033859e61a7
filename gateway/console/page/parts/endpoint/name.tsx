import { Text } from '@mantine/core';
import { useEndpointName } from '../../lib/endpoint-names.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';

export const EndpointName = ({ id }: { id: string }) => useEndpointName(id);

/** The name of an endpoint, and of the partner that it belongs to. `owner` is null if the endpoint is not stored any more. */
export function OwnedEndpoint({ id, owner }: { id: string; owner: Endpoint['owner'] | null }) {
  return (
    <>
      <EndpointName id={id} />
      {owner && <OwnerName of={owner} />}
    </>
  );
}

/** The name of the partner that an endpoint belongs to, below that of the endpoint. Nothing for the operator's. */
export function OwnerName({ of: { id, name } }: { of: Endpoint['owner'] }) {
  if (id === null) return null;
  return (
    <Text span size="xs" c="dimmed" display="block" truncate>
      <bdi>{name ?? id}</bdi>
    </Text>
  );
}
