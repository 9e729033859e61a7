import type { Timers } from '../../base/clock.ts';

/** How long an attempt may run for a job to wait for its slot. After that the receiver counts as slow, and the job is parked. */
const maxWaitMs = 100;

interface Slots {
  /** When each running attempt began, by delivery id; the oldest comes first. */
  beganMs: Map<string, number>;
  waiting: Set<() => void>;
}

/** The attempts that this process is making, by endpoint. Uses timers, as sockets do, and not the gateway's clock. */
export class InFlight {
  readonly #timers: Timers;
  readonly #endpoints = new Map<string, Slots>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  begin(endpointId: string, deliveryId: string): void {
    const slots = this.#endpoints.get(endpointId) ?? { beganMs: new Map(), waiting: new Set() };
    this.#endpoints.set(endpointId, slots);
    slots.beganMs.set(deliveryId, this.#timers.elapsed());
  }

  end(endpointId: string, deliveryId: string): void {
    const slots = this.#endpoints.get(endpointId);
    if (!slots) return;
    slots.beganMs.delete(deliveryId);
    for (const wake of slots.waiting) wake();
    if (slots.beganMs.size === 0 && slots.waiting.size === 0) this.#endpoints.delete(endpointId);
  }

  /**
   * Resolves to true when an attempt at the endpoint ends. Resolves to false if the oldest one runs for longer than 100 ms,
   * or if this process makes none.
   */
  async waitForRoom(endpointId: string): Promise<boolean> {
    const slots = this.#endpoints.get(endpointId);
    const oldestMs = slots?.beganMs.values().next().value;
    if (!slots || oldestMs === undefined) return false;
    const leftMs = oldestMs + maxWaitMs - this.#timers.elapsed();
    if (leftMs <= 0) return false;
    return new Promise((resolve) => {
      const settle = (hasRoom: boolean) => {
        cancel();
        slots.waiting.delete(wake);
        resolve(hasRoom);
      };
      const wake = () => settle(true);
      const cancel = this.#timers.after(leftMs, () => settle(false));
      slots.waiting.add(wake);
    });
  }
}
