import { invalid, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Rows, Where } from '../../store/port.ts';
import { cut, type Found, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { skipDeliveries } from '../model/skip.ts';
import type { Change, EventDefinition, Service } from '../outbox/outbox.ts';
import { any, removeSubscriptions, storeSubscriptions } from '../outbox/subscriptions.ts';
import { refusedUrl } from '../sending/guard.ts';
import { newSigningSecret } from '../sending/sign.ts';

export type Endpoint = Row<'endpoints'>;

/** What an endpoint is checked against. */
export interface EndpointRules {
  /** Every event of both services. */
  catalogue: readonly EventDefinition[];
  /** Whether URLs on this machine are taken, for development. */
  allowLoopback: boolean;
}

export interface EndpointInput {
  service: Service;
  url: string;
  description: string;
  /** Event types wanted; null for every one of the service. */
  events: string[] | null;
  /** Ids of stores (pos) or structures (cohesion); null for all. */
  perimeter: string[] | null;
  active: boolean;
  /** Attempts in flight at once; null for the setting. */
  max_in_flight?: number | null;
  /** Attempts begun in a second; null for as many as there are. */
  max_per_second?: number | null;
  /** One delivery after another, in the order of the events. */
  ordered?: boolean;
}

/** The default time for which a secret that was rotated out goes on signing. */
export const rotationOverlapHours = 24;

/** Makes an endpoint (gaps pos.webhook-subscription, cohesion.webhook-configuration). Its secret is told here only. */
export async function createEndpoint(
  change: Change,
  input: EndpointInput,
  { keys, ...rules }: EndpointRules & { keys: Keyring },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const checked = check(input.service, input, rules);
  const { stored, secret } = freshSecret(keys);
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
    max_in_flight: input.max_in_flight ?? null,
    max_per_second: input.max_per_second ?? null,
    ordered: input.ordered ?? false,
    head_delivery_id: null,
    ...wellAgain,
    created_at: change.now,
    updated_at: change.now,
    deleted_at: null,
  };
  await storeSubscriptions(change.tx, row);
  await change.tx.append('endpoints', [row]);
  return { endpoint: row, secret };
}

const wellAgain = { held_until: null, held_because: null, holds: 0, failing_since: null };

/** Changes what is named and leaves the rest. Activating an endpoint forgets why it was disabled or held. */
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
  if (active) return { active, disabled_reason: null, ...wellAgain };
  return endpoint.active ? { active, disabled_reason: 'operator' } : {};
}

/** Ends an endpoint. Its row and its deliveries stay in the ledger; those still pending are skipped. */
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

/** Puts a new secret first; those before it go on signing until the overlap ends. */
export async function rotateSecret(
  change: Change,
  { id, overlapHours }: { id: string; overlapHours: number },
  keys: Keyring,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const endpoint = await readEndpoint(change.tx, id, { lock: true });
  const { stored, secret } = freshSecret(keys);
  const end = change.now + overlapHours * 3_600_000;
  const old = endpoint.secrets
    .map((one) => ({ ...one, expires_at: Math.min(one.expires_at ?? end, end) }))
    .filter(({ expires_at }) => expires_at > change.now);
  const [updated] = await change.tx.update('endpoints', { id }, { secrets: [stored, ...old], updated_at: change.now });
  return { endpoint: updated ?? endpoint, secret };
}

export async function readEndpoint(rows: Rows, id: string, options: { lock?: boolean } = {}): Promise<Endpoint> {
  const endpoint = await rows.get('endpoints', { id, deleted_at: null }, options);
  if (!endpoint) throw notFound('id', `There is no endpoint ${id}. GET /manage/v1/endpoints lists those there are.`);
  return endpoint;
}

export const endpointStates = ['ok', 'held', 'disabled'] as const;
export type EndpointState = (typeof endpointStates)[number];

const inState: Record<EndpointState, Where<'endpoints'>> = {
  ok: { active: true, held_until: null },
  held: { active: true, held_until: { not: null } },
  disabled: { active: false },
};

export interface EndpointFilter {
  ids?: readonly string[] | undefined;
  service?: Service | undefined;
  state?: EndpointState | undefined;
  /** Text in the URL or the description. */
  q?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Newest first, those deleted left out. */
export async function listEndpoints(rows: Rows, filter: EndpointFilter): Promise<Found<'endpoints'>> {
  const { ids, service, state, q, cursor, limit } = filter;
  const sought = q?.toLowerCase();
  const holdsText = async (endpoints: Endpoint[]) =>
    endpoints.filter(({ url, description }) => `${url}\n${description}`.toLowerCase().includes(sought ?? ''));
  const where: Where<'endpoints'> = { service, deleted_at: null, ...(state && inState[state]) };
  if (ids) {
    const named = await rows.list('endpoints', { where: { ...where, id: { in: ids } }, order: [['id', 'desc']] });
    const fit = (await holdsText(named)).filter(({ id }) => cursor === undefined || id < cursor);
    return cut(fit, 'id', limit);
  }
  return search(rows, {
    table: 'endpoints',
    key: 'id',
    where,
    range: { lt: cursor },
    indexed: [{ service }],
    ...(sought ? { keep: holdsText } : {}),
    limit,
  });
}

function freshSecret(keys: Keyring): { stored: Endpoint['secrets'][number]; secret: string } {
  const secret = newSigningSecret();
  return { stored: { id: newId('key'), sealed: keys.seal(secret), expires_at: null }, secret };
}

/** Checks the fields that are there and gives them in the form in which they are stored. */
function check(
  service: Service,
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
  if (!url) throw invalid('url', 'url', `"${text}" is not a URL. Give a whole one, such as https://example.com/webhooks.`);
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      'url',
      'url_credentials',
      'The URL holds a user name or password, which records would show. Leave them out: deliveries are signed.',
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

function checkEvents(service: Service, events: string[], catalogue: readonly EventDefinition[]): string[] {
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
  throw invalid(`perimeter.${wildcard}`, 'not_an_id', `"${any}" is nobody's id. For all of them send null as the perimeter.`);
}
