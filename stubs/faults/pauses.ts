import type { ServerResponse } from 'node:http';
import type { Clock } from '../../gateway/base/clock.ts';

/** Waits that hold up one reply and nothing else. */
export class Pauses {
  readonly #clock: Clock;
  readonly #running = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True after `ms`; false as soon as the client has gone away. */
  pause(ms: number, response: ServerResponse): Promise<boolean> {
    if (response.socket?.destroyed || response.destroyed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (there: boolean) => {
        cancel();
        response.off('close', gone);
        this.#running.delete(over);
        resolve(there);
      };
      const gone = () => end(false);
      const over = () => end(true);
      const cancel = this.#clock.after(ms, over);
      response.once('close', gone);
      this.#running.add(over);
    });
  }

  /** Ends all waits now: a server that closes does not sit out its delays. */
  endAll(): void {
    for (const over of this.#running) over();
  }
}
