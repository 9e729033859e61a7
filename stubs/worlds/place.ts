import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../gateway/http/api.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Assumptions } from '../assume/assumptions.ts';
import type { Address } from '../listen-on.ts';
import { marksOf } from './credentials.ts';

/** Where a world is: behind the socket of its stub, for the calls with its credentials and those below its address. */
export class WorldPlace implements Pick<Address, 'url' | 'scheme' | 'listen'> {
  readonly name: string;
  readonly url: string;
  readonly scheme: Address['scheme'];
  /** When it was called last, in milliseconds since 1970 of the machine's clock. */
  usedAtMs = Date.now();
  readonly #leave: () => void;
  readonly #marks = new Set<string>();
  #tokens: () => NonNullable<Assumptions['live']>['tokens'] = () => [];
  #app: FastifyInstance | undefined;
  #callsInFlight = 0;
  #allEnded = () => {};

  constructor(stub: Pick<Address, 'url' | 'scheme'>, { name, leave }: { name: string; leave: () => void }) {
    this.name = name;
    this.url = `${stub.url}/_stub/worlds/${name}`;
    this.scheme = stub.scheme;
    this.#leave = leave;
  }

  /** Learns the credentials that exist in the world. */
  async follow(api: ServiceName, services: Services, assumptions: Assumptions): Promise<void> {
    this.#tokens = () => assumptions.live?.tokens ?? [];
    await marksOf(api).follow(services, (mark) => this.#marks.add(mark));
  }

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /** The authorization of a call as the world reads it: an alternative may have the token in another header. */
  authorizationIn(headers: IncomingHttpHeaders): string | undefined {
    return this.#tokens().reduce((value, read) => read(value, headers), headers.authorization);
  }

  async listen(app: FastifyInstance): Promise<void> {
    app.addHook('onClose', () => this.#callsEnd());
    await app.ready();
    this.#app = app;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.usedAtMs = Date.now();
    this.#callsInFlight += 1;
    response.once('close', () => {
      this.#callsInFlight -= 1;
      if (this.#callsInFlight === 0) this.#allEnded();
    });
    this.#app?.routing(request, response);
  }

  /** From now on no call comes here. */
  leave(): void {
    this.#leave();
  }

  #callsEnd(): Promise<void> | undefined {
    return this.#callsInFlight === 0 ? undefined : new Promise((resolve) => (this.#allEnded = resolve));
  }
}
