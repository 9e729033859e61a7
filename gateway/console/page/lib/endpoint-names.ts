import { useQuery } from '@tanstack/react-query';
import { answer, api, dataOf } from './api.ts';
import { shortUrl } from './format.ts';

/** The newest 100 endpoints, for a filter to offer. */
export function useEndpointChoices(): readonly { id: string; url: string }[] {
  const endpoints = useQuery({
    queryKey: ['endpoints', 'newest'],
    queryFn: () => dataOf(api.GET('/endpoints', { params: { query: { limit: maxIds } } })),
    staleTime: 30_000,
  });
  return endpoints.data ?? none;
}

/** The endpoint's URL without its scheme. Nothing while it is loading; its id if the endpoint was deleted. */
export function useEndpointName(id = ''): string {
  const url = useQuery({ queryKey: ['endpoints', 'url', id], queryFn: () => urlOf(id), staleTime: 30_000, enabled: id !== '' });
  if (url.isPending) return '';
  return url.data ? shortUrl(url.data) : id;
}

const none: readonly { id: string; url: string }[] = [];
const maxIds = 100;

interface Batch {
  ids: Set<string>;
  urls: Promise<Map<string, string>>;
}

let batch: Batch | undefined;

/** Combines the names that the rows of a list ask for at the same time into one request of up to 100 ids. */
async function urlOf(id: string): Promise<string | null> {
  if (!batch || batch.ids.size >= maxIds) batch = startBatch();
  batch.ids.add(id);
  return (await batch.urls).get(id) ?? null;
}

function startBatch(): Batch {
  const ids = new Set<string>();
  const urls = new Promise((resolve) => setTimeout(resolve)).then(async () => {
    if (batch?.ids === ids) batch = undefined;
    const query = { ids: [...ids].join(','), limit: maxIds };
    const { data } = await answer(api.GET('/endpoints', { params: { query } }));
    return new Map(data.map((endpoint) => [endpoint.id, endpoint.url]));
  });
  return { ids, urls };
}
