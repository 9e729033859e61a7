import type { FastifyInstance } from 'fastify';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** The address of a stub, which is known once it listens. */
export class Address {
  readonly #host: string;
  readonly #port: number;
  #url = '';

  /** `port`: 0 takes any free one. */
  constructor({ host = '127.0.0.1', port = 0 }: { host?: string | undefined; port?: number | undefined }) {
    this.#host = host;
    this.#port = port;
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
    this.#url = `http://${named}:${port}`;
  }

  #whyNot({ code, message }: NodeJS.ErrnoException): string {
    if (code !== 'EADDRINUSE') return `Cannot listen on ${this.#host}:${this.#port}: ${message}.`;
    return `Port ${this.#port} on ${this.#host} is taken. Stop what runs there, or use another port (0 takes any free one).`;
  }
}
