import { usualStatus } from '../base/errors.ts';
import type { Api, App, Services } from '../http/api.ts';
import { KnownCredentials, signInGuards } from '../http/session/guard.ts';
import { followCalls, operatorSessions } from './audit/trail.ts';
import { identify, operatorCookie, refuseViewer } from './operators/identity.ts';
import type { IdentityParts } from './operators/sessions.ts';
import { documentRefusals, errorBody } from './refusals.ts';

export interface ManageOptions {
  operatorToken: string;
  sessionHours: number;
  routes: readonly ((app: App, identity: IdentityParts) => void)[];
}

/** The operator's API: everything that neither partner document has an endpoint for. */
export function manageApi(services: Services, options: ManageOptions): Api {
  const known = new KnownCredentials();
  const identity = { services, known, ...options };
  return {
    name: 'manage',
    document: {
      title: 'Passerelle Manage API',
      version: '1.0.0',
      description:
        'For operators, and for viewers, who may only read (403 `viewer_cannot_change`): accounts, users, tokens, webhook endpoints, events, deliveries, recorded calls, and the back office of both domains. ' +
        'Lists are keyset pages, newest first: `limit` rows, and `next`, which is the `cursor` of the following page.',
    },
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: operatorCookie.name,
        description: "The console's sign-in (`openSession`). Changes need the header `x-passerelle-console: 1` beside it.",
      },
    },
    events: [],
    identify: (request) => identify(identity, request),
    limits: signInGuards({ name: 'failed-sign-ins', known, fields: ['credential'] }),
    status: usualStatus,
    errorBody,
    routes(app) {
      app.addHook('onRoute', documentRefusals);
      app.addHook('onRequest', async (request) => refuseViewer(request));
      followCalls(app, services, operatorSessions);
      for (const routes of options.routes) routes(app, identity);
    },
  };
}
