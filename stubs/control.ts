import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { isLoopback } from '../gateway/base/addresses.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { sameSecret } from '../gateway/base/keyring.ts';
import { callFilters } from '../gateway/http/record/filters.ts';
import { deliveryStatuses } from '../gateway/store/tables/webhooks.ts';
import { FaultError } from './faults/errors.ts';
import type { CallFilter } from './journal/filter.ts';
import { curlOf } from './journal/shown.ts';
import type { Stub, StubOperations } from './types.ts';

type About = () => Pick<Stub, 'url' | 'credentials'>;

/**
 * Serves `/_stub`, by which other programs, such as `passerelle trigger`, control a running stub. Programs on this machine
 * need no token; other machines need the operator's. See `refuseStrangers` for pages in a browser.
 */
export function serveControl(stub: StubOperations, about: About, operatorToken: string) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, recorded: false };
    });
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      refuseStrangers(request, operatorToken);
    });
    app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
      const { status, code } = refusedAs(error);
      return reply.code(status).send({ error: { code, message: messageOf(error) } });
    });
    app.setNotFoundHandler(async ({ method, url }, reply) => {
      const message = `There is no ${method} ${url.split('?')[0]}. See "The control API" at /docs/guides/partners.`;
      return reply.code(404).send({ error: { code: 'not_found', message } });
    });
    stateRoutes(app, stub, about);
    webhookRoutes(app, stub);
    journalRoutes(app, stub);
    faultRoutes(app, stub);
  };
}

/**
 * Refuses calls from web pages that a developer visits. Browsers send `Origin` or `Sec-Fetch-Site` with them, and after
 * DNS rebinding the Host header is not a loopback name.
 */
function refuseStrangers(request: FastifyRequest, operatorToken: string): void {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme === 'Bearer' && sameSecret(token, operatorToken)) return;
  const { origin, 'sec-fetch-site': site, host = '' } = request.headers;
  const named = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const fromBrowser = origin !== undefined || (site !== undefined && site !== 'none');
  if (!fromBrowser && isLoopback(request.ip) && isLoopback(named)) return;
  throw new Refusal('forbidden', 'not_local', "Only programs on this machine may call /_stub without the operator's token.");
}

const statuses: Partial<Record<Refusal['kind'], number>> = { not_found: 404, conflict: 409, forbidden: 403, unavailable: 503 };

function refusedAs(error: Error & { statusCode?: number }): { status: number; code: string } {
  if (error instanceof Refusal) return { status: statuses[error.kind] ?? 400, code: error.code };
  if (error instanceof z.ZodError || error instanceof CouldNotRun || error instanceof FaultError || error instanceof TypeError)
    return { status: 400, code: 'invalid' };
  return { status: error.statusCode ?? 500, code: 'error' };
}

const messageOf = (error: Error) => (error instanceof z.ZodError ? error.issues.map(textOf).join('; ') : error.message);
const textOf = ({ path, message }: z.core.$ZodIssue) => (path.length === 0 ? message : `${path.join('.')}: ${message}`);

function stateRoutes(app: FastifyInstance, stub: StubOperations, about: About): void {
  const state = () => ({ data: stateOf(stub, about()) });
  app.get('/', async () => state());
  app.post('/reset', async () => {
    await stub.reset();
    return state();
  });
  app.post('/clock/advance', async ({ body }) => {
    const { by } = z.strictObject({ by: z.union([z.string(), z.number()]) }).parse(body);
    await stub.clock.advance(by);
    return { data: { now: new Date(stub.clock.now()).toISOString() } };
  });
}

const faultsShown = (faults: Stub['faults']) => faults.list().map(({ id, text, applied }) => ({ id, rule: text, applied }));

const stateOf = (
  { api, operatorToken, endpoints, faults, clock, calls }: StubOperations,
  { url, credentials }: ReturnType<About>,
) => ({
  ...{ api, url, credentials, operatorToken, endpoints: endpoints.list() },
  faults: faultsShown(faults),
  clock: new Date(clock.now()).toISOString(),
  calls: calls().length,
});

const data = z.record(z.string(), z.unknown()).optional();
const options = { validate: z.boolean().optional(), duplicates: z.int().min(0).max(100).optional() };
const oneEvent = z.strictObject({ event: z.string(), data, ...options });
const events = z
  .array(z.strictObject({ event: z.string(), data }))
  .min(1)
  .max(100);
const severalEvents = z.strictObject({ events, reorder: z.boolean().optional(), ...options });

function webhookRoutes(app: FastifyInstance, stub: StubOperations): void {
  app.post('/trigger', async ({ body }) => {
    const several = typeof body === 'object' && body !== null && 'events' in body;
    const { events: wanted, ...rest } = several ? severalEvents.parse(body) : asSeveral(oneEvent.parse(body));
    return { data: await stub.triggerAll(wanted, definedOnly(rest)) };
  });
  app.post('/endpoints', async ({ body }) => {
    const wanted = z.strictObject({ url: z.string(), events: z.array(z.string()).min(1).nullable().optional() }).parse(body);
    return { data: await stub.endpoints.add({ url: wanted.url, events: wanted.events ?? null }) };
  });
  app.get('/deliveries', async ({ query }) => {
    const field = z.string().optional();
    const wanted = z
      .strictObject({ event_type: field, status: z.enum(deliveryStatuses).optional(), endpoint_id: field, event_id: field })
      .parse(query);
    return { data: await stub.deliveries(definedOnly(wanted)) };
  });
  app.post<{ Params: { id: string } }>('/deliveries/:id/resend', async ({ params }) => ({
    data: await stub.resend(params.id),
  }));
}

const asSeveral = ({ event, data: given, ...rest }: z.output<typeof oneEvent>) => ({ events: [{ event, data: given }], ...rest });

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const definedOnly = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;

const callQuery = z
  .strictObject({
    operation: z.string().optional(),
    method: callFilters.method.optional(),
    path: z.string().optional(),
    status: callFilters.status.optional(),
  })
  .transform(({ status, ...rest }) => ({ ...rest, status: status?.endsWith('xx') ? status : status && Number(status) }));

const filterOf = (query: unknown) => definedOnly(callQuery.parse(query)) as CallFilter;

function journalRoutes(app: FastifyInstance, stub: StubOperations): void {
  const found = (query: unknown) => stub.calls(filterOf(query));
  app.get('/calls', async ({ query }) => ({ data: found(query) }));
  app.get('/calls/curl', async ({ query }, reply) =>
    reply.type('text/plain; charset=utf-8').send(
      found(query)
        .map((call) => `${curlOf(call)}\n`)
        .join(''),
    ),
  );
  app.delete('/calls', async () => {
    stub.clearCalls();
    return { data: [] };
  });
  app.get('/calls/har', async ({ query }) => stub.har({ filter: filterOf(query) }));
}

function faultRoutes(app: FastifyInstance, stub: StubOperations): void {
  const list = () => ({ data: faultsShown(stub.faults) });
  app.get('/faults', async () => list());
  app.post('/faults', async ({ body }, reply) => {
    const { rule } = z.strictObject({ rule: z.union([z.string(), z.record(z.string(), z.unknown())]) }).parse(body);
    stub.faults.add(rule as string);
    return reply.code(201).send(list());
  });
  app.delete('/faults', async () => {
    stub.faults.clear();
    return list();
  });
  app.delete<{ Params: { id: string } }>('/faults/:id', async ({ params }) => {
    if (!stub.faults.remove(params.id)) throw new Refusal('not_found', 'not_found', `There is no fault ${params.id}.`);
    return list();
  });
}
