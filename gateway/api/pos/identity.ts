import type { JWT } from '@fastify/jwt';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { unauthorized } from '../../base/errors.ts';
import type { Caller, Services } from '../../http/api.ts';
import { bearerToken } from '../../http/bearer.ts';
import { ReadCache } from '../../store/read-cache.ts';
import type { Row } from '../../store/tables/index.ts';
import { verifyToken } from './domain/tokens.ts';

/** The calling account, and the API key that its token was issued for. */
export interface PosCaller extends Caller {
  account: Row<'accounts'>;
  keyId: string;
}

/** The caller of a route that is not public: `identify` ran before it. */
export const callerOf = (request: FastifyRequest): PosCaller => request.caller as PosCaller;

/** An account, and the ids of its keys that are not revoked. */
interface AccountKeys {
  account: Row<'accounts'>;
  keyIds: ReadonlySet<string>;
}

export type Accounts = ReadCache<string, AccountKeys>;

/** How long a change made by another process can go unseen (gap pos.revocation). */
const maxAgeMs = 5000;

/** Accounts by id. A change that this process makes to an account or its keys counts from the next call on. */
export function cachedAccounts({ store, clock, onWrite }: Pick<Services, 'store' | 'clock' | 'onWrite'>): Accounts {
  const accounts: Accounts = new ReadCache({
    clock,
    maxAgeMs,
    async read(id) {
      const [account, keys] = await Promise.all([
        store.get('accounts', { id }),
        store.list('api_keys', { where: { account_id: id, revoked_at: null } }),
      ]);
      return account && { account, keyIds: new Set(keys.map((key) => key.id)) };
    },
  });
  onWrite('accounts', (rows) => accounts.drop(rows?.map(({ id }) => id)));
  onWrite('api_keys', (rows) => accounts.drop(rows?.map(({ account_id }) => account_id)), { ignore: ['last_used_at'] });
  return accounts;
}

/** Returns the caller of a request. Throws a 401 that says what is wrong with its token (document section 5). */
export async function identify(request: FastifyRequest, jwt: JWT, clock: Clock, accounts: Accounts): Promise<PosCaller> {
  const token = bearerToken(request, 'Get a token with POST /api/auth.');
  const claims = verifyToken(jwt, token, clock.now());
  const found = await accounts.get(claims.sub);
  if (!found?.account.active)
    throw unauthorized('account_inactive', `The account ${claims.sub} is not active. Ask the operator to activate it.`);
  if (!found.keyIds.has(claims.key))
    throw unauthorized('key_revoked', `The API key ${claims.key} of this token was revoked. Get a token with another key.`);
  return { id: `account:${claims.sub}`, account: found.account, keyId: claims.key };
}
