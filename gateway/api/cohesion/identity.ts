import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { forbidden, type Refusal, unauthorized } from '../../base/errors.ts';
import { matchesHash } from '../../base/keyring.ts';
import type { Caller, Services } from '../../http/api.ts';
import { bearerToken } from '../../http/bearer.ts';
import { toInstant } from '../../http/fields.ts';
import { ReadCache } from '../../store/read-cache.ts';
import type { Row } from '../../store/tables/index.ts';
import { type TokenUse, tokenUseOf } from './domain/token-use.ts';

export interface CohesionCaller extends Caller {
  /** The row, with this call as its last use. */
  token: Row<'tokens'> & { last_used_at: number };
  user: Row<'users'>;
}

/** The caller of a route that is not public: `identify` ran before it. */
export const callerOf = (request: FastifyRequest): CohesionCaller => request.caller as CohesionCaller;

export interface Identity {
  token: Row<'tokens'>;
  user: Row<'users'>;
}

/** How long a change made by another process can go unseen. */
const maxAgeMs = 5000;
const largestId = 2 ** 31 - 1;
const hint = 'Create a personal access token in your profile and send it as "Authorization: Bearer <token>".';

/** Identifies callers by a personal access token `<id>|<secret>`, the form Sanctum uses (gap cohesion.token-format). */
export class Identities {
  readonly #clock: Clock;
  readonly #tokenUse: TokenUse;
  readonly #known: ReadCache<number, Identity>;

  constructor(services: Services) {
    this.#clock = services.clock;
    this.#tokenUse = tokenUseOf(services);
    this.#known = cachedIdentities(services);
  }

  /** Throws 401 or 403. A call refused with 403 was still a use of the token (gap cohesion.token-last-used). */
  async identify(request: FastifyRequest): Promise<CohesionCaller> {
    const { token: known, user } = await this.holderOf(bearerToken(request, hint));
    const now = this.#clock.now();
    const token = { ...known, last_used_at: now, last_used_ip: request.ip };
    this.#tokenUse.note(token.id, now, request.ip);

    const caller = { id: `token:${token.id}`, token, user };
    // Set before the checks below, so that the record of a refused call names its caller.
    request.caller = caller;
    refuseInactive(user);
    const { ability } = request.routeOptions.config;
    if (ability !== undefined && !token.abilities.includes(ability)) throw abilityMissing(ability, token.abilities);
    return caller;
  }

  /** Returns a token with its user, who may be inactive. Throws 401 if the token is unknown, revoked or expired. */
  async holderOf(presented: string): Promise<Identity> {
    const { id, secret } = parseToken(presented);
    return this.#authenticate(secret, await this.#find(id));
  }

  /** As `holderOf`, for a token whose secret was checked earlier. */
  async holderById(id: number): Promise<Identity> {
    const found = await this.#find(id);
    if (!found) throw unknownToken();
    return this.#unlessEnded(found);
  }

  #find(id: number) {
    return id <= largestId ? this.#known.get(id) : undefined;
  }

  #authenticate(secret: string, found: Identity | undefined): Identity {
    // An unknown token and a wrong secret get the same reply after the same work, so that ids cannot be probed.
    if (!matchesHash(secret, found?.token.token_hash) || !found) throw unknownToken();
    return this.#unlessEnded(found);
  }

  #unlessEnded(found: Identity): Identity {
    const { revoked_at: revokedAt, expires_at: expiresAt } = found.token;
    if (revokedAt !== null)
      throw unauthenticated('token_revoked', `This token was revoked at ${toInstant(revokedAt)}. Create a new one.`);
    if (expiresAt !== null && expiresAt <= this.#clock.now()) {
      throw unauthenticated('token_expired', `This token expired at ${toInstant(expiresAt)}. Create a new one.`);
    }
    return found;
  }
}

function parseToken(presented: string): { id: number; secret: string } {
  const [, id = '', secret = ''] = /^([0-9]{1,10})\|([A-Za-z0-9_-]{20,200})$/.exec(presented) ?? [];
  if (secret === '')
    throw unauthenticated('token_malformed', `A token looks like "12|" and 40 or more letters and digits. ${hint}`);
  return { id: Number(id), secret };
}

/** Tokens and their users, by token id. A change that this process makes to either counts from the next call on. */
function cachedIdentities({ store, clock, onWrite }: Services): ReadCache<number, Identity> {
  const identities = new ReadCache<number, Identity>({
    clock,
    maxAgeMs,
    async read(id) {
      const token = await store.get('tokens', { id });
      const user = token && (await store.get('users', { id: token.user_id }));
      return user && { token, user };
    },
  });
  onWrite('users', () => identities.drop());
  onWrite('tokens', (rows) => identities.drop(rows?.map(({ id }) => id)), { ignore: ['last_used_at', 'last_used_ip'] });
  return identities;
}

/** Throws 403 for an inactive user. */
export function refuseInactive(user: Row<'users'>): void {
  if (!user.active)
    throw forbidden('user_inactive', `The user of this token, ${user.name}, is inactive. Ask an operator to activate it.`);
}

const unknownToken = () => unauthenticated('token_unknown', `This token is not known here. ${hint}`);

function unauthenticated(code: string, why: string): Refusal {
  return unauthorized(code, `Unauthenticated. ${why}`);
}

function abilityMissing(needed: string, held: readonly string[]): Refusal {
  return forbidden(
    'ability_missing',
    `This call needs the ability ${needed}; the token holds ${held.join(', ') || 'none'}. Use a token that has it.`,
  );
}
