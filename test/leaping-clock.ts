import { ManualClock } from '../gateway/base/clock.ts';

/** A clock that can leap: the timers of the time between do not run, as in a process that was suspended. */
export class LeapingClock extends ManualClock {
  #leaptMs = 0;

  override now(): number {
    return super.now() + this.#leaptMs;
  }

  leap(byMs: number): void {
    this.#leaptMs += byMs;
  }
}
