import type { RouteOptions } from 'fastify';
import { registerTokens } from '../api/pos/domain/tokens.ts';
import { forbidden, usualStatus } from '../base/errors.ts';
import type { Api, App, Services } from '../http/api.ts';
import { KnownCredentials, signInGuards } from '../http/session/guard.ts';
import { isForbiddenToViewers } from '../http/session/reading.ts';
import { followCalls } from '../manage/audit/trail.ts';
import { documentRefusals, errorBody, refused } from '../manage/refusals.ts';
import type { ProfileCaller } from './caller.ts';
import { Partners, profileCookie } from './identity.ts';
import type { ProfileServices } from './services.ts';

export interface ProfileOptions {
  sessionHours: number;
  routes: readonly ((app: App, services: ProfileServices) => void)[];
}

/** The API of partners: what belongs to one pos account, or to one user of social cohesion. */
export function profileApi(services: Services, { sessionHours, routes }: ProfileOptions): Api {
  const known = new KnownCredentials();
  const own: ProfileServices = { ...services, partners: new Partners(services, known), sessionHours };
  return {
    name: 'profile',
    document: {
      title: 'Passerelle Profile API',
      version: '1.0.0',
      description:
        'For partners: the credentials, calls and webhooks of one point-of-sale account, or of one user of social cohesion. ' +
        'Sign in with an API key, an access token or a link (`openProfileSession`), or send the token of your API as `Authorization: Bearer`. ' +
        "Whose data a call reads and changes follows from its credential alone: other partners' ids are answered as unknown ones. " +
        'A session from a link for reading is refused every change (403 `read_only_session`).',
    },
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: profileCookie.name,
        description:
          'A sign-in (`openProfileSession`). Changes need the header `x-passerelle-profile` beside it: `1`, or the `owner` whom you expect to be signed in. ' +
          'A call that names another owner than the one signed in is refused (403 `other_partner`).',
      },
    },
    events: [],
    identify: (request) => own.partners.identify(request),
    limits: signInGuards({ name: 'failed-profile-sign-ins', known, fields: ['api_key', 'token', 'link_secret'] }),
    status: usualStatus,
    errorBody,
    routes(app) {
      app.addHook('onRoute', documentRefusals);
      app.addHook('onRoute', documentForbidden);
      registerTokens(app, services.keys);
      // For all routes, so that none can forget it.
      app.addHook('onRequest', async (request) => {
        const caller = request.caller as ProfileCaller | null;
        if (caller?.readOnly && isForbiddenToViewers(request)) throw readOnlySession();
      });
      followCalls(app, services, profileSessions);
      for (const add of routes) add(app, own);
      refuseUnknownPaths(app);
    },
  };
}

/** The page is served at every path below `/profile` that no other route has. */
function refuseUnknownPaths(app: App): void {
  for (const url of ['/', '/*'])
    app.route({
      method: 'GET',
      url,
      config: { isUnknown: true },
      schema: { hide: true },
      handler: async (_request, reply) => reply.callNotFound(),
    });
}

/** Any call can be refused for its owner: reading too. */
function documentForbidden({ schema }: RouteOptions): void {
  if (schema) schema.response = { 403: refused, ...(schema.response as object) };
}

const readOnlySession = () =>
  forbidden(
    'read_only_session',
    'This session may only read. Sign in with your own credential, or ask the operator for another link.',
  );

/** The operations of sign-in and sign-out, and the refusals that are failed attempts. */
const profileSessions = {
  opens: 'openProfileSession',
  closes: 'closeProfileSession',
  failures: new Set(['wrong_credentials', 'token_unknown', 'link_unknown', 'link_used', 'link_expired']),
};
