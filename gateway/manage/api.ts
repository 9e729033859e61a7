import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Api, App, Services } from '../http/api.ts';
import type { Recorder } from '../http/recorder.ts';
import { callRoutes } from './calls.ts';
import { gapRoutes } from './gaps.ts';
import { identify, refuseViewer, signInGuard } from './operators/identity.ts';
import { operatorRoutes } from './operators/routes.ts';
import { sessionRoutes } from './operators/session-routes.ts';

const refusal = z
  .object({
    error: z.object({
      code: z.string().describe('A stable reason, such as `not_found` or `illegal_move`.'),
      message: z.string(),
      details: z
        .array(z.object({ field: z.string(), rule: z.string(), message: z.string() }))
        .describe('An illegal move has the legal ones under `legal_moves`.'),
      docs: z.string(),
    }),
  })
  .describe('Refused: the code says why, the message what to do.');

/** Every route refuses in the same shape; each document says so without each route saying it. */
function documentRefusals({ schema, method }: RouteOptions): void {
  if (!schema) return;
  const { params, body } = schema;
  const changes = method !== 'GET' && method !== 'HEAD';
  const ofInput = [...(params ? [404] : []), ...(body || params ? [409] : []), ...(body ? [413, 415] : [])];
  const statuses = [400, 401, ...(changes ? [403] : []), ...ofInput, 429, 500, 503];
  schema.response = { ...Object.fromEntries(statuses.map((status) => [status, refusal])), ...(schema.response as object) };
}

export interface ManageOptions {
  operatorToken: string;
  sessionHours: number;
  recorder: Recorder;
  /** The routes of each part that the operator manages. */
  parts: readonly ((app: App) => void)[];
}

/** The operator's API: what neither document has an endpoint for, and what an operator looks at. */
export function manageApi(services: Services, options: ManageOptions): Api {
  const identity = { services, ...options };
  return {
    name: 'manage',
    document: {
      title: 'Passerelle Manage API',
      version: '1.0.0',
      description:
        'For operators, and for viewers, who may only look (403 `viewer_cannot_change`): accounts, users, tokens, webhook endpoints, events, deliveries, recorded calls, the gap register, and the back office that moves both domains. ' +
        'Lists are keyset pages, newest first: `limit` rows, and `next` as the `cursor` of the following page.',
    },
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'passerelle_session',
        description: "The console's sign-in (`openSession`). Changes need the header `x-passerelle-console: 1` beside it.",
      },
    },
    events: [],
    identify: (request) => identify(identity, request),
    guards: [signInGuard],
    limits: [],
    status: {
      invalid: 400,
      unauthorized: 401,
      forbidden: 403,
      not_found: 404,
      conflict: 409,
      too_large: 413,
      media_type: 415,
      limited: 429,
      unavailable: 503,
      internal: 500,
    },
    errorBody: (refusal) => ({
      error: { code: refusal.code, message: refusal.message, details: refusal.details, docs: '/docs/manage.json' },
    }),
    routes(app) {
      app.addHook('onRoute', documentRefusals);
      app.addHook('onRequest', async (request) => refuseViewer(request));
      sessionRoutes(app, identity);
      operatorRoutes(app, services);
      callRoutes(app, services, options.recorder);
      gapRoutes(app);
      for (const part of options.parts) part(app);
    },
  };
}
