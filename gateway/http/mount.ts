import type { FastifyContextConfig, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { type Detail, Refusal, type RefusalKind } from '../base/errors.ts';
import { StoreUnavailable } from '../store/port.ts';
import type { Api, App, LimitRule } from './api.ts';
import { type Count, countFailedLogin, limitCall, refuseLockedOut } from './limit/limit.ts';

/** What every API's way of a request has in common. */
export interface Way {
  count: Count;
  /** Called for each refusal by a limit. */
  limitRefused(api: string, rule: string): void;
  /** Limits that the settings add to single operations, by operation name. */
  operationLimits: ReadonlyMap<string, LimitRule>;
  /** Where the API is mounted: what its document's addresses are relative to. */
  prefix: string;
  /** Where each API leaves its OpenAPI document, by the API's name; none is made where it is left out. */
  documents?: Map<string, () => unknown> | undefined;
  /** Where each API leaves the names of its operations. */
  operations: Set<string>;
}

/**
 * Serves one API: identify -> limit -> validate -> verb -> reply. Refusals of every kind get their status and body
 * from the API, so that what the document says holds for each of them.
 */
export function mount(api: Api, way: Way) {
  return async (scope: FastifyInstance): Promise<void> => {
    scope.setValidatorCompiler(validatorCompiler);
    scope.setSerializerCompiler(serializerCompiler);
    if (way.documents) await document(scope, api, { ...way, documents: way.documents });
    const refused = (rule: string) => way.limitRefused(api.name, rule);
    scope.addHook('onRoute', (route) => {
      const operation = route.schema?.operationId;
      if (operation !== undefined) way.operations.add(operation);
      const rules = rulesOf(api, route.config, way.operationLimits.get(operation ?? ''));
      route.config = { ...route.config, rules, guards: route.config?.public ? [] : (api.guards ?? []) };
    });

    scope.addHook('onRequest', async (request, reply) => {
      // Every reply is of this moment, and some carry secrets (cohesion, section 1: every call is served live).
      reply.header('cache-control', 'no-store');
      if (request.is404) return;
      const { config } = request.routeOptions;
      if (config.guards?.length) await refuseLockedOut(request, reply, config.guards, way.count, refused);
      if (!config.public) request.caller = await api.identify(request);
      if (config.rules?.length) await limitCall(request, reply, config.rules, way.count, refused);
    });
    scope.setErrorHandler(async (error: FastifyError, request, reply) => {
      const refusal = asRefusal(error, request);
      const { rules = [], guards = [] } = request.routeOptions.config;
      if (refusal.kind === 'unauthorized') await countFailedLogin(request, [...guards, ...rules], way.count);
      return answerRefusal(api, refusal, request, reply);
    });
    scope.setNotFoundHandler((request, reply) => answerRefusal(api, unknownRoute(scope, request), request, reply));

    await scope.register(async (routes) => api.routes(routes as unknown as App));
  };
}

async function document(
  scope: FastifyInstance,
  api: Api,
  { documents, prefix }: Pick<Way, 'prefix'> & Required<Pick<Way, 'documents'>>,
) {
  const [{ default: fastifySwagger }, { openApiOptions }] = await Promise.all([
    import('@fastify/swagger'),
    import('./openapi.ts'),
  ]);
  await scope.register(fastifySwagger, openApiOptions(api, prefix));
  documents?.set(api.name, () => scope.swagger());
}

/** The limits of a route, in the order in which they are counted. Those of the API are on callers, which a public route has not. */
function rulesOf(api: Api, config: FastifyContextConfig = {}, added: LimitRule | undefined): LimitRule[] {
  return [...(config.public ? [] : api.limits), ...(config.limits ?? []), ...(added ? [added] : [])];
}

function answerRefusal(api: Api, refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.refusal = refusal;
  // Refusals have no response schema of their own to be cut by: their one shape is the API's.
  return reply
    .code(api.status[refusal.kind])
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(api.errorBody(refusal, request));
}

/** Fastify's own errors, by code: what kind of refusal each is, and what its caller can do. */
const transportErrors: Record<string, { kind: RefusalKind; code: string; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    kind: 'media_type',
    code: 'unsupported_media_type',
    message: 'Send the body as JSON, with Content-Type: application/json.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    kind: 'too_large',
    code: 'body_too_large',
    message: 'The body is larger than this gateway takes.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { kind: 'invalid', code: 'empty_body', message: 'The body is empty. Send a JSON object.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    kind: 'invalid',
    code: 'invalid_content_length',
    message: 'The body does not have the length that Content-Length says.',
  },
};

function asRefusal(error: FastifyError, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return fromValidation(error.validation, error.validationContext);
  const known = transportErrors[error.code];
  if (known)
    return new Refusal(known.kind, known.code, known.message, {
      details: [{ field: 'body', rule: known.code, message: known.message }],
    });
  if (error instanceof StoreUnavailable) {
    request.log.error({ err: error, callId: request.id }, 'store.unavailable');
    return new Refusal('unavailable', 'unavailable', 'The gateway cannot reach its database. Nothing was done; try again.', {
      headers: { 'retry-after': '5' },
    });
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
    `Something went wrong in the gateway. Its log tells more under call ${request.id}.`,
    { cause: error },
  );
}

interface Issue {
  keyword: string;
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

function fromValidation(issues: readonly unknown[], context: string | undefined): Refusal {
  const details = (issues as Issue[]).flatMap((issue) => detailsOf(issue, context ?? 'body'));
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new Refusal('invalid', 'invalid_request', `${first?.field}: ${first?.message}${more}`, { details });
}

function detailsOf(issue: Issue, context: string): Detail[] {
  const path = issue.instancePath.split('/').filter(Boolean);
  const surplus = issue.params.keys;
  if (issue.keyword === 'unrecognized_keys' && Array.isArray(surplus)) {
    return surplus.map((key) => ({
      field: [...path, String(key)].join('.'),
      rule: 'unknown_field',
      message: 'is not a field of this request',
    }));
  }
  const rule = (issue.params.params as { rule?: string } | undefined)?.rule ?? issue.keyword;
  return [
    { field: path.join('.') || (context === 'querystring' ? 'query' : context), rule, message: issue.message ?? 'is not valid' },
  ];
}

function unknownRoute(scope: FastifyInstance, request: FastifyRequest): Refusal {
  const path = request.url.split('?')[0] ?? '';
  const methods = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => scope.findRoute({ url: path, method }));
  const hint = methods.length > 0 ? ` This path takes ${methods.join(', ')}.` : ' See /docs for the operations.';
  return new Refusal(
    'not_found',
    'unknown_operation',
    `There is no ${request.method} ${request.originalUrl.split('?')[0]}.${hint}`,
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the call was refused, for its record. */
    refusal: Refusal | null;
  }
}
