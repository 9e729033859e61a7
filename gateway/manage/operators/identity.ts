import type { FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../../base/errors.ts';
import type { LimitRule } from '../../http/api.ts';
import { bearerToken } from '../../http/bearer.ts';
import { addressKey } from '../../http/limit/address-key.ts';
import { sessionIdOf } from './cookie.ts';
import { isReading, refuseForgedChange } from './forgery.ts';
import { callerOfSession, callerWith, type IdentityParts, type OperatorCaller, touchOperator } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a change that viewers may make too (manage). */
    forViewers?: boolean;
  }
}

const hint = "Send the operator's token, which the gateway prints at start, or the credential of a named operator.";

/**
 * At this rate credentials cannot be guessed. Calls with a session cookie are neither counted nor refused: 256 random bits
 * cannot be guessed either, and failed sign-ins from an address must not stop others there who are signed in.
 */
export const signInGuard: LimitRule = {
  name: 'failed-sign-ins',
  windowMs: 15 * 60_000,
  max: (request) => (hasBearer(request) || request.routeOptions.config.public ? 10 : null),
  key: addressKey,
  when: 'before-identity',
  counts: 'failed-logins',
  passUncounted: true,
};

/** Identifies the caller by a bearer credential or, if there is none, by the session cookie. */
export async function identify(parts: IdentityParts, request: FastifyRequest): Promise<OperatorCaller> {
  const sessionId = sessionIdOf(request);
  if (hasBearer(request) || sessionId === undefined) return byBearer(parts, request);
  refuseForgedChange(request);
  const caller = await callerOfSession(parts, sessionId);
  request.unrecorded = isReading(request);
  return caller;
}

async function byBearer(parts: IdentityParts, request: FastifyRequest): Promise<OperatorCaller> {
  const { store, clock } = parts.services;
  const caller = await callerWith(store, bearerToken(request, hint), parts);
  if (!caller)
    throw unauthorized(
      'invalid_token',
      'This is neither the operator token of this gateway nor the credential of an active operator.',
    );
  await touchOperator(store, caller, clock.now());
  return caller;
}

/** Refuses every change by a viewer except signing out. It runs for all routes, so that no route can forget it. */
export function refuseViewer(request: FastifyRequest): void {
  const caller = request.caller as OperatorCaller | null;
  if (caller === null || caller.role === 'operator' || isReading(request) || request.routeOptions.config.forViewers) return;
  throw forbidden(
    'viewer_cannot_change',
    `${caller.name} is a viewer and may only read. An operator can do this, or give ${caller.name} the role operator.`,
  );
}

export const callerOf = (request: FastifyRequest): OperatorCaller => request.caller as OperatorCaller;

const hasBearer = ({ headers: { authorization } }: FastifyRequest) => authorization !== undefined && authorization !== '';
