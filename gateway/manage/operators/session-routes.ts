import { z } from 'zod';
import type { App } from '../../http/api.ts';
import { instant, text, toInstant } from '../../http/fields.ts';
import { setsCookie } from '../../http/session/cookie.ts';
import { refuseForeignPage } from '../../http/session/forgery.ts';
import { operatorRoles } from '../../store/tables/operating.ts';
import { ownSessionRoutes, sessionOf } from '../session-routes.ts';
import { callerOf, operatorCookie } from './identity.ts';
import { closeSession, type IdentityParts, type OperatorCaller, openSession } from './sessions.ts';

const tags = ['Session'];

const session = z.object({
  operator: z.object({
    id: z.string().nullable().describe("Null for the installation's own token."),
    name: z.string().describe("`operator` for the installation's own token."),
    role: z.enum(operatorRoles).describe('A viewer may only read.'),
  }),
  expires_at: instant().describe('When the session ends, whether it is used or not.'),
});

const signIn = z.strictObject({
  credential: text(200).describe('The operator token that the gateway prints at start, or the credential of a named operator.'),
});

/** Signing in to the console and signing out. */
export function sessionRoutes(app: App, parts: IdentityParts): void {
  openRoute(app, parts);
  ownSessionRoutes(app, {
    operations: { read: 'readSession', close: 'closeSession' },
    tags,
    cookie: operatorCookie,
    shape: session,
    view: (request) => sessionView(callerOf(request)),
    close: (request) => closeSession(parts.services.store, sessionOf(callerOf(request)).idHash),
  });
}

function openRoute(app: App, parts: IdentityParts): void {
  app.route({
    method: 'POST',
    url: '/session',
    config: { public: true, replyHeaders: setsCookie },
    onRequest: async (request) => refuseForeignPage(request),
    schema: {
      operationId: 'openSession',
      tags,
      summary: 'Sign in',
      description:
        'Sets the cookie `passerelle_session`. A change made with the cookie needs the header `x-passerelle-console: 1`, and must not come from a page of another site. ' +
        'After 10 failed attempts in 15 minutes, further attempts from that address (an IPv6 /48 counts as one) or with that credential are refused. ' +
        'Failed bearer credentials count too. Sessions, and bearer credentials that were right before, keep working.',
      security: [],
      body: signIn,
      response: { 201: z.object({ data: session }) },
    },
    handler: async (request, reply) => {
      const { credential } = request.body;
      const opened = await openSession(parts, { credential, ip: request.ip, before: operatorCookie.idIn(request) });
      // The recorded call shows who signed in.
      request.caller = opened.caller;
      const cookie = operatorCookie.set(request, opened.sessionId, parts.sessionHours * 3600);
      return reply
        .code(201)
        .header('set-cookie', cookie)
        .send({ data: sessionView(opened.caller) });
    },
  });
}

function sessionView(caller: OperatorCaller): z.infer<typeof session> {
  const { operatorId, name, role } = caller;
  return { operator: { id: operatorId, name, role }, expires_at: toInstant(sessionOf(caller).expiresAt) };
}
