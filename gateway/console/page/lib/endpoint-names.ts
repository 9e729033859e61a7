import { useQuery } from '@tanstack/react-query';
import { answer, api } from './api.ts';
import { shortUrl } from './format.ts';

/** Endpoints to choose from: the newest hundred. */
export function useEndpointChoices(): readonly { id: string; url: string }[] {
  const endpoints = useQuery({
    queryKey: ['endpoints', 'newest'],
    queryFn: async () => (await answer(api.GET('/endpoints', { params: { query: { limit: mostIds } } }))).data,
    staleTime: 30_000,
  });
  return endpoints.data ?? none;
}

/** How an endpoint is called: its URL; its id until that is there, and where the endpoint was deleted. */
export function useEndpointName(id = ''): string {
  const url = useQuery({ queryKey: ['endpoints', 'url', id], queryFn: () => urlOf(id), staleTime: 30_000, enabled: id !== '' });
  return url.data ? shortUrl(url.data) : id;
}

const none: readonly { id: string; url: string }[] = [];
const mostIds = 100;

interface Question {
  ids: Set<string>;
  urls: Promise<Map<string, string>>;
}

let asked: Question | undefined;

/** Rows ask for the names of their endpoints one by one: what is asked at once is one request. */
async function urlOf(id: string): Promise<string | null> {
  if (!asked || asked.ids.size >= mostIds) asked = ask();
  asked.ids.add(id);
  return (await asked.urls).get(id) ?? null;
}

function ask(): Question {
  const ids = new Set<string>();
  const urls = new Promise((later) => setTimeout(later)).then(async () => {
    if (asked?.ids === ids) asked = undefined;
    const query = { ids: [...ids].join(','), limit: mostIds };
    const { data } = await answer(api.GET('/endpoints', { params: { query } }));
    return new Map(data.map((endpoint) => [endpoint.id, endpoint.url]));
  });
  return { ids, urls };
}
