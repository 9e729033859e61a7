import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { type Clock, systemClock } from './base/clock.ts';
import { usualStatus } from './base/errors.ts';
import { idMaker } from './base/ids.ts';
import type { Logger } from './base/log.ts';
import { noTracing, type Tracing } from './base/tracing.ts';
import type { Api, LimitRule } from './http/api.ts';
import { answerMalformed } from './http/client-error.ts';
import { closeGracefully } from './http/closing.ts';
import { allowOrigins } from './http/cors.ts';
import { parseJson, routableUrl } from './http/incoming.ts';
import type { Count } from './http/limit/limit.ts';
import { setZodMessages } from './http/messages.ts';
import { documentsHint, mount, refusalFor } from './http/mount.ts';
import type { EndedCall } from './http/record/call.ts';
import { type RecordOptions, recordCalls } from './http/record/record.ts';
import { ofEveryReply } from './http/reply-headers.ts';
import { sendTogether } from './http/send-together.ts';
import { traceCalls } from './http/trace.ts';
import { continueWhenRead, readUnreadBodies } from './http/unread-bodies.ts';
import type { Settings } from './start/config.ts';
import { checkOperationLimits } from './start/operation-limits.ts';
import { transportOf } from './start/tls.ts';

export interface AppParts {
  settings: Settings;
  /** Fastify's options of how it listens. Default: as TLS_CERT and TLS_KEY say. */
  transport?: object | undefined;
  log: Logger;
  recording: Omit<RecordOptions, 'apiOf'>;
  /** By default no spans are made. */
  tracing?: Tracing | undefined;
  /** The origins whose pages may call the APIs. Default: none. `except`: calls that pages may not make. */
  cors?: { origins: readonly string[]; except?(request: FastifyRequest): boolean } | undefined;
  /** Adds hooks that see every call after the recording and before its API. */
  beforeApis?: (app: FastifyInstance) => void;
  /** The APIs and the prefix of each; the prefix '' is the root. */
  apis: readonly { prefix: string; api: Api }[];
  counter(app: FastifyInstance): Promise<Count>;
  /** Called for each call that a limit refused. */
  limitRefused?: (api: string, limit: string) => void;
  /** Dates the calls, by their ids. Default: the machine's. */
  clock?: Clock;
  operationLimits?: ReadonlyMap<string, LimitRule>;
  /** Collects each API's OpenAPI document by its name. Without it no document is generated. */
  documents?: Map<string, () => unknown>;
  /** Routes that belong to no API: probes, documents, the console. */
  pages?: readonly ((app: FastifyInstance) => void | Promise<void>)[];
}

/**
 * The request pipeline:
 *
 *     request -> record -> limit by address -> identify -> limit -> validate -> verb -> reply
 *
 * The recording covers the whole app, so that it also sees refused calls. The other steps belong to each API (`mount`).
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, log, apis, clock = systemClock, operationLimits = new Map(), pages = [] } = parts;
  setZodMessages();
  const app = openServer(parts, {
    genReqId: idMaker('call', () => clock.now()),
    trustProxy: settings.TRUST_PROXY.length > 0 ? settings.TRUST_PROXY : false,
    bodyLimit: settings.BODY_LIMIT_BYTES,
    requestTimeout: 60_000,
    rewriteUrl: (request: { url?: string }) => routableUrl(request.url ?? '/'),
    // Schemas limit the length of parameters. The router's own limit would send another reply. It exists for regular expressions
    // in paths.
    routerOptions: { maxParamLength: 100_000 },
  });
  for (const property of ['caller', 'rawBody', 'refusal', 'limitState', 'endTurn'] as const) app.decorateRequest(property, null);

  parseJson(app);
  if (settings.TLS_CERT !== undefined) sendStrictTransport(app);
  const places = apis.flatMap(({ prefix, api: { name } }) => (name === 'stub' ? [] : [{ start: `${prefix}/`, name }]));
  recordCalls(app, {
    ...parts.recording,
    apiOf: (path) => places.find(({ start }) => path.startsWith(start))?.name ?? 'gateway',
    onEnded(call) {
      parts.recording.onEnded?.(call);
      logCall(log, call);
    },
  });
  traceCalls(app, parts.tracing ?? noTracing);
  const { origins = [], except = () => false } = parts.cors ?? {};
  const covers = (request: FastifyRequest) => places.some(({ start }) => request.url.startsWith(start)) && !except(request);
  if (origins.length > 0) allowOrigins(app, { origins, covers });
  parts.beforeApis?.(app);
  sendTogether(app);
  readUnreadBodies(app);

  const pipeline = {
    count: await parts.counter(app),
    limitRefused: parts.limitRefused ?? (() => {}),
    operationLimits,
    maxWaitMs: settings.MAX_CALL_WAIT_MS,
    documents: parts.documents,
    operations: new Set<string>(),
  };
  for (const { prefix, api } of apis) await app.register(mount(api, { ...pipeline, prefix }), { prefix });
  checkOperationLimits(operationLimits, pipeline.operations);

  for (const page of pages) await app.register(async (scope) => page(scope));
  // An API at the root answers every path that belongs to nothing else.
  if (!apis.some(({ prefix }) => prefix === ''))
    refuseUnknownPaths(app, (path) => documentsHint(path, [...(parts.documents?.keys() ?? [])]) || ' See /docs.');
  return app;
}

function logCall(log: Logger, { id, api, operation, status, durationMs }: EndedCall): void {
  if (!log.isLevelEnabled('debug')) return;
  log.debug({ callId: id, api, operation: operation ?? 'unknown', status, durationMs }, 'call.ended');
}

/** The app of a worker, which makes deliveries and serves only the probes. */
export async function buildWorkerApp(
  parts: Pick<AppParts, 'settings' | 'log'>,
  probes: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> {
  const app = openServer(parts);
  await app.register(probes);
  refuseUnknownPaths(app, () => ' This process is a worker (ROLE): it serves /healthz, /readyz and /metrics.');
  return app;
}

function openServer(
  { settings, transport, log }: Pick<AppParts, 'settings' | 'transport' | 'log'>,
  options: object = {},
): FastifyInstance {
  const app = Fastify({
    ...(transport ?? transportOf(settings)),
    ...options,
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerMalformed,
    // Node's own reply to a request without Host has neither a body nor our headers.
    http: { requireHostHeader: false },
    // Every schema is zod's, which Fastify's types do not foresee here. Without these, Fastify loads compilers for JSON Schema,
    // which takes longer than the whole start.
    schemaController: {
      compilersFactory: { buildValidator: () => validatorCompiler as never, buildSerializer: () => serializerCompiler as never },
    },
    // The options decide between HTTP/1 and HTTP/2, so TypeScript takes the last of Fastify's overloads.
  }) as unknown as FastifyInstance;
  closeGracefully(app, { isBehindProxy: settings.TRUST_PROXY.length > 0 });
  continueWhenRead(app);
  // Node would answer an expectation that it does not know with 417, which no document lists. Servers may ignore it.
  app.server.on('checkExpectation', (request, reply) => app.server.emit('request', request, reply));
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(ofEveryReply);
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalFor(error, request);
    request.refusal = refusal;
    const { code, message } = refusal;
    return reply.code(usualStatus[refusal.kind]).headers(refusal.headers).send({ error: { code, message } });
  });
  return app;
}

/**
 * A child logger for each call would carry the call's id, which every line about a call names itself (`callId`). Fastify's
 * `childLoggerFactory` would not do: Fastify checks the methods of what it returns, at each call.
 */
function withoutChildren(log: Logger): Logger {
  const childless: Logger = Object.create(log, { child: { value: () => childless } });
  return childless;
}

function refuseUnknownPaths(app: FastifyInstance, hintFor: (path: string) => string): void {
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    return reply.code(404).send({ error: { code: 'not_found', message: `There is nothing at ${path}.${hintFor(path)}` } });
  });
}

/** RFC 6797: browsers that received this header use https only. */
function sendStrictTransport(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', 'max-age=31536000');
    done();
  });
}
