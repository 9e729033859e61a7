import type { Clock } from '../../base/clock.ts';
import { type Entry, type Gate, lookAgainMs } from './port.ts';

interface Admissions {
  /** When each delivery's lease expires. */
  leases: Map<string, number>;
  /** The earliest start of the next attempt. Each admitted attempt moves it by its share of a second. */
  nextAtMs: number;
}

/** The gate of one process. */
export class MemoryGate implements Gate {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #endpoints = new Map<string, Admissions>();

  /** `leaseMs` must be longer than an attempt and its wait in the queue. */
  constructor(clock: Clock, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  async enter(entries: readonly Entry[]): Promise<(number | null)[]> {
    const now = this.#clock.now();
    return entries.map((entry) => this.#enter(entry, now));
  }

  async leave(entries: readonly Pick<Entry, 'endpointId' | 'deliveryId'>[]): Promise<void> {
    const now = this.#clock.now();
    for (const { endpointId, deliveryId } of entries) {
      const place = this.#endpoints.get(endpointId);
      if (!place) continue;
      place.leases.delete(deliveryId);
      if (place.leases.size === 0 && place.nextAtMs <= now) this.#endpoints.delete(endpointId);
    }
  }

  async inFlight(endpointIds: readonly string[]): Promise<number[]> {
    const now = this.#clock.now();
    return endpointIds.map((id) => {
      const { leases } = this.#endpoints.get(id) ?? { leases: new Map<string, number>() };
      dropExpired(leases, now);
      return leases.size;
    });
  }

  #enter({ endpointId, deliveryId, maxInFlight, maxPerSecond }: Entry, now: number): number | null {
    const place = this.#endpoints.get(endpointId) ?? { leases: new Map(), nextAtMs: 0 };
    this.#endpoints.set(endpointId, place);
    if (!place.leases.has(deliveryId)) {
      if (place.leases.size >= maxInFlight) dropExpired(place.leases, now);
      if (place.leases.size >= maxInFlight) return lookAgainMs;
      if (maxPerSecond !== null) {
        if (place.nextAtMs > now) return Math.ceil(place.nextAtMs - now);
        place.nextAtMs = Math.max(place.nextAtMs, now - 1000) + 1000 / maxPerSecond;
      }
    }
    place.leases.set(deliveryId, now + this.#leaseMs);
    return null;
  }
}

function dropExpired(leases: Map<string, number>, now: number): void {
  for (const [deliveryId, endsAt] of leases) if (endsAt <= now) leases.delete(deliveryId);
}
