import type { FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../../base/errors.ts';
import { bearerToken } from '../../http/bearer.ts';
import { SessionCookie } from '../../http/session/cookie.ts';
import { refuseForgedChange } from '../../http/session/forgery.ts';
import { hasBearer, type KnownCredentials } from '../../http/session/guard.ts';
import { isForbiddenToViewers, isReading } from '../../http/session/reading.ts';
import { callerWith, type IdentityParts, type OperatorCaller, operatorOfSession, touchOperator } from './sessions.ts';

export const operatorCookie = new SessionCookie({ name: 'passerelle_session', path: '/manage/v1' });

/** The header of changes with the cookie (CSRF). */
const consoleHeader = 'x-passerelle-console';

const hint = "Send the operator's token, which the gateway prints at start, or the credential of a named operator.";

export interface IdentifyParts extends IdentityParts {
  known: Pick<KnownCredentials, 'add' | 'remove'>;
}

/** Identifies the caller by a bearer credential or, if there is none, by the session cookie. */
export async function identify(parts: IdentifyParts, request: FastifyRequest): Promise<OperatorCaller> {
  const sessionId = operatorCookie.idIn(request);
  if (hasBearer(request) || sessionId === undefined) return byBearer(parts, request);
  refuseForgedChange(request, consoleHeader);
  const caller = await operatorOfSession(parts, sessionId);
  request.unrecorded = isReading(request);
  return caller;
}

async function byBearer(parts: IdentifyParts, request: FastifyRequest): Promise<OperatorCaller> {
  const { store, clock } = parts.services;
  const caller = await callerWith(store, bearerToken(request, hint), parts);
  parts.known[caller ? 'add' : 'remove'](request);
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
  if (caller === null || caller.role === 'operator' || !isForbiddenToViewers(request)) return;
  throw forbidden(
    'viewer_cannot_change',
    `${caller.name} is a viewer and may only read. An operator can do this, or give ${caller.name} the role operator.`,
  );
}

export const callerOf = (request: FastifyRequest): OperatorCaller => request.caller as OperatorCaller;
