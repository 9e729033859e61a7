import { Text } from '@mantine/core';
import type { Endpoint } from '../lib/endpoints.ts';
import { text } from '../texts/index.ts';

/** The endpoint's host, and its path below: in one line a column of a list would cut most URLs. */
export function EndpointName({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const endpoint = endpoints.find((one) => one.id === id);
  const { host, path } = endpoint
    ? partsOf(endpoint.url)
    : { host: id, path: endpoints.length > 0 ? text.deliveries.removed : '' };
  return (
    <>
      <Text span inherit display="block" truncate lh={1.25}>
        {host}
      </Text>
      {path !== '' && (
        <Text span size="xs" c="dimmed" display="block" truncate lh={1.25}>
          {path}
        </Text>
      )}
    </>
  );
}

function partsOf(url: string): { host: string; path: string } {
  const { host, pathname, search } = new URL(url);
  return { host, path: pathname === '/' ? search : `${pathname}${search}` };
}
