import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import { unauthorized } from '../errors.ts';
import type { Api, App, Services } from '../http/api.ts';
import { bearerToken } from '../http/bearer.ts';
import type { Recorder } from '../http/recorder.ts';
import { sameSecret } from '../keyring.ts';
import { callRoutes } from './calls.ts';
import { gapRoutes } from './gaps.ts';
import { verificationRoutes } from './verifications.ts';

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
function documentRefusals(schema: FastifySchema | undefined): void {
  if (!schema) return;
  const { params, body } = schema;
  const statuses = [400, 401, ...(params ? [404] : []), ...(body || params ? [409] : []), ...(body ? [413, 415] : []), 500, 503];
  schema.response = { ...Object.fromEntries(statuses.map((status) => [status, refusal])), ...(schema.response as object) };
}

export interface ManageOptions {
  operatorToken: string;
  recorder: Recorder;
  /** The routes of each part that the operator manages. */
  parts: readonly ((app: App) => void)[];
}

/** The operator's API: what neither document has an endpoint for, and what an operator looks at. */
export function manageApi(services: Services, options: ManageOptions): Api {
  return {
    name: 'manage',
    document: {
      title: 'Passerelle Manage API',
      version: '1.0.0',
      description:
        'For operators: accounts, users, tokens, webhook endpoints, events, deliveries, recorded calls, the gap register, and the back office that moves both domains. ' +
        'Lists are keyset pages, newest first: `limit` rows, and `next` as the `cursor` of the following page.',
    },
    events: [],
    async identify(request) {
      const token = bearerToken(request, "Send the operator's token, which the gateway prints at start.");
      if (!sameSecret(token, options.operatorToken))
        throw unauthorized('invalid_token', "This is not the operator's token of this gateway.");
      return { id: 'operator' };
    },
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
      app.addHook('onRoute', (route) => documentRefusals(route.schema));
      callRoutes(app, services, options.recorder);
      gapRoutes(app);
      verificationRoutes(app, services);
      for (const part of options.parts) part(app);
    },
  };
}
