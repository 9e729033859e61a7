import type { FastifyInstance } from 'fastify';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Scheme } from './journal/call.ts';
import type { StubOptions } from './types.ts';

export const defaultHost = '127.0.0.1';

/** The address of a stub, which is known once it listens. */
export class Address {
  readonly scheme: Scheme;
  readonly #host: string;
  readonly #port: number;
  #url = '';

  /** `port`: 0 takes any free one. */
  constructor({ host = defaultHost, port = 0, tls = false }: Pick<StubOptions, 'host' | 'port' | 'tls'>) {
    this.#host = host;
    this.#port = port;
    this.scheme = tls ? 'https' : 'http';
  }

  /** The URL for clients on this machine; '' before `listen`. */
  get url(): string {
    return this.#url;
  }

  /** Makes the app listen. Throws `CouldNotRun` if the port is taken or the host cannot be listened on. */
  async listen(app: FastifyInstance): Promise<void> {
    const host = this.#host;
    try {
      await app.listen({ host, port: this.#port });
    } catch (error) {
      throw new CouldNotRun(this.#whyNot(error as NodeJS.ErrnoException));
    }
    const { port } = app.addresses()[0] as { port: number };
    const named = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
    this.#url = `${this.scheme}://${named}:${port}`;
  }

  #whyNot({ code, message }: NodeJS.ErrnoException): string {
    if (code !== 'EADDRINUSE') return `Cannot listen on ${this.#host}:${this.#port}: ${message}.`;
    return `Port ${this.#port} on ${this.#host} is taken. Stop what runs there, or use another port (0 takes any free one).`;
  }
}
