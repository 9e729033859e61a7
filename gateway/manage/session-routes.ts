import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../base/errors.ts';
import type { App, Caller, Services } from '../http/api.ts';
import { routesOf } from '../http/routes.ts';
import { type SessionCookie, setsCookie } from '../http/session/cookie.ts';
import { refuseForeignPage } from '../http/session/forgery.ts';
import { refused } from './refusals.ts';
import { closeSession, type NewSession, type OwnSession, openSession, type SessionTable } from './sessions.ts';

interface SessionRoutes<B extends z.ZodType, T extends SessionTable> {
  services: Pick<Services, 'store' | 'clock'>;
  table: T;
  cookie: SessionCookie;
  hours: number;
  operations: { open: string; read: string; close: string };
  /** The description of signing in, for the OpenAPI document. */
  description: string;
  body: B;
  /** What a session looks like. */
  shape: z.ZodType;
  view(request: FastifyRequest): unknown;
  /** Returns what signs in, in the transaction that stores the session. */
  signIn(body: z.output<B>, ip: string): Promise<NewSession<T, Caller>['signIn']>;
  /** The configuration of the route that reads the session. */
  config?: FastifyContextConfig;
}

const tags = ['Session'];

/** Signing in, who is signed in, and signing out: for operators and for partners. */
export function sessionRoutes<B extends z.ZodType, T extends SessionTable>(app: App, routes: SessionRoutes<B, T>): void {
  const route = routesOf(app, tags);
  openRoute(app, routes);
  const { services, table, cookie, operations, shape, view, config = {} } = routes;
  route('GET /session', {
    operationId: operations.read,
    summary: 'Who is signed in',
    description: 'Refused with `token_missing` if nobody is signed in, and with `session_expired` if the session has ended.',
    data: shape,
    refusals: { 404: refused },
    config,
    handler: async (request) => view(request as FastifyRequest),
  });
  app.route({
    method: 'DELETE',
    url: '/session',
    config: { forViewers: true, replyHeaders: setsCookie },
    schema: {
      operationId: operations.close,
      tags,
      summary: 'Sign out',
      description: 'Ends the session and deletes the cookie.',
      response: { 204: z.null().describe('Signed out.'), 404: refused },
    },
    handler: async (request, reply) => {
      const { idHash } = sessionOf(request.caller as Caller & { session: OwnSession | null });
      await closeSession(services.store, table, idHash);
      return reply
        .code(204)
        .header('set-cookie', cookie.clear(request as FastifyRequest))
        .send(null);
    },
  });
}

function openRoute<B extends z.ZodType, T extends SessionTable>(app: App, routes: SessionRoutes<B, T>): void {
  const { services, table, cookie, hours, operations, description, body, shape, view } = routes;
  app.route({
    method: 'POST',
    url: '/session',
    config: { public: true, replyHeaders: setsCookie },
    onRequest: async (request) => refuseForeignPage(request),
    schema: {
      operationId: operations.open,
      tags,
      summary: 'Sign in',
      description,
      security: [],
      body,
      response: { 201: z.object({ data: shape }) },
    },
    handler: async (given, reply) => {
      const request = given as FastifyRequest;
      const { ip } = request;
      const signIn = await routes.signIn(request.body as z.output<B>, ip);
      const opened = await openSession(services, { table, hours, ip, before: cookie.idIn(request), signIn });
      // The recorded call shows who signed in.
      request.caller = opened.caller;
      return reply
        .code(201)
        .header('set-cookie', cookie.set(request, opened.sessionId, hours * 3600))
        .send({ data: view(request) });
    },
  });
}

/** The session of a caller. Throws if the caller sent a bearer credential. */
export function sessionOf<S>({ session }: { session: S | null }): S {
  if (!session) throw notFound('session', 'This call used a bearer credential, which has no session.');
  return session;
}
