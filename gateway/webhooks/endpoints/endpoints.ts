import type { BlockList } from 'node:net';
import { illegalMove, invalid, notFound, Refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Keyring } from '../../base/keyring.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Counted, countFound, cut, type Found, type Search, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import type { EventService, Owner, Partner } from '../../store/tables/webhooks.ts';
import { healthy, isUnverified } from '../model/activity.ts';
import type { PayloadFilter } from '../model/payload-filter.ts';
import { skipDeliveries } from '../model/skip.ts';
import type { Change } from '../outbox/change.ts';
import type { EventDefinition } from '../outbox/event.ts';
import { type OwnerState, partsOf, readOwner, seenBy, serviceOf } from '../outbox/owners.ts';
import { removeSubscriptions, replaceSubscriptions, standIns, storeSubscriptions } from '../outbox/subscriptions.ts';
import { type Allowed, privateNetworks, refusedUrl } from '../sending/guard.ts';
import { checkFilter } from './check-filter.ts';
import { checkCredentials, type GivenCredentials } from './credentials.ts';
import { newStoredSecret } from './secrets.ts';

export type Endpoint = Row<'endpoints'>;

/** The rules that an endpoint's fields are validated against. */
export interface EndpointRules {
  /** Every event type of every service. */
  catalogue: readonly EventDefinition[];
  /** The name of the documented signature header, which no other header may have. */
  signatureHeader?: string;
  /** Accepts URLs on this machine. For development. */
  allowLoopback: boolean;
  /** The signing secret of a new endpoint. Default: one of its own. */
  secret?: string | undefined;
  /** Private networks that receivers of the operator's endpoints may be in. By default none. */
  allowNetworks?: BlockList | undefined;
  /**
   * True if an operator makes the change. An operator vouches for a receiver, so its owner need not verify it; and an owner cannot
   * activate what an operator disabled.
   */
  byOperator?: boolean;
}

export interface EndpointInput {
  service: EventService;
  /** By default the operator. */
  owner?: Owner;
  url: string;
  description: string;
  /** Event types to deliver; null for all of the service. */
  events: string[] | null;
  /** Ids of stores (pos) or structures (cohesion); null for all. */
  perimeter: string[] | null;
  /** Conditions on the payload of its events; null for none. */
  filter?: PayloadFilter | null;
  /** The sealed credentials (`sealCredentials`) that its receiver requires in addition to the signature; null for none. */
  credentials?: GivenCredentials | null;
  active: boolean;
  /** Attempts in flight at once; null for the setting's default. */
  max_in_flight?: number | null;
  /** Attempts started in a second; null for no limit. */
  max_per_second?: number | null;
  /** For how long a delivery is retried; null for the setting's schedule. */
  retry_for_hours?: number | null;
  /** Deliver one event after another, in the order in which they were emitted. */
  ordered?: boolean;
  /** By default the whole endpoint. */
  order_by?: Endpoint['order_by'];
  /** By default the deliveries behind a dead letter are sent. */
  on_dead_letter?: Endpoint['on_dead_letter'];
  /** How `webhook-signature` is signed. Default: `v1`. */
}

/** An owner has at most so many endpoints. It bounds what a change of the owner costs, and what a list of its deliveries reads. */
export const maxOwned = 100;

/**
 * Creates an endpoint (gaps pos.webhook-subscription, cohesion.webhook-configuration). Throws `invalid` if a field does not fit.
 * The secret is returned only here; the store keeps it sealed. An endpoint that its owner creates is not active before it is
 * verified (`verifyEndpoint`).
 */
export async function createEndpoint(
  change: Change,
  input: EndpointInput,
  { keys, ...rules }: EndpointRules & { keys: Keyring },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const owner = await lockOwner(change.tx, input);
  const none = { service: input.service, url: input.url, events: null, filter: null, credentials: null, ordered: false };
  const checked = await check(change.tx, none, input, { ...rules, owner });
  const { stored, secret } = newStoredSecret(keys, change.now, rules.secret);
  const row: Endpoint = {
    id: newId('ep'),
    service: input.service,
    owner: owner?.owner ?? 'operator',
    visible: owner?.visible ?? null,
    description: input.description,
    ...firstActivity(input.active, owner, rules),
    url: checked.url ?? input.url,
    events: checked.events ?? null,
    perimeter: checked.perimeter ?? null,
    filter: checked.filter ?? null,
    credentials: checked.credentials ?? null,
    secrets: [stored],
    max_in_flight: input.max_in_flight ?? null,
    max_per_second: input.max_per_second ?? null,
    retry_for_hours: input.retry_for_hours ?? null,
    ordered: input.ordered ?? false,
    order_by: input.order_by ?? 'endpoint',
    on_dead_letter: input.on_dead_letter ?? 'skip',
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

/** Null is all of them. */
const overlap = (some: readonly string[] | null, others: readonly string[] | null): boolean =>
  some === null || others === null || some.some((one) => others.includes(one));

/** Returns the ids of other endpoints of its owner that send some of the same events to the same URL. */
export async function doublesOf(rows: Rows, { id, owner, service, url, events, perimeter }: Endpoint): Promise<string[]> {
  const where = { owner, service, url, deleted_at: null };
  const same = await rows.list('endpoints', { where, order: [['id', 'asc']], limit: maxOwned });
  const doubles = same.filter((one) => one.id !== id && overlap(one.events, events) && overlap(one.perimeter, perimeter));
  return doubles.map((one) => one.id);
}

type Activity = Pick<Endpoint, 'active' | 'disabled_reason'>;
const inactive = (disabled_reason: Endpoint['disabled_reason']): Activity => ({ active: false, disabled_reason });

function firstActivity(active: boolean, owner: OwnerState | undefined, { byOperator }: EndpointRules): Activity {
  if (owner && !byOperator) return inactive('unverified');
  if (!active) return inactive('operator');
  return owner && !owner.active ? inactive('owner_inactive') : { active, disabled_reason: null };
}

/** Reads the owner of a new endpoint; undefined for the operator. Throws `invalid` if there is none, or if it is of another service. */
async function ownerOfNew(
  rows: Rows,
  { owner = 'operator', service }: Pick<EndpointInput, 'owner' | 'service'>,
  options: { lock?: boolean } = {},
): Promise<OwnerState | undefined> {
  if (owner === 'operator') return undefined;
  const state = await readOwner(rows, owner, options);
  const { kind, id } = partsOf(owner);
  if (!state) throw invalid('owner', 'unknown_owner', `There is no ${kind} "${id}" that could own an endpoint.`);
  const ofOwner = serviceOf(owner);
  if (ofOwner !== service) {
    const message = `${owner} owns endpoints of ${ofOwner}, not of ${service}. Send the service ${ofOwner}, or another owner.`;
    throw invalid('owner', 'other_service', message);
  }
  return state;
}

/** Locks the owner of a new endpoint. Throws a conflict if it has as many endpoints as it may have. */
async function lockOwner(tx: Rows, input: EndpointInput): Promise<OwnerState | undefined> {
  const state = await ownerOfNew(tx, input, { lock: true });
  if (!state) return undefined;
  const { owner } = state;
  if ((await tx.count('endpoints', { owner, deleted_at: null }, { atMost: maxOwned })) < maxOwned) return state;
  const message = `${owner} has ${maxOwned} endpoints, and no owner may have more. Delete one that is not needed.`;
  throw new Refusal('conflict', 'too_many_endpoints', message);
}

/** Locks an endpoint's owner, which never changes, and then the endpoint (see `readOwner`). Throws `not_found`. */
async function lockWithOwner(tx: Rows, id: string): Promise<{ endpoint: Endpoint; owner: OwnerState | undefined }> {
  const { owner } = await readEndpoint(tx, id);
  const state = await readOwner(tx, owner, { lock: true });
  return { owner: state, endpoint: await readEndpoint(tx, id, { lock: true }) };
}

/**
 * Changes the given fields. Activating an endpoint clears its hold and the reason why it was disabled. An owned endpoint with
 * another URL is not active before it is verified. Throws `not_found`, `invalid`, or a conflict if it may not be activated.
 */
export async function updateEndpoint(
  change: Change,
  { id, ...patch }: { id: string } & Partial<Omit<EndpointInput, 'service' | 'owner'>>,
  rules: EndpointRules,
): Promise<Endpoint> {
  const { endpoint, owner } = await lockWithOwner(change.tx, id);
  const checked = await check(change.tx, endpoint, patch, { ...rules, owner });
  const { active: wanted, filter: _, credentials: __, ...fields } = patch;
  const activity = activityAfter(endpoint, { active: wanted, url: checked.url }, { owner, ...rules });
  await replaceSubscriptions(change.tx, [{ before: endpoint, after: { ...endpoint, ...checked, ...activity } }]);
  const [updated] = await change.tx.update('endpoints', { id }, { ...fields, ...checked, ...activity, updated_at: change.now });
  if (orderFields.some((name) => fields[name] !== undefined && fields[name] !== endpoint[name])) await unblockAll(change, id);
  return updated ?? endpoint;
}

const orderFields = ['ordered', 'order_by', 'on_dead_letter'] as const;

/** Dead letters hold back nothing any more: the order that they belong to has ended. */
async function unblockAll({ tx, unblock }: Change, id: string): Promise<void> {
  const where = { endpoint_id: id, status: 'failed', order_key: { not: null } } as const;
  const blocking = await tx.list('deliveries', { where });
  await tx.update('deliveries', where, { order_key: null });
  for (const delivery of blocking) unblock(delivery);
}

interface Authority extends Pick<EndpointRules, 'byOperator'> {
  owner: OwnerState | undefined;
}

function activityAfter(
  endpoint: Endpoint,
  { active, url }: { active: boolean | undefined; url: string | undefined },
  { owner, byOperator }: Authority,
): Partial<Endpoint> {
  const isOwners = owner !== undefined && !byOperator;
  const isMoved = owner !== undefined && url !== undefined && url !== endpoint.url;
  if (isOwners && endpoint.disabled_reason === 'operator' && (active || isMoved))
    throw illegalMove(
      `An operator disabled the endpoint ${endpoint.id}. Only an operator can activate it or change its URL.`,
      [],
    );
  if (isMoved && !(active && byOperator)) {
    const wasVerified = endpoint.disabled_reason !== 'unverified';
    return { ...inactive(wasVerified ? 'url_changed' : 'unverified'), ...healthy };
  }
  if (active === undefined) return {};
  if (!active) return isSwitchedOn(endpoint) ? inactive(isOwners ? 'owner' : 'operator') : {};
  if (owner) refuseInactive(owner, endpoint.id);
  if (isOwners && isUnverified(endpoint))
    throw illegalMove(`The endpoint ${endpoint.id} is not verified. Verify it first: that activates it.`, []);
  return { active, disabled_reason: null, ...healthy };
}

/** An endpoint that waits only for its owner works again when the owner does, unless it is disabled meanwhile. */
const isSwitchedOn = ({ active, disabled_reason }: Endpoint) => active || disabled_reason === 'owner_inactive';

function refuseInactive({ owner, active }: OwnerState, id: string): void {
  if (!active)
    throw illegalMove(`The endpoint ${id} belongs to ${owner}, which is inactive. Activate the owner: its endpoints follow.`, []);
}

/**
 * Activates an owned endpoint whose receiver accepted a test. From now on it counts. Does nothing to an endpoint that is verified.
 * Throws `not_found`, or a conflict if its owner is inactive, or if its URL is not the tested one (`url`) any more.
 */
export async function verifyEndpoint(change: Change, id: string, { url }: { url?: string } = {}): Promise<Endpoint> {
  const { endpoint, owner } = await lockWithOwner(change.tx, id);
  if (!isUnverified(endpoint)) return endpoint;
  if (url !== undefined && url !== endpoint.url)
    throw illegalMove(`The URL of the endpoint ${id} was changed during its test. Verify it again.`, []);
  if (owner) refuseInactive(owner, id);
  const activity = { active: true, disabled_reason: null, ...healthy };
  await replaceSubscriptions(change.tx, [{ before: endpoint, after: { ...endpoint, ...activity } }]);
  const [verified] = await change.tx.update('endpoints', { id }, { ...activity, updated_at: change.now });
  return verified ?? endpoint;
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
  await unblockAll(change, id);
  const pending = { endpoint_id: id, status: 'pending' };
  return { skipped: await skipDeliveries(change.tx, pending, { reason: 'endpoint_deleted', now: change.now }) };
}

export async function readEndpoint(rows: Rows, id: string, options: { lock?: boolean } = {}): Promise<Endpoint> {
  const endpoint = await rows.get('endpoints', { id, deleted_at: null }, options);
  if (!endpoint) throw notFound('id', `There is no endpoint ${id}. GET /manage/v1/endpoints lists all of them.`);
  return endpoint;
}

/** Reads an endpoint of an owner. Throws the same `not_found` for one of somebody else as for one that does not exist. */
export async function readOwned(rows: Rows, owner: Partner, id: string, options: { lock?: boolean } = {}): Promise<Endpoint> {
  const endpoint = await rows.get('endpoints', { id, owner, deleted_at: null }, options);
  if (!endpoint) throw notFound('id', `There is no endpoint ${id}.`);
  return endpoint;
}

export const endpointStates = ['ok', 'held', 'disabled'] as const;
type EndpointState = (typeof endpointStates)[number];

const inState: Record<EndpointState, Where<'endpoints'>> = {
  ok: { active: true, held_until: null },
  held: { active: true, held_until: { not: null } },
  disabled: { active: false },
};

/** The owners and subjects that match a part of a name. */
export interface NamedPartner {
  owners: readonly Owner[];
  /** Stores or structures. */
  subjects: readonly string[];
}

export interface EndpointFilter {
  ids?: readonly string[] | undefined;
  owner?: Owner | undefined;
  service?: EventService | undefined;
  state?: EndpointState | undefined;
  /** Text in the URL or the description; upper and lower case are the same. */
  q?: string | undefined;
  /** Only endpoints that belong to one of these owners, or whose perimeter names one of these stores or structures. */
  partner?: NamedPartner | undefined;
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

function endpointSearch({ owner, service, state, q, partner, cursor, limit }: EndpointFilter): Search<'endpoints'> {
  const text = q?.toLowerCase() ?? '';
  const named = partner && { owners: new Set(partner.owners), subjects: new Set(partner.subjects) };
  const keep = async (endpoints: Endpoint[]) =>
    endpoints.filter(
      ({ url, description, perimeter, ...endpoint }) =>
        (!named || named.owners.has(endpoint.owner) || perimeter?.some((id) => named.subjects.has(id))) &&
        `${url}\n${description}`.toLowerCase().includes(text),
    );
  return {
    table: 'endpoints',
    key: 'id',
    where: { owner, service, deleted_at: null, ...(state && inState[state]) },
    range: { lt: cursor },
    indexed: indexedParts(owner, service),
    ...(text || named ? { keep } : {}),
    limit,
  };
}

/** The operator's endpoints have no index of their own. */
function indexedParts(owner: Owner | undefined, service: EventService | undefined): Where<'endpoints'>[] {
  if (owner !== undefined && owner !== 'operator') return [{ owner }];
  return service === undefined ? [] : [{ service }];
}

/** The fields of an endpoint that decide which events it gets. */
export type WantedInput = Pick<EndpointInput, 'service' | 'owner' | 'events' | 'perimeter'> & { filter: PayloadFilter };

/** Validates which events a new endpoint would get, and returns that as it would be stored. */
export async function checkWanted(rows: Rows, input: WantedInput, rules: Pick<EndpointRules, 'catalogue'>) {
  const { service } = input;
  const owner = await ownerOfNew(rows, input);
  const checked = await checkEventFields(rows, { service, events: null, filter: null }, input, { ...rules, owner });
  return {
    service,
    events: null,
    perimeter: null,
    ...checked,
    filter: JSON.stringify(input.filter),
    visible: owner?.visible ?? null,
  };
}

type EventFields = Pick<Endpoint, 'events' | 'perimeter' | 'filter'>;

async function checkEventFields(
  rows: Rows,
  { service, ...before }: Pick<Endpoint, 'service' | 'events' | 'filter'>,
  input: Partial<EndpointInput>,
  { catalogue, owner }: Pick<EndpointRules, 'catalogue'> & Authority,
): Promise<Partial<EventFields>> {
  const checked: Partial<EventFields> = {};
  if (input.events !== undefined) checked.events = input.events && checkEvents(service, input.events, catalogue);
  if (input.perimeter !== undefined) checked.perimeter = input.perimeter && (await checkPerimeter(rows, input.perimeter, owner));
  if (input.filter !== undefined) checked.filter = input.filter && JSON.stringify(input.filter);
  const { events, filter } = { ...before, ...checked };
  if (filter && (checked.filter || checked.events)) {
    const isSent = (one: EventDefinition) => one.service === service && (events === null || events.includes(one.type));
    checkFilter(filter, catalogue.filter(isSent));
  }
  return checked;
}

type CheckedFields = EventFields & Pick<Endpoint, 'url' | 'credentials' | keyof typeof unordered>;

/** Validates the given fields and returns them as they are stored. */
async function check(
  rows: Rows,
  before: Pick<Endpoint, 'service' | 'url' | 'events' | 'filter' | 'credentials' | 'ordered'>,
  input: Partial<EndpointInput>,
  { allowLoopback, allowNetworks, signatureHeader = 'X-SERVICE-Signature', ...rules }: EndpointRules & Authority,
): Promise<Partial<CheckedFields>> {
  const checked: Partial<CheckedFields> = checkOrder(before, input);
  const allow = { loopback: allowLoopback, networks: rules.owner ? undefined : allowNetworks };
  const isOperators = !rules.owner;
  if (input.url !== undefined) checked.url = checkUrl(input.url, allow, { isOperators });
  Object.assign(checked, await checkEventFields(rows, before, input, rules));
  const isElsewhere = new URL(checked.url ?? before.url).origin !== new URL(before.url).origin;
  // A person who may change the URL must not learn values that are never shown.
  if (isElsewhere && before.credentials && input.credentials === undefined)
    throw invalid(
      'credentials',
      'credentials_needed',
      'The URL has another host, and the stored credentials are not sent there. Send `credentials` with their values, or null.',
    );
  if (input.credentials !== undefined)
    checked.credentials =
      input.credentials &&
      checkCredentials(input.credentials, { stored: isElsewhere ? null : before.credentials, signatureHeader });
  return checked;
}

/** The fields that only ordered endpoints may set, with the values that all other endpoints have. */
const unordered = { order_by: 'endpoint', on_dead_letter: 'skip' } as const;

/** An endpoint that is not ordered, or no longer, has the values of such endpoints. Throws `invalid` for another one. */
function checkOrder({ ordered }: Pick<Endpoint, 'ordered'>, input: Partial<EndpointInput>): Partial<typeof unordered> {
  if (input.ordered ?? ordered) return {};
  for (const [name, value] of Object.entries(unordered)) {
    const sent = input[name as keyof typeof unordered] ?? value;
    if (sent === value) continue;
    const message = `"${sent}" has an effect only at an ordered endpoint. Send "ordered": true with it, or leave "${name}" out.`;
    throw invalid(name, 'not_ordered', message);
  }
  return { ...unordered };
}

function checkUrl(text: string, allow: Allowed, { isOperators }: { isOperators: boolean }): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // It may be a password, also in a text that cannot be parsed.
  if (!url?.host && text.includes('@'))
    throw invalid(
      'url',
      'url',
      'The text is not a URL that can be called. Give one without a user name and password, such as https://example.com/webhooks.',
    );
  // `localhost:3000/hook` is a URL whose scheme is "localhost".
  if (url?.host === '' && /^[^:/]+:\d/.test(text))
    throw invalid('url', 'url', `"${text}" has no scheme. Write http://${text} or https://${text}.`);
  if (url?.host === '')
    throw invalid(
      'url',
      'url',
      `"${text}" is a URL of ${url.protocol} and names no host. Give an https URL, such as https://example.com/webhooks.`,
    );
  if (!url) throw invalid('url', 'url', `"${text}" is not a URL. Give a complete one, such as https://example.com/webhooks.`);
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      'url',
      'url_credentials',
      'The URL contains a user name or password, which records would show. Remove them: deliveries are signed instead.',
    );
  }
  const refused = refusedUrl(url, allow);
  if (refused !== null) {
    const mayBeAllowed = isOperators && refusedUrl(url, { ...allow, networks: privateNetworks }) === null;
    const setting = mayBeAllowed ? ", or list its network in the gateway's setting WEBHOOK_ALLOW_NETWORKS if it is your own" : '';
    throw invalid(
      'url',
      'url_not_public',
      `Deliveries cannot go to "${text}": ${refused}. Give an https URL at a public address${setting}.`,
    );
  }
  url.hash = '';
  return url.href;
}

/** Returns the event types without duplicates. Throws `invalid` for the first that the service does not have. */
export function checkEvents(
  service: EventService,
  events: readonly string[],
  catalogue: readonly EventDefinition[],
  field = 'events',
): string[] {
  const known = catalogue.filter((definition) => definition.service === service).map(({ type }) => type);
  for (const [index, type] of events.entries()) {
    if (known.includes(type)) continue;
    throw invalid(
      `${field}.${index}`,
      'unknown_event',
      `"${type}" is not an event of ${service}. ${didYouMean(type, known)}Its events are ${known.join(', ')}.`,
    );
  }
  return [...new Set(events)];
}

async function checkPerimeter(rows: Rows, perimeter: string[], owner: OwnerState | undefined): Promise<string[]> {
  const seen = owner && (await seenBy(rows, owner, perimeter));
  for (const [index, id] of perimeter.entries()) {
    if (standIns.includes(id))
      throw invalid(`perimeter.${index}`, 'not_an_id', `"${id}" is not an id. For all ids, send null as the perimeter.`);
    // Ids that exist and ids that do not get the same words, so that an owner cannot probe.
    if (seen?.has(id) === false)
      throw invalid(`perimeter.${index}`, 'not_visible', `There is no store or structure "${id}" that ${owner?.owner} may see.`);
  }
  return [...new Set(perimeter)];
}
