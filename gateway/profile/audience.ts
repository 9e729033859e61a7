import type { LimitRule } from '../http/api.ts';
import type { Audience } from '../manage/audience.ts';
import type { Rows } from '../store/port.ts';
import { partsOf } from '../webhooks/outbox/owners.ts';
import { callerOf, type ProfileCaller } from './caller.ts';

/** Tests go to addresses that nobody has vouched for, so a partner cannot send many of them. */
export const testLimit: LimitRule = {
  name: 'webhook-tests',
  windowMs: 60_000,
  max: 30,
  per: 'partner',
  key: (request) => callerOf(request).owner,
};

/** Partners see the rows of their own endpoints. Names of operations are unique over all APIs, so these have `Profile` in them. */
export const partners: Audience = {
  own: true,
  ownerOf: (request) => callerOf(request).owner,
  callersOf: (request, rows) => callersOf(rows, callerOf(request)),
  operation: (name) => name.replace(/^[a-z]+/, '$&Profile'),
  catalogue: 'GET /profile/v1/events/catalogue',
  testLimits: [testLimit],
};

/** The newest tokens of a user whose calls are read. */
const mostTokens = 200;

/**
 * The callers of recorded calls that the partner may see: its account, or its user's tokens. A partner who came with a token
 * sees the calls of tokens with no more abilities: replies have what these abilities show.
 */
export async function callersOf(rows: Rows, { owner, token }: Pick<ProfileCaller, 'owner' | 'token'>): Promise<string[]> {
  const { kind, id } = partsOf(owner);
  if (kind === 'account') return [owner];
  const tokens = await rows.list('tokens', { where: { user_id: Number(id) }, order: [['id', 'desc']], limit: mostTokens });
  const seen =
    token === null ? tokens : tokens.filter((one) => one.abilities.every((ability) => token.abilities.includes(ability)));
  return seen.map(({ id }) => `token:${id}`);
}
