import { pause, type Timers } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../store/port.ts';
import type { FailureWindow, HealthEvidence } from '../endpoints/health.ts';
import type { Lanes } from './lanes.ts';
import { lockFree } from './lock-free.ts';
import { type RecordHealthRules, recordHealth } from './record-health.ts';

export interface DeferredHealthParts extends RecordHealthRules {
  store: Store;
  log: Logger;
  timers: Timers;
  lanes: Pick<Lanes, 'check'>;
  window: FailureWindow;
  /** Aborts when this process stops. Evidence that still waits is dropped: the next attempts show the same. */
  stopping: AbortSignal;
  wakeFanout(): void;
}

const retryMs = 250;

/** Evidence about endpoints whose rows another transaction has locked. It changes their health as soon as they are free. */
export class DeferredHealth {
  readonly #parts: DeferredHealthParts;
  readonly #waiting = new Map<string, HealthEvidence[]>();

  constructor(parts: DeferredHealthParts) {
    this.#parts = parts;
  }

  add(endpointId: string, evidence: HealthEvidence): void {
    const waiting = this.#waiting.get(endpointId);
    if (waiting) {
      waiting.push(evidence);
      return;
    }
    this.#waiting.set(endpointId, [evidence]);
    void this.#applyWhenFree(endpointId);
  }

  async #applyWhenFree(endpointId: string): Promise<void> {
    const { log, timers, stopping } = this.#parts;
    while (this.#waiting.has(endpointId)) {
      await pause(timers, retryMs, stopping);
      if (stopping.aborted) return;
      await this.#apply(endpointId).catch((error) => log.warn({ err: error, endpointId }, 'endpoint.health_waits'));
    }
  }

  async #apply(endpointId: string): Promise<void> {
    const { store, lanes, window, wakeFanout } = this.#parts;
    const evidence = [...(this.#waiting.get(endpointId) ?? [])];
    const { isLocked, changed } = await store.transaction(async (tx) => {
      const { rows, locked } = await lockFree(tx, 'endpoints', [endpointId]);
      const endpoint = rows.get(endpointId);
      const changed = endpoint && (await recordHealth(tx, endpoint, evidence, window, this.#parts));
      return { isLocked: locked.has(endpointId), changed };
    });
    if (changed?.hasEvents) wakeFanout();
    if (changed?.hasHoldChanged) lanes.check([endpointId]);
    if (isLocked) return;
    const later = this.#waiting.get(endpointId)?.slice(evidence.length) ?? [];
    if (later.length > 0) this.#waiting.set(endpointId, later);
    else this.#waiting.delete(endpointId);
  }
}
