import type { Rows } from '../../store/port.ts';
import { search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { checkWanted, type EndpointRules, type WantedInput } from '../endpoints/endpoints.ts';
import { type FailedCondition, failedCondition, payloadOf } from '../model/payload-filter.ts';
import { wants } from '../outbox/subscriptions.ts';

/** How an endpoint's filter judges the newest events. */
export interface FilterMatches {
  /** The number of the last 1,000 events of its service that it would get without its filter. */
  events: number;
  /** The number of these events that meet the filter. */
  matched: number;
  /** The newest one that does not, with the first condition that it fails. */
  unmatched: ({ event_id: string; event_type: string } & FailedCondition) | null;
}

const newestEvents = 1000;

/** Which events an endpoint gets; `filter` is JSON. */
type Wanted = Pick<Row<'endpoints'>, 'service' | 'events' | 'perimeter' | 'visible'> & { filter: string };

/** How a filter that is not saved would judge the newest events. Throws `invalid` for what saving would refuse. */
export const previewFilter = async (
  rows: Rows,
  input: WantedInput,
  rules: Pick<EndpointRules, 'catalogue'>,
): Promise<FilterMatches> => judge(rows, await checkWanted(rows, input, rules));

/** Returns null for an endpoint without a filter. */
export async function readFilterMatches(rows: Rows, endpoint: Row<'endpoints'>): Promise<FilterMatches | null> {
  const { filter } = endpoint;
  return filter === null ? null : judge(rows, { ...endpoint, filter });
}

async function judge(rows: Rows, endpoint: Wanted): Promise<FilterMatches> {
  const { service } = endpoint;
  const filter: unknown = JSON.parse(endpoint.filter);
  // An endpoint that waits for its verification wants nothing yet.
  const verified = { ...endpoint, disabled_reason: null };
  const { data } = await search(rows, {
    table: 'events',
    key: 'id',
    where: { service },
    range: {},
    indexed: [{ service }],
    keep: async (events) => events.filter((event) => wants(verified, event)),
    limit: newestEvents,
    reach: [newestEvents],
  });
  const judged = data.map((event) => ({ event, failed: failedCondition(filter, payloadOf(event.body)) }));
  const unmet = judged.filter(({ failed }) => failed !== undefined);
  const [first] = unmet;
  const unmatched = first?.failed ? { event_id: first.event.id, event_type: first.event.type, ...first.failed } : null;
  return { events: judged.length, matched: judged.length - unmet.length, unmatched };
}
