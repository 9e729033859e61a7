import type { ServerResponse } from 'node:http';
import type { Clock } from '../../gateway/base/clock.ts';

/** Timers that delay single replies. */
export class Pauses {
  readonly #clock: Clock;
  readonly #running = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with true after `ms`, or with false as soon as the client closes the connection. */
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

  /** Ends all pauses now, so that a closing server does not wait for its delays. */
  endAll(): void {
    for (const over of this.#running) over();
  }
}
