import { TwoLines, Url } from '../../page/parts/two-lines.tsx';
import type { Endpoint } from '../lib/endpoints.ts';
import { text } from '../texts/index.ts';

/** The endpoint's host, and its path below: in one line a column of a list would cut most URLs. */
export function EndpointName({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const endpoint = endpoints.find((one) => one.id === id);
  if (!endpoint) return <TwoLines main={id} more={endpoints.length > 0 && text.deliveries.removed} />;
  const { host, pathname, search } = new URL(endpoint.url);
  return <TwoLines main={host} more={pathname + search !== '/' && <Url of={pathname + search} />} />;
}
