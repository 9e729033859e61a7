import type { FastifyRequest } from 'fastify';
import { forbidden, type Refusal, unauthorized } from '../../base/errors.ts';
import { matchesHash } from '../../base/keyring.ts';
import type { Caller, Services } from '../../http/api.ts';
import { bearerToken } from '../../http/bearer.ts';
import { toInstant } from '../../http/fields.ts';
import type { Row } from '../../store/tables/index.ts';
import { TokenTouches } from './touches.ts';

export interface CohesionCaller extends Caller {
  /** As it is with this very call. */
  token: Row<'tokens'> & { last_used_at: number };
  user: Row<'users'>;
}

interface Identity {
  token: Row<'tokens'>;
  user: Row<'users'>;
  readAt: number;
}

/** How long a token and its user are believed without asking the store again. */
const believedMs = 5000;
const cachedAtMost = 10_000;
const largestId = 2 ** 31 - 1;
const hint = 'Create a personal access token in your profile and send it as "Authorization: Bearer <token>".';

/** Finds out who calls: a personal access token `<id>|<secret>`, as Sanctum has them, and its user (gap cohesion.token-format). */
export class Identities {
  readonly touches: TokenTouches;
  readonly #services: Services;
  readonly #known = new Map<number, Identity>();
  #forgotten = 0;

  constructor(services: Services) {
    this.#services = services;
    this.touches = new TokenTouches(services.store, services.clock, services.log);
  }

  /** Forgets what was read, so that the next call sees what an operator changed. */
  forget(): void {
    this.#forgotten += 1;
    this.#known.clear();
  }

  /** Throws `unauthorized` (401) or `forbidden` (403). A call that is refused with 403 was still a use of the token (gap cohesion.token-last-used). */
  async identify(request: FastifyRequest): Promise<CohesionCaller> {
    const { token: known, user } = await this.#authenticate(bearerToken(request, hint));
    const now = this.#services.clock.now();
    const token = { ...known, last_used_at: now, last_used_ip: request.ip };
    this.touches.touch(token.id, now, request.ip);

    const caller = { id: `token:${token.id}`, token, user };
    // A refused call has its caller too: its record says whose it was.
    request.caller = caller;
    if (!user.active)
      throw forbidden('user_inactive', `The user of this token, ${user.name}, is inactive. Ask an operator to activate it.`);
    const { ability } = request.routeOptions.config;
    if (ability !== undefined && !token.abilities.includes(ability)) throw lacking(ability, token.abilities);
    return caller;
  }

  async #authenticate(presented: string): Promise<Identity> {
    const [, id = '', secret = ''] = /^([0-9]{1,10})\|([A-Za-z0-9_-]{20,200})$/.exec(presented) ?? [];
    if (secret === '')
      throw unauthenticated('token_malformed', `A token looks like "12|" and 40 or more letters and digits. ${hint}`);
    const found = Number(id) <= largestId ? await this.#read(Number(id)) : undefined;
    // An unknown token and a wrong secret get the same answer, in the same time.
    if (!matchesHash(secret, found?.token.token_hash) || !found) {
      throw unauthenticated('token_unknown', `This token is not known here. ${hint}`);
    }
    const { revoked_at: revokedAt, expires_at: expiresAt } = found.token;
    if (revokedAt !== null)
      throw unauthenticated('token_revoked', `This token was revoked at ${toInstant(revokedAt)}. Create a new one.`);
    if (expiresAt !== null && expiresAt <= this.#services.clock.now()) {
      throw unauthenticated('token_expired', `This token expired at ${toInstant(expiresAt)}. Create a new one.`);
    }
    return found;
  }

  async #read(tokenId: number): Promise<Identity | undefined> {
    const { store, clock } = this.#services;
    const known = this.#known.get(tokenId);
    if (known && clock.now() - known.readAt < believedMs) return known;
    this.#known.delete(tokenId);
    const forgotten = this.#forgotten;
    const token = await store.get('tokens', { id: tokenId });
    const user = token && (await store.get('users', { id: token.user_id }));
    if (!token || !user) return undefined;
    if (this.#known.size >= cachedAtMost) this.#known.clear();
    const identity = { token, user, readAt: clock.now() };
    // What was read before an operator's change must not be believed after it.
    if (forgotten === this.#forgotten) this.#known.set(tokenId, identity);
    return identity;
  }
}

function unauthenticated(code: string, why: string): Refusal {
  return unauthorized(code, `Unauthenticated. ${why}`);
}

function lacking(needed: string, held: readonly string[]): Refusal {
  return forbidden(
    'ability_missing',
    `This call needs the ability ${needed}; the token holds ${held.join(', ') || 'none'}. Use a token that has it.`,
  );
}

const shared = new WeakMap<object, Identities>();

/** The one `Identities` over a store: the API asks it, and the manage API makes it forget what was changed. */
export function identitiesOf(services: Services): Identities {
  const known = shared.get(services.store) ?? new Identities(services);
  shared.set(services.store, known);
  return known;
}
