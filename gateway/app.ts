import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { SettingsError } from './base/errors.ts';
import { newId } from './base/ids.ts';
import { errorsSeldom, type Logger } from './base/log.ts';
import type { Redis } from './base/redis.ts';
import { serveDocs, type TryIt } from './docs/serve.ts';
import type { Metrics } from './figures/metrics.ts';
import type { Api, LimitRule } from './http/api.ts';
import { closeGently } from './http/closing.ts';
import { serveLate } from './http/late.ts';
import { type Count, counterOn } from './http/limit/limit.ts';
import { setZodMessages } from './http/messages.ts';
import { mount } from './http/mount.ts';
import { serveProbes } from './http/probes.ts';
import { recordCalls } from './http/record/record.ts';
import type { Recorder } from './http/record/recorder.ts';
import type { Settings } from './start/config.ts';
import type { Readiness } from './start/readiness.ts';
import { transportOf } from './start/tls.ts';

export interface ProbeParts {
  settings: Settings;
  /** No figures are kept where it is left out. */
  metrics?: Metrics | undefined;
  log: Logger;
  readiness(): Promise<Readiness>;
}

export interface AppParts extends ProbeParts {
  /** The APIs and where each is mounted. */
  apis: readonly { prefix: string; api: Api }[];
  /** APIs that are opened when they are first called, each in an app of its own. */
  late?: readonly { prefix: string; open(): Promise<Api> }[];
  recorder: Recorder;
  /** Where limits are counted for all processes together; in this one, where it is left out. */
  counters?: Redis | undefined;
  /** Counts instead of this app's own counters. */
  count?: Count | undefined;
  /** Comes between the recording of calls and the APIs: hooks and routes added here see every call. */
  extend?: ((app: FastifyInstance) => void | Promise<void>) | undefined;
  /** The OpenAPI documents. If left out, they are made from the routes. */
  documents?: ReadonlyMap<string, () => unknown> | undefined;
  /** The folder of the built console, whose page is then served at `/console`. */
  consoleFolder?: string | undefined;
  /** Fills in what the requests of the API reference need. */
  tryIt?: TryIt | undefined;
}

/**
 * The way of a request:
 *
 *     request -> record -> identify -> limit -> validate -> verb -> reply
 *
 * Recording belongs to the whole app, so that it also sees what is refused; the rest is each API's own (`mount`).
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, apis, recorder, metrics } = parts;
  setZodMessages();
  const app = Fastify({
    ...server(parts),
    genReqId: () => newId('call'),
    trustProxy: settings.TRUST_PROXY.length > 0 ? settings.TRUST_PROXY : false,
    bodyLimit: settings.BODY_LIMIT_BYTES,
    requestTimeout: 60_000,
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    routerOptions: { maxParamLength: 200 },
  }) as unknown as FastifyInstance;
  for (const property of ['caller', 'rawBody', 'refusal', 'limitState'] as const) app.decorateRequest(property, null);

  closeGently(app);
  parseJson(app);
  if (settings.TLS_CERT !== undefined) sayStrictTransport(app);

  recordCalls(app, {
    recorder,
    apiOf: (path) => apis.find(({ prefix }) => path.startsWith(`${prefix}/`))?.api.name ?? 'gateway',
    bodyCharacters: settings.RECORD_BODY_CHARACTERS,
    ended: ({ id, durationMs, ...labels }) => {
      metrics?.calls.observe({ ...labels, status: String(labels.status) }, durationMs / 1000);
      if (parts.log.isLevelEnabled('debug')) parts.log.debug({ callId: id, ...labels, durationMs }, 'call.ended');
    },
  });

  await parts.extend?.(app);

  const way = {
    count: parts.count ?? (await counting(app, parts)),
    limitRefused: (api: string, limit: string) => metrics?.limitRefusals.inc({ api, limit }),
    operationLimits: operationLimits(settings),
    documents: parts.documents ? undefined : new Map<string, () => unknown>(),
    operations: new Set<string>(),
  };
  for (const { prefix, api } of apis) await app.register(mount(api, { ...way, prefix }), { prefix });
  checkOperationLimits(settings, way.operations);

  for (const { prefix, open } of parts.late ?? [])
    serveLate(app, prefix, async () => alone(parts, { prefix, api: await open() }));
  await app.register(serveProbes(parts));
  const consoleBuilt = parts.consoleFolder === undefined ? false : await withConsole(app, parts.consoleFolder);
  const documents = parts.documents ?? way.documents ?? new Map();
  // An API at the root answers for whatever is not there.
  const rootIsFree = !apis.some(({ prefix }) => prefix === '');
  await app.register(serveDocs({ documents, tryIt: parts.tryIt, home: rootIsFree && !consoleBuilt }));
  if (rootIsFree) nothingElse(app, 'See /docs.');
  return app;
}

/** Whether its page is there: without one, `/console` says how it is built. Stubs do not load it. */
async function withConsole(app: FastifyInstance, folder: string): Promise<boolean> {
  const { readConsole, serveConsole } = await import('./console/serve.ts');
  const found = readConsole(folder);
  await app.register(serveConsole(found));
  return found.index !== undefined;
}

/** An app of one API, behind another app of the same parts. */
const alone = (parts: AppParts, api: AppParts['apis'][number]) =>
  buildApp({
    ...parts,
    apis: [api],
    late: [],
    extend: undefined,
    documents: new Map(),
    tryIt: undefined,
    consoleFolder: undefined,
  });

/** What a worker serves: it makes deliveries, and answers who watches over it. */
export async function buildProbes(parts: ProbeParts): Promise<FastifyInstance> {
  const app = Fastify(server(parts)) as unknown as FastifyInstance;
  closeGently(app);
  await app.register(serveProbes(parts));
  nothingElse(app, 'This process is a worker (ROLE): it serves /healthz, /readyz and /metrics.');
  return app;
}

function nothingElse(app: FastifyInstance, hint: string): void {
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: { code: 'not_found', message: `There is nothing at ${request.url.split('?')[0]}. ${hint}` } }),
  );
}

function server({ settings, log }: ProbeParts) {
  return {
    ...transportOf(settings),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    // Every schema is zod's: what fastify would load for others takes longer than the rest of the start.
    schemaController: {
      compilersFactory: { buildValidator: () => validatorCompiler as never, buildSerializer: () => serializerCompiler as never },
    },
  };
}

async function counting(app: FastifyInstance, { settings, counters, metrics, log }: AppParts): Promise<Count> {
  const { default: fastifyRateLimit } = await import('@fastify/rate-limit');
  const where = counters ? { redis: counters, nameSpace: `${settings.REDIS_PREFIX}:limit:` } : { cache: 100_000 };
  await app.register(fastifyRateLimit, { global: false, ...where });
  if (!counters) return counterOn(app);
  const failed = errorsSeldom(log);
  return counterOn(app, {
    refuse: settings.LIMITS_WITHOUT_REDIS === 'closed',
    tell(error) {
      metrics?.limitsUncounted.inc();
      failed(error, 'limits.uncounted');
    },
  });
}

/** A path with escapes that stand for no text goes on with them as plain text, so that its API answers and it is recorded. */
function decodable(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Keeps the text of each body beside its value: records show it, and idempotency compares it byte for byte. */
function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.rawBody = body;
    parse(request, body, done);
  });
}

/** RFC 6797: a browser that has been here once never asks over plain http again. */
function sayStrictTransport(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('strict-transport-security', 'max-age=31536000');
  });
}

/** A limit on an operation that does not exist would hold nobody back, in silence. */
function checkOperationLimits(settings: Settings, operations: ReadonlySet<string>): void {
  const unknown = settings.OPERATION_LIMITS.find(({ operation }) => !operations.has(operation));
  if (!unknown) return;
  const known = [...operations].sort().join(', ');
  throw new SettingsError(`OPERATION_LIMITS names ${unknown.operation}, which is no operation. The operations are: ${known}.`);
}

/** Limits that the settings put on single operations, counted for each caller (or address, before there is one). */
function operationLimits(settings: Settings): Map<string, LimitRule> {
  return new Map(
    settings.OPERATION_LIMITS.map(({ operation, max, windowMs }) => [
      operation,
      { name: `operation-${operation}`, windowMs, max: () => max, key: (request) => request.caller?.id ?? request.ip },
    ]),
  );
}
