import { isInCall } from '../../base/in-call.ts';

/**
 * Lets one after another have the connection. While calls and the gateway's own work both wait, they have it in turns. A
 * delivery waits several times, and many calls come meanwhile: in one queue with them it would get next to nothing.
 */
export class Turns {
  readonly #waiting = { call: [] as (() => void)[], own: [] as (() => void)[] };
  #current: 'call' | 'own' | undefined;

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async take(kind: 'call' | 'own' = isInCall() ? 'call' : 'own'): Promise<() => void> {
    if (this.#current) await new Promise<void>((resolve) => this.#waiting[kind].push(resolve));
    this.#current = kind;
    let isEnded = false;
    return () => {
      if (!isEnded) this.#next();
      isEnded = true;
    };
  }

  #next(): void {
    const { call, own } = this.#waiting;
    const begin = this.#current === 'call' ? (own.shift() ?? call.shift()) : (call.shift() ?? own.shift());
    if (begin) begin();
    else this.#current = undefined;
  }
}
