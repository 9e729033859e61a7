import type { JWT } from '@fastify/jwt';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { unauthorized } from '../../base/errors.ts';
import type { Caller, Services } from '../../http/api.ts';
import { bearerToken } from '../../http/bearer.ts';
import { ReadCache } from '../../store/read-cache.ts';
import type { Row } from '../../store/tables/index.ts';
import { hasExpired, inactiveAccount } from './domain/keys.ts';
import { verifyToken } from './domain/tokens.ts';

/** The calling account. */
export interface PosCaller extends Caller {
  account: Row<'accounts'>;
}

/** The caller of a route that is not public: `identify` ran before it. */
export const callerOf = (request: FastifyRequest): PosCaller => request.caller as PosCaller;

/** An account, and its keys that are not revoked, with the time when a rotation ends each. */
interface AccountKeys {
  account: Row<'accounts'>;
  keys: ReadonlyMap<string, number | null>;
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
      return account && { account, keys: new Map(keys.map((key) => [key.id, key.expires_at])) };
    },
  });
  onWrite('accounts', (rows) => accounts.drop(rows?.map(({ id }) => id)));
  onWrite('api_keys', (rows) => accounts.drop(rows?.map(({ account_id }) => account_id)), { ignore: ['last_used_at'] });
  return accounts;
}

/** Returns the caller of a request. Throws a 401 that says what is wrong with its token (document section 5). */
export function identify(request: FastifyRequest, jwt: JWT, clock: Clock, accounts: Accounts): PosCaller | Promise<PosCaller> {
  const token = bearerToken(request, 'Get a token with POST /api/auth.');
  const claims = verifyToken(jwt, token, clock.now());
  const key = { accountId: claims.sub, keyId: claims.key };
  const callerWith = (found: AccountKeys | undefined): PosCaller => {
    const account = checkedAccount(key, found, clock.now());
    return { id: `account:${account.id}`, account };
  };
  const found = accounts.get(key.accountId);
  return found instanceof Promise ? found.then(callerWith) : callerWith(found);
}

/** A key, and the account for which it was made. */
interface KeyOfAccount {
  accountId: string;
  keyId: string;
}

/** Returns the account of a key that something was issued for earlier. Throws a 401 if it is inactive, or the key has ended. */
export const accountOfKey = async (accounts: Accounts, key: KeyOfAccount, now: number): Promise<Row<'accounts'>> =>
  checkedAccount(key, await accounts.get(key.accountId), now);

function checkedAccount({ accountId, keyId }: KeyOfAccount, found: AccountKeys | undefined, now: number): Row<'accounts'> {
  if (!found?.account.active) throw inactiveAccount(accountId);
  const expiresAt = found.keys.get(keyId);
  if (expiresAt === undefined)
    throw unauthorized('key_revoked', `The API key ${keyId} of this token was revoked. Get a token with another key.`);
  if (hasExpired(expiresAt, now))
    throw unauthorized('key_expired', `The API key ${keyId} of this token was replaced. Get a token with the new key.`);
  return found.account;
}
