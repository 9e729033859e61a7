import { urlsOfHosts } from '../../base/hosts.ts';

/** The servers of a DATABASE_URL, of which one accepts writes: after a failover it is another one. */
export class Hosts {
  readonly #urls: readonly string[];
  #at = 0;

  constructor(databaseUrl: string) {
    this.#urls = urlsOfHosts(databaseUrl);
  }

  get count(): number {
    return this.#urls.length;
  }

  get current(): string {
    return this.#urls[this.#at] as string;
  }

  /** Goes on to the next host, unless another connection has noticed first that this one takes no writes. */
  passOver(url: string): void {
    if (url === this.current) this.#at = (this.#at + 1) % this.#urls.length;
  }
}
