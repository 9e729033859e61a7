import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import type { App } from '../../http/api.ts';
import { instant, text, toInstant } from '../../http/fields.ts';
import { operatorRoles } from '../../store/tables/operating.ts';
import { refused } from '../refusals.ts';
import { noCookie, sessionCookie, sessionIdOf } from './cookie.ts';
import { refuseForeignPage } from './forgery.ts';
import { callerOf } from './identity.ts';
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
  app.route({
    method: 'GET',
    url: '/session',
    schema: {
      operationId: 'readSession',
      tags,
      summary: 'Who is signed in',
      description: 'Refused with `token_missing` if nobody is signed in, and with `session_expired` if the session has ended.',
      response: { 200: z.object({ data: session }), 404: refused },
    },
    handler: async (request) => ({ data: sessionView(callerOf(request)) }),
  });
  app.route({
    method: 'DELETE',
    url: '/session',
    config: { forViewers: true },
    schema: {
      operationId: 'closeSession',
      tags,
      summary: 'Sign out',
      description: 'Ends the session and deletes the cookie.',
      response: { 204: z.null().describe('Signed out.'), 404: refused },
    },
    handler: async (request, reply) => {
      await closeSession(parts.services.store, sessionOf(callerOf(request)).idHash);
      return reply.code(204).header('set-cookie', noCookie(request)).send(null);
    },
  });
}

function openRoute(app: App, parts: IdentityParts): void {
  app.route({
    method: 'POST',
    url: '/session',
    config: { public: true },
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
      const opened = await openSession(parts, { credential, ip: request.ip, before: sessionIdOf(request) });
      // The recorded call shows who signed in.
      request.caller = opened.caller;
      const cookie = sessionCookie(request, opened.sessionId, parts.sessionHours * 3600);
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

function sessionOf({ session: found }: OperatorCaller) {
  if (!found) throw notFound('session', 'This call used a bearer credential, which has no session.');
  return found;
}
