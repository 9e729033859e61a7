import { hash } from 'node:crypto';
import { type Clock, pause, type Timers } from '../../base/clock.ts';
import type { Keyring } from '../../base/keyring.ts';
import { type Rows, type Store, StoreUnavailable, type Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { OAuth2Client } from '../../store/tables/webhooks.ts';
import { type Exchange, unredacted } from '../sending/exchange.ts';
import { type Senders, senderOf } from '../sending/senders.ts';
import { type TokenReply, tokenIn, tokenRequest } from '../sending/token-request.ts';

export interface TokenParts extends Senders {
  store: Store;
  clock: Clock;
  timers: Timers;
  keys: Keyring;
  /** Time limit of a request, in milliseconds. */
  deadlineMs: number;
}

type NoToken = { outcome: 'token' | 'secret_unreadable'; error: string } & Pick<Exchange, 'proxyFailed'>;
/** An access token, or how an attempt without one fails. */
export type Token = { value: string } | NoToken;

/** A token is replaced when a quarter of its life is left, and no sooner than this before its end. */
const earliestMs = 60_000;
/** How often this process looks whether another process has got the token. */
const lookAgainMs = 100;
/** A token server that failed is not asked again within this time. Shorter than the schedule's first wait. */
const restMs = 4000;

/** Ends the pause of token servers, because somebody asks for an attempt by hand, and may have repaired the token server. */
export async function endRests(tx: Rows, endpoint_id: Where<'receiver_tokens'>['endpoint_id']): Promise<void> {
  await tx.update('receiver_tokens', { endpoint_id, retry_at: { not: null } }, { retry_at: null });
}

/**
 * The access tokens of endpoints with OAuth2 (client credentials). One token for an endpoint is in the store, and one process at a time
 * asks for it, so that all share it. No transaction is open meanwhile.
 */
export class Tokens {
  readonly #parts: TokenParts;
  /** What this process asks for now. */
  readonly #asking = new Map<string, Promise<Token | undefined>>();

  constructor(parts: TokenParts) {
    this.#parts = parts;
  }

  /**
   * Returns the endpoint's token. It is another one than `refused`, which the receiver did not accept. Throws `StoreUnavailable`,
   * which is not the token server's fault.
   */
  async of(endpoint: Row<'endpoints'>, oauth2: OAuth2Client, refused?: string): Promise<Token> {
    const { keys } = this.#parts;
    if (!keys.canOpen(oauth2.client_secret))
      return { outcome: 'secret_unreadable', error: 'Another master key sealed the client secret.' };
    const client = hash('sha256', JSON.stringify(oauth2), 'hex');
    return this.#of({ endpoint, oauth2, client, refused }).catch((error: Error) => {
      if (error instanceof StoreUnavailable) throw error;
      return noToken(error.message);
    });
  }

  async #of(wanted: Wanted): Promise<Token> {
    const { timers, deadlineMs } = this.#parts;
    const endsMs = timers.elapsed() + deadlineMs;
    for (;;) {
      const { answer, usable } = await this.#stored(wanted);
      const token = answer ?? (await this.#ask(wanted)) ?? usable;
      if (token) return token;
      if (timers.elapsed() > endsMs) return noToken('Another process has asked the token server, which has not answered.');
      await pause(timers, lookAgainMs);
    }
  }

  /**
   * Reads the stored token: returns an answer, or nothing if a new token is needed. `usable` is a token that expires soon, but
   * can still be sent.
   */
  async #stored({ endpoint: { id }, client, refused }: Wanted): Promise<{ answer?: Token | undefined; usable?: Token }> {
    const { store, clock, keys } = this.#parts;
    const row = await store.get('receiver_tokens', { endpoint_id: id, client });
    if (!row) return {};
    const isAfter = (atMs: number | null) => atMs === null || atMs > clock.now();
    const value = row.sealed === null ? undefined : keys.open(row.sealed);
    const isRefused = value !== undefined && value === refused;
    const usable = value !== undefined && !isRefused && isAfter(row.expires_at) ? { value } : undefined;
    // A refused token is replaced or forgotten now, so that no other request has it.
    if (row.retry_at !== null && isAfter(row.retry_at) && !isRefused) return { answer: usable ?? noToken(row.error ?? '') };
    return usable && isAfter(row.renew_at) ? { answer: usable } : { ...(usable && { usable }) };
  }

  /** Asks for a token, once for all attempts of this process. Returns undefined if another process asks. */
  #ask(wanted: Wanted): Promise<Token | undefined> {
    const key = `${wanted.endpoint.id} ${wanted.client}`;
    const asking = this.#asking.get(key) ?? this.#askAlone(wanted).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #askAlone(wanted: Wanted): Promise<Token | undefined> {
    let token: Token | undefined;
    await this.#parts.store.alone(`token ${wanted.endpoint.id}`, async () => {
      // Another process may have got one in between.
      const { answer, usable } = await this.#stored(wanted);
      token = answer ?? (await this.#renew(wanted, usable));
    });
    return token;
  }

  async #renew(wanted: Wanted, usable: Token | undefined): Promise<Token> {
    const { clock, keys, store } = this.#parts;
    const sender = senderOf(this.#parts, wanted.endpoint);
    const secret = keys.open(wanted.oauth2.client_secret);
    const { headers, body } = tokenRequest({ ...wanted.oauth2, client_secret: secret });
    const askedAt = clock.now();
    const answer = await sender.post(wanted.oauth2.token_url, headers, body, unredacted);
    // It says nothing about the token server.
    if (answer.proxyFailed) return usable ?? { ...noToken(answer.error ?? ''), proxyFailed: answer.proxyFailed };
    const reply = tokenIn(answer, secret);
    await store.transaction(async (tx) => {
      const { endpoint, client } = wanted;
      const before = await tx.get('receiver_tokens', { endpoint_id: endpoint.id, client });
      await tx.remove('receiver_tokens', { endpoint_id: endpoint.id });
      await tx.append('receiver_tokens', [this.#rowAfter(wanted, before, reply, askedAt)]);
    });
    return 'value' in reply ? reply : (usable ?? noToken(reply.error));
  }

  #rowAfter(
    { endpoint: { id }, client, refused }: Wanted,
    before: Row<'receiver_tokens'> | undefined,
    reply: TokenReply,
    askedAt: number,
  ): Row<'receiver_tokens'> {
    const { clock, keys } = this.#parts;
    const names = { endpoint_id: id, client };
    if ('value' in reply) {
      const { value, lifetimeMs } = reply;
      const expires_at = lifetimeMs === null ? null : askedAt + lifetimeMs;
      const renew_at = lifetimeMs === null ? null : askedAt + lifetimeMs - Math.min(earliestMs, Math.trunc(lifetimeMs / 4));
      const works = { failing_since: null, failed_at: null, error: null, retry_at: null };
      return { ...names, sealed: keys.seal(value), got_at: clock.now(), expires_at, renew_at, ...works };
    }
    const now = clock.now();
    const kept = before && before.sealed !== null && keys.open(before.sealed) !== refused ? before : undefined;
    const { sealed = null, got_at = null, expires_at = null, renew_at = null } = kept ?? {};
    const failing = { failing_since: before?.failing_since ?? now, failed_at: now, error: reply.error, retry_at: now + restMs };
    return { ...names, sealed, got_at, expires_at, renew_at, ...failing };
  }
}

/** A token of an endpoint, as its row has the client. */
interface Wanted {
  endpoint: Row<'endpoints'>;
  oauth2: OAuth2Client;
  client: string;
  refused: string | undefined;
}

const noToken = (error: string): NoToken => ({ outcome: 'token', error });
