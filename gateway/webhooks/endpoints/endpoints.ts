import { invalid, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Counted, countFound, cut, type Found, type Search, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import type { EventService } from '../../store/tables/webhooks.ts';
import { skipDeliveries } from '../model/skip.ts';
import type { Change } from '../outbox/change.ts';
import type { EventDefinition } from '../outbox/event.ts';
import { any, removeSubscriptions, storeSubscriptions } from '../outbox/subscriptions.ts';
import { refusedUrl } from '../sending/guard.ts';
import { newStoredSecret } from './secrets.ts';

export type Endpoint = Row<'endpoints'>;

/** The rules that an endpoint's fields are validated against. */
export interface EndpointRules {
  /** Every event type of every service. */
  catalogue: readonly EventDefinition[];
  /** Accepts URLs on this machine. For development. */
  allowLoopback: boolean;
}

export interface EndpointInput {
  service: EventService;
  url: string;
  description: string;
  /** Event types to deliver; null for all of the service. */
  events: string[] | null;
  /** Ids of stores (pos) or structures (cohesion); null for all. */
  perimeter: string[] | null;
  active: boolean;
  /** Attempts in flight at once; null for the setting's default. */
  max_in_flight?: number | null;
  /** Attempts started in a second; null for no limit. */
  max_per_second?: number | null;
  /** Deliver one event after another, in the order in which they were emitted. */
  ordered?: boolean;
}

/**
 * Creates an endpoint (gaps pos.webhook-subscription, cohesion.webhook-configuration). Throws `invalid` if a field does not fit.
 * The secret is returned only here; the store keeps it sealed.
 */
export async function createEndpoint(
  change: Change,
  input: EndpointInput,
  { keys, ...rules }: EndpointRules & { keys: Keyring },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const checked = check(input.service, input, rules);
  const { stored, secret } = newStoredSecret(keys, change.now);
  const row: Endpoint = {
    id: newId('ep'),
    service: input.service,
    description: input.description,
    active: input.active,
    disabled_reason: input.active ? null : 'operator',
    url: checked.url ?? input.url,
    events: checked.events ?? null,
    perimeter: checked.perimeter ?? null,
    secrets: [stored],
    rotation_notice_at: null,
    max_in_flight: input.max_in_flight ?? null,
    max_per_second: input.max_per_second ?? null,
    ordered: input.ordered ?? false,
    head_delivery_id: null,
    ...healthy,
    created_at: change.now,
    updated_at: change.now,
    deleted_at: null,
  };
  await storeSubscriptions(change.tx, row);
  await change.tx.append('endpoints', [row]);
  return { endpoint: row, secret };
}

const healthy = { held_until: null, held_because: null, holds: 0, failing_since: null };

/** Changes the given fields. Activating an endpoint clears its hold and the reason why it was disabled. Throws `not_found`, `invalid`. */
export async function updateEndpoint(
  change: Change,
  { id, ...patch }: { id: string } & Partial<Omit<EndpointInput, 'service'>>,
  rules: EndpointRules,
): Promise<Endpoint> {
  const endpoint = await readEndpoint(change.tx, id, { lock: true });
  const checked = check(endpoint.service, patch, rules);
  if (checked.events !== undefined || checked.perimeter !== undefined)
    await storeSubscriptions(change.tx, { ...endpoint, ...checked });
  const [updated] = await change.tx.update(
    'endpoints',
    { id },
    { ...patch, ...checked, ...activity(endpoint, patch.active), updated_at: change.now },
  );
  return updated ?? endpoint;
}

function activity(endpoint: Endpoint, active: boolean | undefined): Partial<Endpoint> {
  if (active === undefined) return {};
  if (active) return { active, disabled_reason: null, ...healthy };
  return endpoint.active ? { active, disabled_reason: 'operator' } : {};
}

/** Deletes an endpoint and skips its pending deliveries. Its row and its deliveries stay in the store, for the ledger. */
export async function removeEndpoint(change: Change, id: string): Promise<{ skipped: number }> {
  await readEndpoint(change.tx, id, { lock: true });
  await change.tx.update(
    'endpoints',
    { id },
    { active: false, disabled_reason: 'deleted', deleted_at: change.now, updated_at: change.now },
  );
  await removeSubscriptions(change.tx, id);
  const pending = { endpoint_id: id, status: 'pending' };
  return { skipped: await skipDeliveries(change.tx, pending, { reason: 'endpoint_deleted', now: change.now }) };
}

export async function readEndpoint(rows: Rows, id: string, options: { lock?: boolean } = {}): Promise<Endpoint> {
  const endpoint = await rows.get('endpoints', { id, deleted_at: null }, options);
  if (!endpoint) throw notFound('id', `There is no endpoint ${id}. GET /manage/v1/endpoints lists all of them.`);
  return endpoint;
}

export const endpointStates = ['ok', 'held', 'disabled'] as const;
type EndpointState = (typeof endpointStates)[number];

const inState: Record<EndpointState, Where<'endpoints'>> = {
  ok: { active: true, held_until: null },
  held: { active: true, held_until: { not: null } },
  disabled: { active: false },
};

export interface EndpointFilter {
  ids?: readonly string[] | undefined;
  service?: EventService | undefined;
  state?: EndpointState | undefined;
  /** Text in the URL or the description; upper and lower case are the same. */
  q?: string | undefined;
  /** Only endpoints whose perimeter names one of these stores or structures. */
  subjects?: readonly string[] | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Newest first, without deleted ones. */
export async function listEndpoints(rows: Rows, filter: EndpointFilter): Promise<Found<'endpoints'>> {
  const { ids, cursor, limit } = filter;
  const wanted = endpointSearch(filter);
  if (!ids) return search(rows, wanted);
  const named = await rows.list('endpoints', { where: { ...wanted.where, id: { in: ids } }, order: [['id', 'desc']] });
  const matching = (await (wanted.keep?.(named) ?? named)).filter(({ id }) => cursor === undefined || id < cursor);
  return cut(matching, 'id', limit);
}

/** How many endpoints match the filter, within bounds. */
export const countEndpoints = (rows: Rows, filter: Omit<EndpointFilter, 'ids' | 'limit'>): Promise<Counted<'endpoints'>> =>
  countFound(rows, endpointSearch({ ...filter, limit: 1 }));

function endpointSearch({ service, state, q, subjects, cursor, limit }: EndpointFilter): Search<'endpoints'> {
  const text = q?.toLowerCase() ?? '';
  const about = subjects && new Set(subjects);
  const keep = async (endpoints: Endpoint[]) =>
    endpoints.filter(
      ({ url, description, perimeter }) =>
        (!about || perimeter?.some((id) => about.has(id))) && `${url}\n${description}`.toLowerCase().includes(text),
    );
  return {
    table: 'endpoints',
    key: 'id',
    where: { service, deleted_at: null, ...(state && inState[state]) },
    range: { lt: cursor },
    indexed: service === undefined ? [] : [{ service }],
    ...(text || about ? { keep } : {}),
    limit,
  };
}

/** Validates the given fields and returns them as they are stored. */
function check(
  service: EventService,
  input: Partial<EndpointInput>,
  { catalogue, allowLoopback }: EndpointRules,
): Partial<Pick<EndpointInput, 'url' | 'events' | 'perimeter'>> {
  const checked: Partial<Pick<EndpointInput, 'url' | 'events' | 'perimeter'>> = {};
  if (input.url !== undefined) checked.url = checkUrl(input.url, allowLoopback);
  if (input.events !== undefined) checked.events = input.events && checkEvents(service, input.events, catalogue);
  if (input.perimeter !== undefined) checked.perimeter = input.perimeter && checkPerimeter(input.perimeter);
  return checked;
}

function checkUrl(text: string, allowLoopback: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw invalid('url', 'url', `"${text}" is not a URL. Give a complete one, such as https://example.com/webhooks.`);
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      'url',
      'url_credentials',
      'The URL contains a user name or password, which records would show. Remove them: deliveries are signed instead.',
    );
  }
  const refused = refusedUrl(url, { loopback: allowLoopback });
  if (refused !== null)
    throw invalid(
      'url',
      'url_not_public',
      `Deliveries cannot go to "${text}": ${refused}. Give an https URL at a public address.`,
    );
  url.hash = '';
  return url.href;
}

function checkEvents(service: EventService, events: string[], catalogue: readonly EventDefinition[]): string[] {
  const known = catalogue.filter((definition) => definition.service === service).map(({ type }) => type);
  for (const [index, type] of events.entries()) {
    if (known.includes(type)) continue;
    throw invalid(
      `events.${index}`,
      'unknown_event',
      `"${type}" is not an event of ${service}. Its events are ${known.join(', ')}.`,
    );
  }
  return [...new Set(events)];
}

function checkPerimeter(perimeter: string[]): string[] {
  const wildcard = perimeter.indexOf(any);
  if (wildcard === -1) return [...new Set(perimeter)];
  throw invalid(`perimeter.${wildcard}`, 'not_an_id', `"${any}" is not an id. For all ids, send null as the perimeter.`);
}
