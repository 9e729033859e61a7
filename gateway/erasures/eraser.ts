import type { Clock } from '../base/clock.ts';
import type { Feature } from '../base/features.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Logger } from '../base/log.ts';
import type { Lease, Store } from '../store/port.ts';
import type { DeliveryListener } from '../webhooks/model/listener.ts';
import { longestAttemptMs } from '../webhooks/model/lost-after.ts';
import { eraseStep } from './step.ts';

export interface EraserParts {
  store: Store;
  clock: Clock;
  keys: Keyring;
  log: Logger;
  listener: Pick<DeliveryListener, 'ended'>;
  /** Time limit of a request of an attempt, in milliseconds. */
  deadlineMs: number;
}

const [busyMs, idleMs] = [1000, 5000];
/** How old what a process knows of a delivery may be when its attempt begins: it waits for room, and for its start. */
const admissionMs = 30_000;

/** Performs erasures, one process at a time. Each step is a transaction, so another process can go on. */
export class Eraser implements Feature {
  readonly #parts: EraserParts;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isWoken = false;
  #closed = false;

  constructor(parts: EraserParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#cancel = undefined;
    this.#running = this.#round();
  }

  /** Begins a round now, because an erasure has begun. */
  wake(): void {
    this.#isWoken = true;
    if (this.#closed || !this.#cancel) return;
    this.#cancel();
    this.start();
  }

  /** Stops after the running step. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#running;
  }

  async #round(): Promise<void> {
    const { store, clock, log } = this.#parts;
    this.#isWoken = false;
    let isBusy = false;
    try {
      await store.alone('erasures', async (lease) => {
        isBusy = await this.#work(lease);
      });
    } catch (error) {
      log.error({ err: error }, 'erasure.failed');
    }
    if (this.#closed) return;
    if (this.#isWoken) this.start();
    else this.#cancel = clock.after(isBusy ? busyMs : idleMs, () => this.start(), { upkeep: !isBusy });
  }

  /** Returns true if an erasure waits. */
  async #work(lease: Lease): Promise<boolean> {
    const { store, clock, keys, listener, deadlineMs, log } = this.#parts;
    const settleMs = admissionMs + longestAttemptMs(deadlineMs);
    const running = await store.list('erasures', { where: { status: 'running' }, order: [['id', 'asc']] });
    let waiting = 0;
    for (const { id } of running) {
      for (;;) {
        if (this.#closed || !lease.isHeld()) return true;
        const { status, skipped } = await store.transaction((tx) => eraseStep(tx, id, { keys, now: clock.now(), settleMs }));
        if (skipped > 0) listener.ended('skipped', skipped);
        if (status === 'more') continue;
        if (status === 'waits') waiting += 1;
        else log.info({ erasureId: id }, 'erasure.done');
        break;
      }
    }
    return waiting > 0;
  }
}
