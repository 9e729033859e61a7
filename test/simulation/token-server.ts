import { type Exchange, unsent } from '../../gateway/webhooks/sending/exchange.ts';
import { outcomeOf } from '../../gateway/webhooks/sending/outcome.ts';
import type { Random } from './random.ts';
import type { Servers } from './servers.ts';
import type { Process } from './world.ts';

export const tokenUrl = 'https://tokens.example/token';

/** For how many seconds a token lasts. Not every token server says it. */
const lifetimes = [30, 300, 3600, undefined];
const wrongAnswers = [
  [500, 'Sorry'],
  [401, '{"error":"invalid_client"}'],
  [302, ''],
  [200, 'access_token=x'],
  [200, '{"access_token":"x","token_type":"mac"}'],
] as const;

interface Issued {
  client: string;
  untilMs: number;
}

/** The requests of a process for a token of one client. */
export interface Asked {
  client: string;
  process: Process;
  beganMs: number;
  endedMs: number;
}

/** The token server of all receivers of a run that ask for a token. */
export class TokenServer {
  readonly #servers: Servers;
  readonly #issued = new Map<string, Issued>();
  readonly asked: Asked[] = [];
  readonly #failureRates = new Map<string, number>();

  readonly #deadlineMs: number;

  constructor(servers: Servers, deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    this.#servers = servers;
  }

  /** The client that a header is for; null for no header. */
  clientOf(authorization: string | undefined): string | null {
    if (authorization === undefined) return null;
    return this.#issued.get(authorization)?.client ?? `nobody (${authorization})`;
  }

  /** What a receiver says of a header. A token may be revoked at any time. */
  accepts(authorization: string | undefined): boolean {
    const { world, faults } = this.#servers;
    const token = authorization === undefined ? undefined : this.#issued.get(authorization);
    if (token && faults.happens('token revoked', token.client, 0.05)) token.untilMs = 0;
    return token === undefined || world.nowMs < token.untilMs;
  }

  async post(process: Process, body: string): Promise<Exchange> {
    const { world, faults } = this.#servers;
    const client = new URLSearchParams(body).get('client_id') ?? '';
    const asked = { client, process, beganMs: world.nowMs, endedMs: Number.POSITIVE_INFINITY };
    this.asked.push(asked);
    const random = world.random(`token server for ${client}`);
    const isFailing = faults.happens('token server fails', client, this.#failureRate(client));
    const isSilent = isFailing && random.chance(0.3);
    await world.wait(isSilent ? this.#deadlineMs : random.whole(1, 500), process);
    asked.endedMs = world.nowMs;
    if (isSilent) return unsent('timeout', 'The deadline passed.');
    const [status, text] = isFailing ? random.pick(wrongAnswers) : [200, this.#issue(client, random)];
    return { ...unsent(outcomeOf(status), null), status, body: text };
  }

  /** Some clients get a token at last, and some only when the faults are over. */
  #failureRate(client: string): number {
    const random = this.#servers.world.random(`failures of tokens for ${client}`);
    const known = this.#failureRates.get(client) ?? random.pick([0.3, 0.9]);
    this.#failureRates.set(client, known);
    return known;
  }

  #issue(client: string, random: Random): string {
    const { world } = this.#servers;
    const value = `token-${this.#issued.size + 1}`;
    const expires_in = random.pick(lifetimes);
    const untilMs = expires_in === undefined ? Number.POSITIVE_INFINITY : world.nowMs + expires_in * 1000;
    this.#issued.set(`Bearer ${value}`, { client, untilMs });
    return JSON.stringify({ access_token: value, token_type: 'Bearer', expires_in });
  }
}
