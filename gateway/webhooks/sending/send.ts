import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { type Redaction, standardRedaction } from '../../base/redact.ts';
import { Answer } from './answer.ts';
import { type GuardOptions, guardedConnector } from './connect.ts';
import type { Exchange } from './exchange.ts';
import { refusedUrl } from './guard.ts';
import { BlockedAddress } from './outcome.ts';
import { ConnectProxy } from './proxy.ts';

export interface SenderOptions {
  /** Time limit of a whole request, from connecting to the end of the body, in milliseconds. */
  deadlineMs: number;
  keptBodyBytes: number;
  /** Removes secrets from what receivers answer. By default those of the standard list. */
  redaction?: Redaction;
  allow: GuardOptions['allow'];
  lookup?: GuardOptions['lookup'];
  /** The URL of the proxy that requests go through, `http://user:password@host:port`. By default none. */
  proxyUrl?: string | undefined;
}

/** A URL's parts, as the client wants them. */
interface Target {
  origin: string;
  path: string;
}

const maxTargets = 1000;

/** POSTs webhooks over keep-alive connections. A failure of any kind is an outcome; `post` never rejects. */
export class Sender {
  readonly #options: Required<Pick<SenderOptions, 'deadlineMs' | 'keptBodyBytes' | 'redaction' | 'allow'>>;
  readonly #agent: Agent;
  readonly #proxy: ConnectProxy | undefined;
  /** The URLs that are allowed. The addresses of a host name are checked at each connection. */
  readonly #targets = new Map<string, Target>();

  constructor(options: SenderOptions) {
    const { deadlineMs, keptBodyBytes, redaction = standardRedaction, allow, lookup, proxyUrl } = options;
    this.#options = { deadlineMs, keptBodyBytes, redaction, allow };
    this.#proxy = proxyUrl === undefined ? undefined : new ConnectProxy(proxyUrl, deadlineMs);
    const proxy = this.#proxy;
    this.#agent = new Agent({
      connect: guardedConnector({ allow, connectTimeoutMs: deadlineMs, proxy, ...(lookup ? { lookup } : {}) }),
      allowH2: false,
      // The deadline covers all phases.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** A body that is a generator is read once the connection is open. If it throws, nothing is written. */
  post(url: string, headers: Record<string, string>, body: string | Fenced): Promise<Exchange> {
    return new Promise((resolve) => {
      const settle = this.#proxy ? (exchange: Exchange) => resolve(this.#judged(exchange)) : resolve;
      const answer = new Answer(this.#options, settle);
      try {
        this.#agent.dispatch({ ...this.#targetOf(url), method: 'POST', ...bodyOf(headers, body) }, answer);
      } catch (thrown) {
        answer.fail(thrown);
      }
    });
  }

  /** A connection that breaks because the proxy has died says nothing about the receiver. */
  async #judged(exchange: Exchange): Promise<Exchange> {
    if (exchange.outcome !== 'reset' || (await this.#proxy?.accepts())) return exchange;
    return { ...exchange, error: 'The proxy closed the connection, and accepts no others.', proxyFailed: { status: null } };
  }

  async close(): Promise<void> {
    if (!this.#agent.destroyed) await this.#agent.close();
    await this.#proxy?.close();
  }

  /** Aborts running requests: each ends as a failure. */
  async abort(): Promise<void> {
    await this.#agent.destroy();
    await this.#proxy?.close();
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url);
    if (known) return known;
    const parsed = new URL(url);
    const refused = refusedUrl(parsed, this.#options.allow);
    if (refused !== null) throw new BlockedAddress(parsed.host, refused);
    const target = { origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` };
    if (this.#targets.size >= maxTargets) this.#targets.delete(this.#targets.keys().next().value as string);
    this.#targets.set(url, target);
    return target;
  }
}

/** A body that may turn out to be not wanted any more, and its length in bytes. */
export interface Fenced {
  chunks: AsyncGenerator<Buffer>;
  bytes: number;
}

/** The client would send a body of unknown length in chunks. Its types do not show that it accepts generators. */
/** undici also sends what can be iterated, though its type does not say so. */
const bodyOf = (headers: Record<string, string>, body: string | Fenced) =>
  typeof body === 'string'
    ? { headers, body }
    : { headers: { ...headers, 'content-length': String(body.bytes) }, body: body.chunks as unknown as Readable };
