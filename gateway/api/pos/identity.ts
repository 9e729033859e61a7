import type { JWT } from '@fastify/jwt';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { unauthorized } from '../../base/errors.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { PosCaller } from './access.ts';
import { verifyToken } from './calls/tokens.ts';

interface Known {
  account: Row<'accounts'> | undefined;
  /** Keys that are not revoked. */
  keyIds: ReadonlySet<string>;
  untilMs: number;
}

/** How long another gateway's change of an account can go unseen (gap pos.revocation). */
const knownForMs = 5000;
const knownAtMost = 10_000;

/** Accounts as they were a moment ago, so that not every call asks the store. */
export class Accounts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  /** Counts what was forgotten: an answer that was on its way meanwhile is not kept. */
  #forgotten = 0;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async find(accountId: string): Promise<Known> {
    const known = this.#known.get(accountId);
    if (known && known.untilMs > this.#clock.now()) return known;
    const forgotten = this.#forgotten;
    const [account, keys] = await Promise.all([
      this.#store.get('accounts', { id: accountId }),
      this.#store.list('api_keys', { where: { account_id: accountId, revoked_at: null } }),
    ]);
    const found = { account, keyIds: new Set(keys.map(({ id }) => id)), untilMs: this.#clock.now() + knownForMs };
    if (forgotten !== this.#forgotten) return found;
    if (this.#known.size >= knownAtMost) this.#known.clear();
    this.#known.set(accountId, found);
    return found;
  }

  /** A change of this account or its keys counts from the next call on. */
  forget(accountId: string): void {
    this.#forgotten += 1;
    this.#known.delete(accountId);
  }

  forgetAll(): void {
    this.#forgotten += 1;
    this.#known.clear();
  }
}

const accountsOfStore = new WeakMap<Store, Accounts>();

/** The accounts known in this process: one memory for the API that reads it and the manage API that invalidates it. */
export function accountsOf({ store, clock }: { store: Store; clock: Clock }): Accounts {
  const accounts = accountsOfStore.get(store) ?? new Accounts(store, clock);
  accountsOfStore.set(store, accounts);
  return accounts;
}

/** The caller of a request, or a 401 that says what is wrong with its token (document section 5). */
export async function identify(request: FastifyRequest, jwt: JWT, services: { store: Store; clock: Clock }): Promise<PosCaller> {
  const token = bearerToken(request, 'Get a token with POST /api/auth.');
  const claims = verifyToken(jwt, token, services.clock.now());
  const { account, keyIds } = await accountsOf(services).find(claims.sub);
  if (!account?.active)
    throw unauthorized('account_inactive', `The account ${claims.sub} is not active. Ask the operator to activate it.`);
  if (!keyIds.has(claims.key))
    throw unauthorized('key_revoked', `The API key ${claims.key} of this token was revoked. Get a token with another key.`);
  return { id: `account:${account.id}`, account, keyId: claims.key };
}
