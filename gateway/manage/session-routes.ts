import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../base/errors.ts';
import type { App } from '../http/api.ts';
import { type SessionCookie, setsCookie } from '../http/session/cookie.ts';
import { refused } from './refusals.ts';

interface OwnSession {
  /** The names of the operations. */
  operations: { read: string; close: string };
  tags: string[];
  cookie: SessionCookie;
  /** What a session looks like. */
  shape: z.ZodType;
  view(request: FastifyRequest): unknown;
  /** Ends the session of the call. */
  close(request: FastifyRequest): Promise<void>;
  /** Of the route that reads. */
  config?: FastifyContextConfig;
}

/** Who is signed in, and signing out: for operators and for partners. */
export function ownSessionRoutes(app: App, { operations, tags, cookie, shape, view, close, config = {} }: OwnSession): void {
  app.route({
    method: 'GET',
    url: '/session',
    config,
    schema: {
      operationId: operations.read,
      tags,
      summary: 'Who is signed in',
      description: 'Refused with `token_missing` if nobody is signed in, and with `session_expired` if the session has ended.',
      response: { 200: z.object({ data: shape }), 404: refused },
    },
    handler: async (request) => ({ data: view(request as FastifyRequest) }),
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
      await close(request as FastifyRequest);
      return reply
        .code(204)
        .header('set-cookie', cookie.clear(request as FastifyRequest))
        .send(null);
    },
  });
}

/** The session of a caller. Throws for one who sent a bearer credential. */
export function sessionOf<S>({ session }: { session: S | null }): S {
  if (!session) throw notFound('session', 'This call used a bearer credential, which has no session.');
  return session;
}
