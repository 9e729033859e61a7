import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { nearestOf } from '../gateway/base/nearest.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import type { EventType, ManageClient } from '../stubs/listen/manage.ts';
import { operationNames } from '../stubs/names.ts';
import type { StubDelivery } from '../stubs/webhook-types.ts';
import { tell } from './command.ts';

/** A call as `/manage/v1/calls` lists it. */
export interface ListedCall {
  id: string;
  at: string;
  method: string;
  /** With the query string. */
  path: string;
  status: number;
  duration_ms: number;
  error_code: string | null;
}

export interface CallOptions {
  operation?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  status?: string | undefined;
}

/** The number of rows that a command shows of a gateway's list. */
const shownRows = 100;

/** The newest rows of a list, oldest first. Says so if there are more. */
async function newest<R>(pages: AsyncIterable<R[]>): Promise<R[]> {
  const rows: R[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length <= shownRows) continue;
    tell(`These are the newest ${shownRows}. Filters select others; the manage API and the console have all of them.`);
    break;
  }
  return rows.slice(0, shownRows).reverse();
}

/** The calls to the APIs, oldest first. Operators' calls are left out, because this command makes such calls itself. */
export async function callsOf(manage: ManageClient, options: CallOptions): Promise<ListedCall[]> {
  const lists = await Promise.all(callPages(manage, options).map((pages) => newest(pages)));
  return inOrder(lists.flat()).slice(-shownRows);
}

/** Bounds the memory of `--follow`. */
const idsKept = 100_000;

/** Returns a function that reads the calls that it has not returned before: at first the newest 100 of each API. */
export function newCallsOf(manage: ManageClient, options: CallOptions): () => Promise<ListedCall[]> {
  const seen = new Set<string>();
  const unseen = async (pages: AsyncIterable<ListedCall[]>) => {
    const found: ListedCall[] = [];
    const isFirst = seen.size === 0;
    for await (const page of pages) {
      const fresh = page.filter(({ id }) => !seen.has(id));
      found.push(...fresh);
      // Calls are recorded when they end, so one that began earlier can come later: whole pages are compared.
      if (isFirst || fresh.length < page.length || page.length === 0) break;
    }
    return found;
  };
  return async () => {
    const found = inOrder((await Promise.all(callPages(manage, options).map(unseen))).flat());
    for (const { id } of found) seen.add(id);
    for (const id of [...seen].slice(0, Math.max(0, seen.size - idsKept))) seen.delete(id);
    return found;
  };
}

const inOrder = (calls: readonly ListedCall[]) =>
  calls.toSorted((one, other) => one.at.localeCompare(other.at) || one.id.localeCompare(other.id));

/** The pages of the calls to each API that has the operation. */
function callPages(manage: ManageClient, { operation, method, path, status }: CallOptions): AsyncGenerator<ListedCall[]>[] {
  const filters = { operation, method: methodOf(method), status: status?.toLowerCase(), q: path };
  return apisOf(operation).map((api) => ofPath(manage.pages('/calls', { api, ...filters }), path));
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A misspelt method would list nothing, as if there were no calls. */
function methodOf(method: string | undefined): string | undefined {
  const wanted = method?.toUpperCase();
  if (wanted === undefined || methods.includes(wanted)) return wanted;
  throw new CouldNotRun(
    `"${method}" is not a method. Did you mean ${nearestOf(wanted, methods)}? Use one of ${methods.join(', ')}.`,
  );
}

/** The manage API searches paths and bodies for text. */
async function* ofPath(pages: AsyncIterable<ListedCall[]>, path: string | undefined): AsyncGenerator<ListedCall[]> {
  for await (const page of pages) yield path === undefined ? page : page.filter((call) => call.path.split('?')[0] === path);
}

function apisOf(operation: string | undefined): readonly ServiceName[] {
  if (operation === undefined) return serviceNames;
  const found = serviceNames.filter((api) => (operationNames[api] as readonly string[]).includes(operation));
  if (found.length > 0) return found;
  const known = serviceNames.flatMap((api): readonly string[] => operationNames[api]);
  throw new CouldNotRun(`"${operation}" is not an operation. Did you mean ${nearestOf(operation, known)}?`);
}

export interface ListedEndpoint {
  id: string;
  url: string;
  events: string[] | null;
  owner: { id: string | null };
  /** Only of an endpoint that was just made. */
  secret?: string;
}

export const endpointsOf = (manage: ManageClient): Promise<ListedEndpoint[]> => newest(manage.pages('/endpoints'));

export interface NewEndpoints {
  urls: readonly string[];
  events?: string[] | undefined;
  service?: string | undefined;
  owner?: string | undefined;
}

/**
 * Creates an endpoint for each URL and API. Returns the list of all endpoints. The new ones are listed with their secrets.
 * Creates all or none.
 */
export async function addEndpoints(
  manage: ManageClient,
  { urls, events, service, owner }: NewEndpoints,
): Promise<ListedEndpoint[]> {
  const { wantedServices } = await import('../stubs/listen/wanted.ts');
  const wanted = wantedServices(await manage.eventTypes(), { events, services: service === undefined ? undefined : [service] });
  if (events === undefined && wanted.length > 1)
    throw new CouldNotRun(
      `Say which events the endpoint gets: --events with their types, or --service ${serviceNames.join(' or ')} for all of an API.`,
    );
  const secrets = new Map<string, string>();
  await allOrNone(
    urls.flatMap((url) => wanted.map((one) => ({ ...one, url, ...(owner !== undefined && { owner }) }))),
    async (endpoint) => {
      const made = await manage.createEndpoint(endpoint, '');
      secrets.set(made.id, made.secret);
      return made.id;
    },
    (id) => manage.removeEndpoint(id),
  );
  return (await endpointsOf(manage)).map((one) => ({
    ...one,
    ...(secrets.has(one.id) && { secret: secrets.get(one.id) ?? '' }),
  }));
}

export interface DeliveryOptions {
  eventType?: string | undefined;
  status?: string | undefined;
  endpointId?: string | undefined;
  eventId?: string | undefined;
}

/** A delivery as the manage API lists it. */
export type ListedDelivery = Omit<StubDelivery, 'body' | 'attempts_made'>;

/** The deliveries, oldest first. Throws `CouldNotRun` for an event type, endpoint or event that does not exist. */
export async function deliveriesOf(
  manage: ManageClient,
  { eventType, status, endpointId, eventId }: DeliveryOptions,
): Promise<ListedDelivery[]> {
  if (eventType !== undefined) await refuseUnknownType(await manage.eventTypes(), eventType);
  if (endpointId !== undefined) await manage.refuseUnknown('/endpoints', endpointId);
  if (eventId !== undefined) await manage.refuseUnknown('/events', eventId);
  return newest(
    manage.pages('/deliveries', {
      event_type: eventType,
      status: status?.toLowerCase(),
      endpoint_id: endpointId,
      event_id: eventId,
    }),
  );
}

async function refuseUnknownType(types: readonly EventType[], eventType: string): Promise<void> {
  if (types.some(({ type }) => type === eventType)) return;
  const { unknownEvent } = await import('../stubs/listen/wanted.ts');
  throw unknownEvent(eventType, types);
}

export async function resend(manage: ManageClient, id: string): Promise<StubDelivery> {
  const { resent } = await import('../stubs/listen/test-events.ts');
  return resent(manage, await manage.delivery(id));
}

/** Adds each of the values. If one is refused, those before it are removed again. */
export async function allOrNone<V, Id>(
  values: readonly V[],
  add: (value: V) => Promise<Id>,
  remove: (id: Id) => Promise<unknown>,
): Promise<void> {
  const added: Id[] = [];
  try {
    for (const value of values) added.push(await add(value));
  } catch (error) {
    for (const id of added) await remove(id);
    throw error;
  }
}
