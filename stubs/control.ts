import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { type AppParts, buildApp } from '../gateway/app.ts';
import { mostDetails, Refusal, usualStatus } from '../gateway/base/errors.ts';
import { nearestOf } from '../gateway/base/nearest.ts';
import { refusalFor } from '../gateway/http/mount.ts';
import { callFilters } from '../gateway/http/record/filters.ts';
import { deliveryStatuses } from '../gateway/store/tables/webhooks.ts';
import { assumeRoutes } from './assume/routes.ts';
import { controlDocument, controlOperations } from './control-document.ts';
import { FaultError } from './faults/errors.ts';
import type { RecordedCall } from './journal/call.ts';
import type { CallFilter } from './journal/filter.ts';
import type { Journal } from './journal/journal.ts';
import { curlOf } from './journal/shown.ts';
import type { OperationName } from './names.ts';
import { isCallId } from './options.ts';
import type { PaymentEnd, PaymentFilter } from './payments/types.ts';
import { refuseStrangers } from './strangers.ts';
import type { Stub, StubOperations } from './types.ts';
import type { NewStubEndpoint } from './webhook-types.ts';

export interface ControlParts {
  stub: StubOperations;
  about: () => Pick<Stub, 'url' | 'credentials'>;
  /** The calls received. Reading them here is no look of a test: see `Stub.uncheckedCalls`. */
  journal: Pick<Journal, 'calls' | 'size'>;
}

/**
 * The app of `/_stub`, by which other programs, such as `passerelle trigger`, and the stub's page control a running stub. On this
 * machine they need no token; other machines need the operator's. Pages of other origins are refused.
 */
export const openControlApp = (parts: ControlParts, { settings, log }: Pick<AppParts, 'settings' | 'log'>) =>
  buildApp({
    settings,
    log,
    recording: { sinks: [] },
    apis: [],
    counter: async () => () => null,
    pages: [(app) => void app.register(serveControl(parts), { prefix: '/_stub' })],
  });

function serveControl({ stub, about, journal }: ControlParts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, recorded: false };
    });
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      refuseStrangers(request, stub.operatorToken);
    });
    app.addHook('preHandler', async (request) => refuseUnknownQuery(request));
    app.setErrorHandler(async (error: FastifyError, request, reply) => {
      const { kind, code, message, details } = refusalOf(error, request);
      const shown = details.map((detail) => ({ field: detail.field, message: detail.message }));
      return reply.code(usualStatus[kind]).send({ error: { code, message, ...(shown.length > 0 && { details: shown }) } });
    });
    app.setNotFoundHandler(async ({ method, url }, reply) => {
      const message = `There is no ${method} ${url.split('?')[0]}. See "The control API" at /docs/guides/partners.`;
      return reply.code(404).send({ error: { code: 'not_found', message } });
    });
    stateRoutes(app, stub, () => ({ ...about(), received: journal.size }));
    webhookRoutes(app, stub);
    paymentRoutes(app, stub);
    journalRoutes(app, stub, journal);
    faultRoutes(app, stub);
    assumeRoutes(app, stub);
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters of a route of `/_stub`. Others are refused. */
    query?: readonly string[];
  }
}

/** A misspelt filter would select everything. */
function refuseUnknownQuery({ is404, method, query, routeOptions }: FastifyRequest): void {
  const known = routeOptions.config.query ?? [];
  const unknown = Object.keys(query as object).find((name) => !known.includes(name));
  if (unknown === undefined || is404) return;
  const route = `${method} ${routeOptions.url}`;
  const hint = known.length === 0 ? 'It has none.' : `Did you mean ${nearestOf(unknown, known)}? It has ${known.join(', ')}.`;
  throw new Refusal('invalid', 'unknown_parameter', `"${unknown}" is not a query parameter of ${route}. ${hint}`);
}

/** The refusal that an error stands for. Its details name the wrong fields, by dotted paths into the body or the query. */
function refusalOf(error: FastifyError, request: FastifyRequest): Refusal {
  const refused = (message: string, found: readonly { field: string; message: string }[] = []) =>
    new Refusal('invalid', 'invalid', message, { details: found.map((one) => ({ ...one, rule: 'invalid' })) });
  if (error instanceof z.ZodError) {
    const found = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
    const text = error.issues.slice(0, mostDetails).map(({ code, path, message }) => {
      if (code === 'unrecognized_keys' && path.length === 0) return message;
      return `${path.length === 0 ? 'the body' : path.join('.')}: ${message}`;
    });
    return refused(`${text.join('; ')}${exampleFor(request)}`, found);
  }
  if (error instanceof FaultError)
    return refused(
      error.message,
      error.details.map(({ field, message }) => ({ field: `rule.${field}`, message })),
    );
  if (error instanceof CouldNotRun) return refused(error.message);
  const refusal = refusalFor(error, request);
  // Who runs a stub wants to know what it stumbled over, and its log is silent.
  return refusal.kind === 'internal' ? new Refusal('internal', 'error', error.message) : refusal;
}

function exampleFor({ method, routeOptions: { url = '' } }: FastifyRequest): string {
  const { body } = controlOperations[`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`] ?? {};
  return body?.example ? `. Send JSON such as ${JSON.stringify(body.example)}` : '';
}

type About = ReturnType<ControlParts['about']> & { received: number };

function stateRoutes(app: FastifyInstance, stub: StubOperations, about: () => About): void {
  const state = () => ({ data: stateOf(stub, about()) });
  app.get('/', async () => state());
  app.get('/openapi.json', async () => ({ ...controlDocument(), servers: [{ url: about().url }] }));
  app.get('/state', async () => ({ data: await stub.state() }));
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
  { api, operatorToken, secret, endpoints, payments, faults, assumptions, clock }: StubOperations,
  { url, credentials, received }: About,
) => ({
  api,
  url,
  credentials,
  operatorToken,
  endpoints: endpoints.list(),
  faults: faultsShown(faults),
  assumptions: assumptions.list(),
  mobileMoney: payments.rules,
  clock: new Date(clock.now()).toISOString(),
  calls: received,
  // Last, so that a line of `sed` which looks for the last secret finds it.
  secret,
});

const data = z.record(z.string(), z.unknown()).optional();
const options = {
  validate: z.boolean().optional(),
  duplicates: z.int().min(0).max(100).optional(),
  to: z.string().optional(),
  secret: z.string().optional(),
  owner: z.string().optional(),
};
const event = { event: z.string(), data, on: z.union([z.string(), z.number()]).optional() };
const oneEvent = z.strictObject({ ...event, ...options });
const events = z.array(z.strictObject(event)).min(1).max(100);
const severalEvents = z.strictObject({ events, reorder: z.boolean().optional(), ...options });

const newEndpoint = z.strictObject({
  url: z.string(),
  events: z.array(z.string()).min(1).nullable().optional(),
  secret: z.string().optional(),
  owner: z.string().optional(),
});

const field = z.string().optional();
const limit = z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1').optional();
const deliveryQuery = z.strictObject({
  event_type: field,
  status: z.enum(deliveryStatuses).optional(),
  endpoint_id: field,
  event_id: field,
  limit,
});

function webhookRoutes(app: FastifyInstance, stub: StubOperations): void {
  app.post('/trigger', async ({ body }) => {
    const several = typeof body === 'object' && body !== null && 'events' in body;
    const { events: wanted, ...rest } = several ? severalEvents.parse(body) : asSeveral(oneEvent.parse(body));
    return { data: await stub.triggerAll(wanted, definedOnly(rest)) };
  });
  app.get('/endpoints', async () => ({ data: stub.endpoints.list() }));
  app.post('/endpoints', async ({ body }, reply) => {
    const endpoint = definedOnly(newEndpoint.parse(body)) as NewStubEndpoint;
    return reply.code(201).send({ data: await stub.endpoints.add(endpoint) });
  });
  app.delete<{ Params: { id: string } }>('/endpoints/:id', async ({ params }) => {
    await stub.endpoints.remove(params.id);
    return { data: stub.endpoints.list() };
  });
  app.get('/deliveries', { config: { query: Object.keys(deliveryQuery.shape) } }, async ({ query }) => {
    const wanted = deliveryQuery.parse(query);
    return { data: await stub.deliveries(definedOnly(wanted)) };
  });
  app.post<{ Params: { id: string } }>('/deliveries/:id/resend', async ({ params }) => ({
    data: await stub.resend(params.id),
  }));
}

const asSeveral = ({ event, data: given, on, ...rest }: z.output<typeof oneEvent>) => ({
  events: [{ event, data: given, on }],
  ...rest,
});

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const definedOnly = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;

const paymentQuery = z.strictObject({ status: field, reference: field });
const settling = z.strictObject({ as: z.string().optional() });

function paymentRoutes(app: FastifyInstance, stub: StubOperations): void {
  app.get('/payments', { config: { query: Object.keys(paymentQuery.shape) } }, async ({ query }) => ({
    data: await stub.payments.list(definedOnly(paymentQuery.parse(query)) as PaymentFilter),
  }));
  app.post<{ Params: { id: string } }>('/payments/:id/settle', async ({ params, body }) => ({
    data: await stub.payments.settle(params.id, settling.parse(body ?? {}).as as PaymentEnd | undefined),
  }));
}

const callQuery = z.strictObject({
  operation: field,
  method: callFilters.method.optional(),
  path: field,
  status: callFilters.status.optional(),
  id: field,
});
const listQuery = callQuery.extend({ after: field, limit, brief: z.enum(['true', 'false']).optional() });
const ofCalls = { config: { query: Object.keys(callQuery.shape) } };
const ofList = { config: { query: Object.keys(listQuery.shape) } };

const filterOf = ({ id, status, ...rest }: z.output<typeof callQuery>) =>
  definedOnly({
    ...rest,
    status: status?.endsWith('xx') ? status : status && Number(status),
    ...(id !== undefined && { where: (call: RecordedCall) => call.id === id }),
  }) as CallFilter<OperationName>;

/** A call without its headers and bodies, for lists that are read often. */
const briefly = ({ requestHeaders: _1, requestBody: _2, responseHeaders: _3, responseBody: _4, ...call }: RecordedCall) => call;

function journalRoutes(app: FastifyInstance, stub: StubOperations, journal: ControlParts['journal']): void {
  app.get('/calls', ofList, async ({ query }) => {
    const { after, limit: most = Number.POSITIVE_INFINITY, brief, ...filter } = listQuery.parse(query);
    if (after !== undefined && !isCallId(after))
      throw new Refusal('invalid', 'not_an_id', `after: ${JSON.stringify(after)} is not the id of a call, such as call_019a...`);
    const calls = journal.calls(filterOf(filter));
    // An unknown id is that of a call before a reset: all calls came later.
    const found = calls.slice(Math.max(calls.findIndex(({ id }) => id === after) + 1, calls.length - most));
    return { data: brief === 'true' ? found.map(briefly) : found };
  });
  app.get('/calls/curl', ofCalls, async ({ query }, reply) =>
    reply.type('text/plain; charset=utf-8').send(
      journal
        .calls(filterOf(callQuery.parse(query)))
        .map((call) => `${curlOf(call)}\n`)
        .join(''),
    ),
  );
  app.delete('/calls', async () => {
    stub.clearCalls();
    return { data: [] };
  });
  app.get('/calls/har', ofCalls, async ({ query }) => stub.har({ filter: filterOf(callQuery.parse(query)) }));
}

function faultRoutes(app: FastifyInstance, stub: StubOperations): void {
  const list = () => ({ data: faultsShown(stub.faults) });
  app.get<{ Querystring: { operation?: string } }>('/examples', { config: { query: ['operation'] } }, async ({ query }) => ({
    data: stub.faults.examples.of(query.operation),
  }));
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
