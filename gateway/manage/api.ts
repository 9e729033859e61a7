import { unauthorized } from '../errors.ts';
import type { Api, App, Services } from '../http/api.ts';
import { bearerToken } from '../http/bearer.ts';
import type { Recorder } from '../http/recorder.ts';
import { sameSecret } from '../keyring.ts';
import { callRoutes } from './calls.ts';
import { gapRoutes } from './gaps.ts';

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
      if (!sameSecret(token, options.operatorToken)) throw unauthorized('invalid_token', "This is not the operator's token of this gateway.");
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
      callRoutes(app, services, options.recorder);
      gapRoutes(app);
      for (const part of options.parts) part(app);
    },
  };
}
