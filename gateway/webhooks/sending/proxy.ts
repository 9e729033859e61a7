import { connect, type Socket } from 'node:net';
import { Pool } from 'undici';
import { skipInterimAnswers } from '../../base/interim-answers.ts';

/** The proxy did not do its part, so the request says nothing about its receiver. The message has no credentials of the proxy. */
export class ProxyFailed extends Error {
  override name = 'ProxyFailed';
  /** The proxy's answer; null if there was none. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

/** The proxy reaches other receivers, and not this one. */
class Unreached extends Error {
  readonly code: 'ETIMEDOUT' | 'EHOSTUNREACH';
  readonly address: string;

  constructor(message: string, address: string, status: number | null) {
    super(message);
    this.code = status === null ? 'ETIMEDOUT' : 'EHOSTUNREACH';
    this.address = address;
  }
}

/** Receivers that the proxy reached last. They tell whether it fails, or one receiver does. */
const keptTargets = 3;
const comparisonTimeoutMs = 3000;

/** Opens connections through an http proxy with CONNECT. */
export class ConnectProxy {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;
  readonly #url: URL;
  readonly #reached = new Set<string>();

  constructor(url: string, timeoutMs: number) {
    skipInterimAnswers();
    this.#url = new URL(url);
    const { origin, username, password } = this.#url;
    const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
    this.#headers = username === '' ? {} : { 'proxy-authorization': `Basic ${login}` };
    this.#timeoutMs = timeoutMs;
    this.#pool = new Pool(origin, { connect: { timeout: timeoutMs }, allowH2: false });
  }

  /**
   * Opens a connection to an address. A proxy answers 403, 502 or nothing at all also when only one receiver is away. If it
   * reaches another receiver meanwhile, the receiver has failed. Otherwise the proxy has failed, and this throws `ProxyFailed`.
   */
  async open(address: string, port: number): Promise<Socket> {
    const target = `${address.includes(':') ? `[${address}]` : address}:${port}`;
    const { socket, status } = await this.#connect(target, this.#timeoutMs);
    if (socket) {
      this.#reached.delete(target);
      this.#reached.add(target);
      if (this.#reached.size > keptTargets) this.#reached.delete(this.#reached.values().next().value as string);
      return socket;
    }
    const did = status === null ? `did not answer within ${this.#timeoutMs} ms` : `answered ${status}`;
    if (status !== 407 && (await this.#reaches([...this.#reached].filter((one) => one !== target)))) {
      // The proxy may have come back meanwhile.
      if (!(await this.#reaches([target]))) throw new Unreached(`The proxy ${did} to CONNECT ${target}.`, address, status);
    }
    throw new ProxyFailed(`The proxy ${this.#url.host} ${did} to CONNECT ${target}.`, status);
  }

  accepts(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port || 80), timeout: comparisonTimeoutMs });
    socket.on('connect', () => resolve(true));
    for (const event of ['error', 'timeout']) socket.on(event, () => resolve(false));
    return promise.finally(() => socket.destroy());
  }

  close(): Promise<void> {
    return this.#pool.destroyed ? Promise.resolve() : this.#pool.destroy();
  }

  /** Returns true if it opens a tunnel to one of these. */
  #reaches(targets: readonly string[]): Promise<boolean> {
    const tunnels = targets.map(async (target) => {
      const { socket } = await this.#connect(target, comparisonTimeoutMs);
      socket?.destroy();
      if (!socket) throw new Error(`${target} is not reached.`);
    });
    return Promise.any(tunnels).then(
      () => true,
      () => false,
    );
  }

  async #connect(target: string, timeoutMs: number): Promise<{ socket: Socket | null; status: number | null }> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { statusCode, socket } = await this.#pool.connect({
        path: target,
        headers: { host: target, ...this.#headers },
        signal,
      });
      if (statusCode >= 200 && statusCode < 300) return { socket: socket as Socket, status: statusCode };
      socket.on('error', () => {}).destroy();
      return { socket: null, status: statusCode };
    } catch (error) {
      if (signal.aborted) return { socket: null, status: null };
      throw new ProxyFailed(`The proxy ${this.#url.host} failed: ${(error as Error).message}`);
    }
  }
}
