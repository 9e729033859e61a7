import { usualStatus } from '../base/errors.ts';
import type { Api, App, Services } from '../http/api.ts';
import type { CallRecords } from '../http/record/recorder.ts';
import { followCalls } from './audit/trail.ts';
import { callRoutes } from './calls/routes.ts';
import { gapRoutes } from './gaps/routes.ts';
import { KnownCredentials, signInGuards } from './operators/guard.ts';
import { identify, refuseViewer } from './operators/identity.ts';
import { operatorRoutes } from './operators/routes.ts';
import { sessionRoutes } from './operators/session-routes.ts';
import { documentRefusals } from './refusals.ts';
import { verificationRoutes } from './verifications/routes.ts';
import { viewRoutes } from './views/routes.ts';

export interface ManageOptions {
  operatorToken: string;
  sessionHours: number;
  records: CallRecords;
  /** Routes that depend on what the gateway serves. */
  parts: readonly ((app: App) => void)[];
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
        'For operators, and for viewers, who may only read (403 `viewer_cannot_change`): accounts, users, tokens, webhook endpoints, events, deliveries, recorded calls, the gap register, and the back office of both domains. ' +
        'Lists are keyset pages, newest first: `limit` rows, and `next`, which is the `cursor` of the following page.',
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
    limits: signInGuards(known),
    status: usualStatus,
    errorBody: (refusal) => ({
      error: { code: refusal.code, message: refusal.message, details: refusal.details, docs: '/docs/manage.json' },
    }),
    routes(app) {
      app.addHook('onRoute', documentRefusals);
      app.addHook('onRequest', async (request) => refuseViewer(request));
      followCalls(app, services);
      sessionRoutes(app, identity);
      operatorRoutes(app, services);
      callRoutes(app, services, options.records);
      gapRoutes(app);
      verificationRoutes(app, services);
      viewRoutes(app, services);
      for (const part of options.parts) part(app);
    },
  };
}
