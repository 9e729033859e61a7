import type {
  FastifyContextConfig,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import { hasZodFastifySchemaValidationErrors, serializerCompiler } from 'fastify-type-provider-zod';
import { type Detail, invalid, mostDetails, Refusal, type RefusalKind } from '../base/errors.ts';
import { asCall } from '../base/in-call.ts';
import { StoreTooSlow, StoreUnavailable } from '../store/port.ts';
import type { Api, Caller, LimitRule, LimitRules } from './api.ts';
import { publicBodyBytes } from './body-bounds.ts';
import { CallQueue } from './call-queue.ts';
import { arrivedBody } from './incoming.ts';
import { type Count, type Limiter, limiter, limitRules } from './limit/limit.ts';
import { messageOf, notAField, shortened, type ValidationIssue } from './messages.ts';
import { ofEveryCall } from './reply-headers.ts';
import { validatorOf } from './validators.ts';

/** Options of the request pipeline. All APIs share them but `prefix`. */
export interface PipelineOptions {
  count: Count;
  limitRefused(api: string, rule: string): void;
  /** Limits that the settings add to single operations, by operation name. */
  operationLimits: ReadonlyMap<string, LimitRule>;
  /** The longest that a call waits until it is handled. */
  maxWaitMs: number;
  /** The path the API is mounted at. The addresses in its document are relative to it. */
  prefix: string;
  /** `mount` adds the OpenAPI document of the API, by its name. Without it no document is generated. */
  documents?: Map<string, () => unknown> | undefined;
  /** `mount` adds the names of the API's operations. */
  operations: Set<string>;
}

/**
 * Serves one API: limits by address -> identify -> limits -> validate -> verb -> reply. The API chooses the status and body
 * of every refusal, including Fastify's own, so that all of them match its document.
 */
export function mount(api: Api, options: PipelineOptions) {
  return async (scope: FastifyInstance): Promise<void> => {
    scope.setValidatorCompiler(validatorOf);
    scope.setSerializerCompiler(serializerCompiler);
    if (options.documents) await makeDocument(scope, api, options.prefix, options.documents);
    const limits = limiter(options.count, (rule) => options.limitRefused(api.name, rule));
    const calls = new CallQueue(options.maxWaitMs);
    const paths: Path[] = [];
    scope.addHook('onRoute', (route) => {
      const operation = route.schema?.operationId;
      if (operation !== undefined) options.operations.add(operation);
      if (!route.config?.isUnknown) paths.push(route);
      const rules = rulesOf(api, route.config, options.operationLimits.get(operation ?? ''));
      route.config = { ...route.config, rules };
      // A caller who has not signed in can make the gateway read and judge this much.
      if (route.config.public) route.bodyLimit = Math.min(publicBodyBytes, scope.initialConfig.bodyLimit ?? publicBodyBytes);
      if (!route.config.streams) route.handler = queued(route.handler, calls);
      if (rules.login.length > 0) route.handler = guarded(route.handler, rules.login, limits);
    });

    scope.addHook('onRequest', admission(api, limits));
    scope.setErrorHandler(async (error: FastifyError, request, reply) => {
      const refusal = refusalFor(error, request);
      try {
        await limits.countRefused(guardsOf(refusal, request), request);
      } finally {
        request.endTurn?.();
      }
      return sendRefusal(api, refusal, request, reply);
    });
    scope.setNotFoundHandler((request, reply) => {
      const hint = documentsHint(request.originalUrl, options.documents ? [api.name] : []) || ' See /docs for the operations.';
      return sendRefusal(api, unknownRoute(paths, request, hint), request, reply);
    });

    await scope.register(async (routes) => api.routes(routes));
  };
}

/**
 * Checks the limits and identifies the caller. A promise for each call is costly, and memory answers at once. So this waits only
 * if it gets a promise.
 */
function admission(api: Api, limits: Limiter): onRequestHookHandler {
  return (request, reply, done) => {
    reply.headers(ofEveryCall);
    if (request.is404) return done();
    // RFC 9112, section 3.2. Node's own reply would have neither a body nor our headers.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw invalid('host', 'host_missing', 'An HTTP/1.1 request needs the header Host.');
    const { rules = noRules, public: isPublic, isUnknown } = request.routeOptions.config;
    if (isUnknown) return done();
    const { 'before-identity': before, 'after-identity': after } = rules;
    const checkCaller = (caller: Caller | null) => {
      request.caller = caller;
      request.endTurn?.();
      return after.length > 0 ? limits.check(after, request, reply) : undefined;
    };
    if (before.length > 0) {
      return (async () => {
        if (!isPublic) await limits.takeTurn(before, request);
        await limits.check(before, request, reply);
        await checkCaller(isPublic ? null : await asCall(() => api.identify(request)));
      })();
    }
    const caller = isPublic ? null : asCall(() => api.identify(request));
    const checking = caller instanceof Promise ? caller.then(checkCaller) : checkCaller(caller);
    if (checking instanceof Promise) return checking;
    done();
  };
}

async function makeDocument(scope: FastifyInstance, api: Api, prefix: string, documents: Map<string, () => unknown>) {
  const [{ default: fastifySwagger }, { openApiOptions }] = await Promise.all([
    import('@fastify/swagger'),
    import('./openapi.ts'),
  ]);
  await scope.register(fastifySwagger, openApiOptions(api, prefix));
  documents.set(api.name, () => scope.swagger());
}

const noRules = limitRules([]);

/** A call that is refused for one of these guessed no credential. */
const malformed = new Set(['wrong_scheme', 'token_malformed']);

/** The rules that count a refused call. */
function guardsOf({ kind, code }: Refusal, { routeOptions }: FastifyRequest): readonly LimitRule[] {
  if (kind !== 'unauthorized' || malformed.has(code)) return [];
  return (routeOptions.config.rules ?? noRules)['login-failed'];
}

/** The limits of a route. On a public route the API's limits on callers do not hold. */
function rulesOf(api: Api, config: FastifyContextConfig = {}, added: LimitRule | undefined): LimitRules {
  const ofApi = config.public ? limitRules(api.limits)['before-identity'] : api.limits;
  return limitRules([...ofApi, ...(config.limits ?? []), ...(added ? [added] : [])], config.public);
}

/** A handler that waits for room. The body has arrived by then, so nobody takes up room by sending slowly. */
function queued(handler: RouteHandlerMethod, calls: CallQueue): RouteHandlerMethod {
  return function handle(request, reply) {
    return calls.run(() => handler.call(this, request, reply));
  };
}

/**
 * A handler that logs in when its turn comes. Its limits were checked before the body was read, and are again, because other
 * logins may have failed in between. After a refusal the error handler ends the turn.
 */
function guarded(handler: RouteHandlerMethod, rules: readonly LimitRule[], limits: Limiter): RouteHandlerMethod {
  return async function login(request, reply) {
    await limits.takeTurn(rules, request);
    await limits.check(rules, request, reply);
    const result = await handler.call(this, request, reply);
    request.endTurn?.();
    return result;
  };
}

async function sendRefusal(api: Api, refusal: Refusal, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  request.refusal = refusal;
  // Node parses a body that came with the headers after they were handled, and the record of a refused call shows it too.
  await undefined;
  request.rawBody ??= arrivedBody(request.raw);
  const body = await api.errorBody(refusal, request);
  // A route's response schemas would drop fields: every refusal has the API's own shape.
  return reply
    .code(api.status[refusal.kind])
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}

/** Fastify's errors by code: the kind of refusal, and what the caller can do. */
const transportErrors: Record<string, { kind: RefusalKind; code: string; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    kind: 'media_type',
    code: 'unsupported_media_type',
    message: 'Send the body as JSON in UTF-8, not compressed, with Content-Type: application/json.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    kind: 'too_large',
    code: 'body_too_large',
    message: 'The body is larger than this gateway accepts.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { kind: 'invalid', code: 'empty_body', message: 'The body is empty. Send a JSON object.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    kind: 'invalid',
    code: 'invalid_content_length',
    message: 'The length of the body differs from Content-Length.',
  },
};

export function refusalFor(error: FastifyError, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const isMissing = error.validationContext === 'body' && (request.body ?? request.rawBody ?? null) === null;
    return isMissing ? missingBody() : validationRefusal(error.validation, request, error.validationContext);
  }
  const known = transportErrors[error.code];
  if (known)
    return new Refusal(known.kind, known.code, known.message, {
      details: [{ field: 'body', rule: known.code, message: known.message }],
    });
  if (error instanceof StoreTooSlow) {
    request.log.error({ err: error, callId: request.id }, 'store.too_slow');
    const less = request.method === 'GET' ? 'Ask for less, such as a shorter period, or try' : 'Try';
    const message = `${error.message} Nothing was done. ${less} again later.`;
    return new Refusal('unavailable', 'query_timeout', message, { retryAfterSeconds: 30 });
  }
  if (error instanceof StoreUnavailable) {
    request.log.error({ err: error, callId: request.id }, 'store.unavailable');
    return new Refusal('unavailable', 'unavailable', 'The gateway cannot reach its database. Nothing was done; try again.');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Refusal('invalid', 'malformed_request', error.message, {
      details: [{ field: 'body', rule: 'malformed_request', message: error.message }],
    });
  }
  request.log.error({ err: error, callId: request.id }, 'call.failed');
  return new Refusal(
    'internal',
    'internal_error',
    `The gateway failed to answer this call. Its log has the cause under ${request.id}.`,
    { cause: error },
  );
}

function missingBody(): Refusal {
  const message = 'is missing; a JSON body is expected, with Content-Type: application/json';
  return new Refusal('invalid', 'invalid_request', `body: ${message}`, {
    details: [{ field: 'body', rule: 'invalid_type', message }],
  });
}

/** Names every unknown field: one that was misspelt often explains why another is missing. */
function validationRefusal(issues: readonly unknown[], request: FastifyRequest, context = 'body'): Refusal {
  const all = issues as ValidationIssue[];
  const part = context === 'querystring' ? 'query' : context;
  const sent = request[part as 'body' | 'query' | 'params' | 'headers'];
  const details = all.slice(0, mostDetails).flatMap((issue) => detailsOf(issue, part, sent));
  const mistakes = all.reduce((sum, issue) => sum + (unknownFieldsOf(issue)?.length ?? 1), 0);
  const unknown = details.filter(({ rule }) => rule === 'unknown_field');
  const named = unknown.length > 0 ? unknown : details.slice(0, 1);
  const more = mistakes > named.length ? ` (and ${mistakes - named.length} more)` : '';
  const message = named.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
  return new Refusal('invalid', 'invalid_request', `${message}${more}`, { details, mistakes });
}

/** The names of the unknown fields that an issue is about; undefined for any other issue. */
const unknownFieldsOf = ({ keyword, params: { keys } }: ValidationIssue): readonly unknown[] | undefined =>
  keyword === 'unrecognized_keys' && Array.isArray(keys) ? keys : undefined;

function detailsOf(issue: ValidationIssue, part: string, sent: unknown): Detail[] {
  const path = issue.instancePath.split('/').filter(Boolean).map(shortened);
  const keys = unknownFieldsOf(issue);
  if (keys) {
    const known = issue.params.known as string[];
    return keys.slice(0, mostDetails).map((key) => ({
      field: [...path, shortened(String(key))].join('.'),
      rule: 'unknown_field',
      message: notAField(String(key), known),
    }));
  }
  const rule = (issue.params.params as { rule?: string } | undefined)?.rule ?? issue.keyword;
  return [{ field: path.join('.') || part, rule, message: messageOf(issue, sent) }];
}

/** Says where OpenAPI documents are, if a path looks like that of one: programs look for them at many places. Otherwise ''. */
export function documentsHint(url: string, names: readonly string[]): string {
  const isLike = /^\/docs\b|openapi|swagger|api-docs|\.(json|ya?ml)$/i.test(url.split('?')[0] ?? '');
  if (!isLike || names.length === 0) return '';
  return ` The OpenAPI document${names.length > 1 ? 's are' : ' is'} at ${names.map((name) => `/docs/${name}.json`).join(', ')}.`;
}

/** A path with its methods. A part that begins with `:` stands for any value. */
type Path = Pick<RouteOptions, 'method' | 'url'>;

function isAt(url: string, path: string): boolean {
  const [parts, sent] = [url.split('/'), path.split('/')];
  return parts.length === sent.length && parts.every((part, at) => part.startsWith(':') || part === sent[at]);
}

function unknownRoute(paths: readonly Path[], request: FastifyRequest, otherwise: string): Refusal {
  const path = request.url.split('?')[0] ?? '';
  const taken = new Set(paths.filter(({ url }) => isAt(url, path)).flatMap(({ method }) => method));
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => taken.has(method));
  const hint = methods.length > 0 ? ` This path takes ${methods.join(', ')}.` : otherwise;
  return new Refusal(
    'not_found',
    'unknown_operation',
    `There is no ${request.method} ${request.originalUrl.split('?')[0]}.${hint}`,
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The refusal of the call, for its record. */
    refusal: Refusal | null;
  }
}
