import type { FastifyRequest } from 'fastify';
import { tokenUseOf } from '../api/cohesion/domain/token-use.ts';
import { Identities, type Identity, refuseInactive } from '../api/cohesion/identity.ts';
import { checkKey, type KeyCredentials } from '../api/pos/domain/keys.ts';
import { verifyToken } from '../api/pos/domain/tokens.ts';
import { type Accounts, accountOfKey, cachedAccounts } from '../api/pos/identity.ts';
import { forbidden, Refusal, unauthorized } from '../base/errors.ts';
import type { Services } from '../http/api.ts';
import { bearerToken } from '../http/bearer.ts';
import { SessionCookie } from '../http/session/cookie.ts';
import { refuseForgedChange } from '../http/session/forgery.ts';
import { hasBearer, type KnownCredentials } from '../http/session/guard.ts';
import { isReading } from '../http/session/reading.ts';
import { callerOfSession, closeSession, sessionEnded } from '../manage/sessions.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import { isPartner, partsOf } from '../webhooks/outbox/owners.ts';
import type { IdentifiedPartner, ProfileCaller } from './caller.ts';

export const profileCookie = new SessionCookie({ name: 'passerelle_profile', path: '/profile/v1' });

/** The header of changes with the cookie (CSRF). It is `1`, or names the owner whose data the page shows. */
const profileHeader = 'x-passerelle-profile';
const isOwn = (sent: unknown): boolean => sent === '1' || (typeof sent === 'string' && isPartner(sent));

const hint = 'Sign in with POST /profile/v1/session, or send an access token of the API that you use.';

const neitherToken =
  'This is no token of either API. An access token of social cohesion looks like "12|" and 40 or more letters and digits; a token of the ' +
  'point of sale, from POST /api/auth, has three parts with a dot between them. Send the whole token after "Bearer ".';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for the route by which a page asks whether anybody is signed in: the answer that nobody is, is not recorded. */
    asksWho?: boolean;
  }
}

/** Finds the partner behind a credential. Every call checks it again, so that a revoked one ends at once. */
export class Partners {
  readonly #services: Services;
  readonly #accounts: Accounts;
  readonly #identities: Identities;
  readonly #known: Pick<KnownCredentials, 'add' | 'remove'>;

  constructor(services: Services, known: Pick<KnownCredentials, 'add' | 'remove'>) {
    this.#services = services;
    this.#accounts = cachedAccounts(services);
    this.#identities = new Identities(services);
    this.#known = known;
  }

  /** Identifies the caller by a bearer credential or, if there is none, by the session cookie. */
  async identify(request: FastifyRequest): Promise<ProfileCaller> {
    const caller = await this.#callerOf(request);
    refuseOtherPartner(request, caller);
    return caller;
  }

  async #callerOf(request: FastifyRequest): Promise<ProfileCaller> {
    const sessionId = profileCookie.idIn(request);
    if (sessionId === undefined && !hasBearer(request)) request.unrecorded = request.routeOptions.config.asksWho === true;
    if (hasBearer(request) || sessionId === undefined) return { ...(await this.#byBearer(request)), session: null };
    refuseForgedChange(request, profileHeader, isOwn);
    const caller = await callerOfSession(this.#services, 'profile_sessions', sessionId, (session) => this.#ofSession(session));
    request.unrecorded = isReading(request);
    return caller;
  }

  async withKey(rows: Rows, credentials: KeyCredentials): Promise<IdentifiedPartner> {
    const { key, account } = await checkKey(rows, credentials, this.#services.clock.now());
    return accountPartner(account, `key:${key.id}`);
  }

  async withToken(presented: string, ip: string): Promise<IdentifiedPartner> {
    const { token, user } = await this.#identities.holderOf(presented);
    tokenUseOf(this.#services).note(token.id, this.#services.clock.now(), ip);
    refuseInactive(user);
    return userPartner({ token, user });
  }

  /** The owner of a link. Throws 401 if the owner is inactive. */
  async withLink(rows: Rows, { id, owner, read_only: readOnly }: Row<'profile_links'>): Promise<IdentifiedPartner> {
    return { ...(await linkPartner(rows, owner, `link:${id}`)), readOnly };
  }

  async #byBearer(request: FastifyRequest): Promise<IdentifiedPartner> {
    const presented = bearerToken(request, hint);
    try {
      const partner = await this.#withBearer(request, presented);
      this.#known.add(request);
      return partner;
    } catch (error) {
      this.#known.remove(request);
      throw error;
    }
  }

  #withBearer(request: FastifyRequest, presented: string): Promise<IdentifiedPartner> {
    if (presented.includes('|')) return this.withToken(presented, request.ip);
    // If the text has neither form, it is unknown which kind of token was meant.
    if (presented.split('.').length !== 3) throw unauthorized('token_malformed', neitherToken);
    return this.#withPosToken(request, presented);
  }

  async #withPosToken(request: FastifyRequest, presented: string): Promise<IdentifiedPartner> {
    const { sub, key } = verifyToken(request.server.jwt, presented, this.#services.clock.now());
    return this.#ofKey(sub, key);
  }

  async #ofKey(accountId: string, keyId: string): Promise<IdentifiedPartner> {
    const account = await accountOfKey(this.#accounts, { accountId, keyId }, this.#services.clock.now());
    return accountPartner(account, `key:${keyId}`);
  }

  /** Ends the session if its credential was revoked or has expired, or the owner is inactive. */
  async #ofSession({ id_hash, owner, credential, read_only: readOnly }: Row<'profile_sessions'>): Promise<IdentifiedPartner> {
    try {
      return { ...(await this.#withCredential(owner, credential)), readOnly };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await closeSession(this.#services.store, 'profile_sessions', id_hash);
      throw sessionEnded(`The credential of this session is no longer valid. ${error.message}`);
    }
  }

  /** Throws if the credential was revoked or has expired, or the owner is inactive. */
  async #withCredential(owner: ProfileCaller['owner'], credential: ProfileCaller['credential']): Promise<IdentifiedPartner> {
    const { store } = this.#services;
    const parts = partsOf(owner);
    const id = credential.slice(credential.indexOf(':') + 1);
    if (credential.startsWith('key:') && parts.kind === 'account') return this.#ofKey(parts.id, id);
    if (credential.startsWith('token:')) {
      const found = await this.#identities.holderById(Number(id));
      refuseInactive(found.user);
      return userPartner(found);
    }
    return linkPartner(store, owner, credential);
  }
}

/**
 * Tabs of one browser share the cookie. Refuses the call of a tab that shows one partner if another tab has signed in as another
 * partner.
 */
function refuseOtherPartner({ headers }: FastifyRequest, { owner }: ProfileCaller): void {
  const { [profileHeader]: shown = '1' } = headers;
  if (shown === '1' || shown === owner) return;
  const message = `The header ${profileHeader} names ${JSON.stringify(String(shown).slice(0, 120))}, but this call is signed in as ${owner}: another sign-in replaced the session, perhaps in another tab. Nothing was done. Send ${owner} or 1, or sign in again.`;
  throw forbidden('other_partner', message);
}

async function linkPartner(
  rows: Rows,
  owner: ProfileCaller['owner'],
  credential: ProfileCaller['credential'],
): Promise<IdentifiedPartner> {
  const { kind, id } = partsOf(owner);
  if (kind === 'user') {
    const user = await rows.get('users', { id: Number(id), active: true });
    if (user) return { ...userPartner({ user, token: null }), credential };
  } else {
    const account = await rows.get('accounts', { id, active: true });
    if (account) return accountPartner(account, credential);
  }
  throw unauthorized('owner_inactive', 'The owner of this link is not active. Ask the operator.');
}

const accountPartner = ({ id, name }: Row<'accounts'>, credential: ProfileCaller['credential']): IdentifiedPartner => ({
  id: `account:${id}`,
  owner: `account:${id}`,
  name,
  credential,
  token: null,
  readOnly: false,
});

const userPartner = ({
  user: { id, name },
  token,
}: Omit<Identity, 'token'> & { token: Row<'tokens'> | null }): IdentifiedPartner => ({
  id: `user:${id}`,
  owner: `user:${id}`,
  name,
  credential: `token:${token?.id}`,
  token,
  readOnly: false,
});
