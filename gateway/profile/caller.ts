import type { FastifyRequest } from 'fastify';
import { forbidden } from '../base/errors.ts';
import type { Caller } from '../http/api.ts';
import type { OwnSession } from '../manage/sessions.ts';
import type { Row } from '../store/tables/index.ts';
import type { ProfileCredential } from '../store/tables/profiles.ts';
import type { Partner } from '../store/tables/webhooks.ts';
import { partsOf } from '../webhooks/outbox/owners.ts';

/** A signed-in partner: a pos account or a cohesion user. The caller's id is its owner. */
export interface ProfileCaller extends Caller {
  owner: Partner;
  /** The partner's name, for the page. */
  name: string;
  /** What opened the session, or the bearer credential of this call. */
  credential: ProfileCredential;
  /** The token that the session or the call came with: it bounds what the caller may do. Null for keys and links. */
  token: Row<'tokens'> | null;
  /** True for a session from a link that an operator made for reading only. */
  readOnly: boolean;
  /** Null if a bearer credential was sent. */
  session: OwnSession | null;
}

/** A partner without a session. */
export type IdentifiedPartner = Omit<ProfileCaller, 'session'>;

/** The caller of a route that is not public: `identify` ran before it. */
export const callerOf = (request: FastifyRequest): ProfileCaller => request.caller as ProfileCaller;

/** The caller of a route for users only. Throws 403 for an account. */
export function userOf(request: FastifyRequest): { userId: number; token: ProfileCaller['token'] } {
  const { owner, token } = callerOf(request);
  const { kind, id } = partsOf(owner);
  if (kind !== 'user')
    throw forbidden(
      'other_service',
      'Access tokens belong to users of social cohesion. A point-of-sale account has API keys: see /keys.',
    );
  return { userId: Number(id), token };
}

/** The caller of a route for accounts only. Throws 403 for a user. */
export function accountOf(request: FastifyRequest): { accountId: string; credential: ProfileCaller['credential'] } {
  const { owner, credential } = callerOf(request);
  const { kind, id } = partsOf(owner);
  if (kind !== 'account')
    throw forbidden(
      'other_service',
      'API keys belong to point-of-sale accounts. A user of social cohesion has access tokens: see /tokens.',
    );
  return { accountId: id, credential };
}
