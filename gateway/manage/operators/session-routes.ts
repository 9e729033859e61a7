import { z } from 'zod';
import type { App } from '../../http/api.ts';
import { instant, text, toInstant } from '../../http/fields.ts';
import { operatorRoles } from '../../store/tables/operating.ts';
import { sessionOf, sessionRoutes } from '../session-routes.ts';
import { callerOf, operatorCookie } from './identity.ts';
import { type IdentityParts, type OperatorCaller, signInOperator } from './sessions.ts';

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
export const operatorSessionRoutes = (app: App, parts: IdentityParts): void =>
  sessionRoutes(app, {
    services: parts.services,
    table: 'sessions',
    cookie: operatorCookie,
    hours: parts.sessionHours,
    operations: { open: 'openSession', read: 'readSession', close: 'closeSession' },
    description:
      'Sets the cookie `passerelle_session`. A change made with the cookie needs the header `x-passerelle-console: 1`, and must not come from a page of another site. ' +
      'After 10 failed attempts with a credential in 15 minutes, further ones with it from that address (an IPv6 /48 counts as one) are refused; after 100, all from that address. ' +
      'Failed bearer credentials count too. Sessions, and bearer credentials that were right before, keep working.',
    body: signIn,
    shape: session,
    view: (request) => sessionView(callerOf(request)),
    signIn:
      async ({ credential }) =>
      (tx) =>
        signInOperator(parts, tx, credential),
  });

function sessionView(caller: OperatorCaller): z.infer<typeof session> {
  const { operatorId, name, role } = caller;
  return { operator: { id: operatorId, name, role }, expires_at: toInstant(sessionOf(caller).expiresAt) };
}
