import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { type AppParts, buildApp } from '../../gateway/app.ts';
import { Refusal, usualStatus } from '../../gateway/base/errors.ts';
import type { Api } from '../../gateway/http/api.ts';
import { named } from '../../gateway/http/fields.ts';
import { assumeRoutes } from '../assume/routes.ts';
import { FaultError } from '../faults/errors.ts';
import { refuseStrangers } from '../strangers.ts';
import { worldRoutes } from '../worlds/routes.ts';
import { callRoutes } from './calls.ts';
import type { ControlParts } from './parts.ts';
import { controlRoutes } from './routes.ts';

type AppSettings = Pick<AppParts, 'settings' | 'log'>;

const prefix = '/_stub';

/**
 * The app of `/_stub`, by which other programs, such as `passerelle trigger`, and the stub's page control a running stub. On this
 * machine they need no token; other machines need the operator's. Pages of other origins are refused.
 */
export const openControlApp = (parts: ControlParts, settings: AppSettings) =>
  buildApp({
    ...settings,
    recording: { sinks: [] },
    counter: async () => () => null,
    apis: [{ prefix, api: controlApi(parts, settings) }],
  });

/** Returns the OpenAPI document of `/_stub`. */
export async function controlDocument(settings: AppSettings): Promise<object> {
  const documents = new Map<string, () => unknown>();
  // No call is made, so no route asks for the parts.
  const api = controlApi({} as ControlParts, settings);
  const app = await buildApp({
    ...settings,
    documents,
    recording: { sinks: [] },
    counter: async () => () => null,
    apis: [{ prefix, api }],
  });
  await app.ready();
  const document = documents.get(api.name)?.() as object;
  await app.close();
  return { ...document, security: [{}, { bearer: [] }] };
}

const controlApi = ({ stub, about, journal, closing }: ControlParts, settings: AppSettings): Api => ({
  name: 'stub',
  document: {
    title: 'Control API of a stub',
    version: '1',
    description:
      'Controls a running stub. Programs on its machine and its own page need no token; other pages and other machines need the operator token.',
  },
  events: [],
  identify(request) {
    refuseStrangers(request, stub.operatorToken);
    return { id: 'operator' };
  },
  limits: [],
  status: usualStatus,
  errorBody: bodyOfRefusal,
  routes(app) {
    app.addHook('onRoute', describeRoute);
    app.setErrorHandler((error) => {
      throw asRefusal(error);
    });
    app.get('/openapi.json', { schema: { summary: 'This document', response: { 200: z.unknown() } } }, async () => ({
      ...(await controlDocument(settings)),
      servers: [{ url: `${about().url}${prefix}` }],
    }));
    controlRoutes(app, { stub, about: () => ({ ...about(), received: journal.size }) });
    assumeRoutes(app, stub);
    callRoutes(app, { stub, journal, closing });
    worldRoutes(app, stub);
  },
});

const refused = named('StubRefusal', {
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .describe('The wrong fields, each with its message.'),
  }),
});

const noQuery = z.strictObject({});
const anyData = z.looseObject({ data: z.unknown() });

/**
 * Adds what all routes have in common: a name made of the route, its replies, and that it takes no unknown query, because a misspelt
 * filter would select everything. `/_stub` records none of its calls.
 */
function describeRoute(route: RouteOptions): void {
  route.config = { ...route.config, recorded: false };
  // A HEAD shares the schema of its GET.
  if (route.method === 'HEAD' || route.schema?.hide) return;
  const name = `${route.method} ${route.url}`.replaceAll(/[^A-Za-z]+(\w)?/g, (_, first = '') => first.toUpperCase());
  route.schema ??= {};
  const status = route.config.replyStatus ?? 200;
  Object.assign(route.schema, {
    querystring: (route.schema.querystring as z.ZodObject | undefined)?.strict() ?? noQuery,
    operationId: `stub${name}`,
    tags: ['Control'],
    response: {
      [status]: anyData,
      default: { description: 'Refused.', content: { 'application/json': { schema: refused } } },
      ...(route.schema.response as object),
    },
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The status of a route's successful replies. Default: 200. */
    replyStatus?: number;
  }
}

type Request = Parameters<Api['errorBody']>[1];

/** Converts an error of a stub's operation to a refusal. */
function asRefusal(error: unknown): unknown {
  if (error instanceof CouldNotRun) return new Refusal('invalid', 'invalid', error.message);
  if (!(error instanceof FaultError)) return error;
  const details = error.details.map(({ field, message }) => ({
    field: ['rule', field].filter(Boolean).join('.'),
    rule: 'invalid',
    message,
  }));
  return new Refusal('invalid', 'invalid', error.message, { details });
}

/** The codes of `/_stub` that differ from those of the other APIs. */
const ownCodes: Readonly<Record<string, string>> = { invalid_request: 'invalid', unknown_operation: 'not_found' };

function bodyOfRefusal({ kind, code, message, details, cause }: Refusal, { routeOptions: { schema } }: Request) {
  // The reply has the error's own message, because a stub's log is silent, and its user needs to know what went wrong.
  if (kind === 'internal') return { error: { code: 'error', message: (cause as Error).message } };
  const shown = details.map(({ field, message }) => ({ field, message }));
  const { examples } = (schema?.body as z.ZodType | undefined)?.meta() ?? {};
  const shows = (example: object) => details.some(({ field }) => (field.split('.')[0] ?? '') in example);
  const [first, ...others] = Object.values((examples ?? []) as object);
  const hint =
    code === 'invalid_request' && first ? `. Send JSON such as ${JSON.stringify([first, ...others].find(shows) ?? first)}` : '';
  return { error: { code: ownCodes[code] ?? code, message: `${message}${hint}`, ...(shown.length > 0 && { details: shown }) } };
}
