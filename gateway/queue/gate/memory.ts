import type { Clock } from '../../base/clock.ts';
import {
  type Answer,
  type Entry,
  type Gate,
  lookAgainMs,
  maxAheadMs,
  maxWaitMs,
  type Names,
  placeMs,
  toleranceMs,
} from './port.ts';

interface Endpoint {
  /** When each delivery's lease expires. */
  leases: Map<string, number>;
  /** When each delivery's place expires. */
  places: Map<string, number>;
  /** When the last admitted attempt starts, or should have started. */
  lastStartMs: number;
  /** The time from there to the next start. */
  spacingMs: number;
}

const admitted = (ms: number): Answer => ({ kind: 'admitted', ms: Math.ceil(ms) });
const full = (ms: number): Answer => ({ kind: 'full', ms: Math.ceil(ms) });

/** The gate of one process. */
export class MemoryGate implements Gate {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #earlyMs: number;
  readonly #endpoints = new Map<string, Endpoint>();

  /** `leaseMs` must be longer than an attempt. Jobs of deliveries with a place run `earlyMs` before their start. */
  constructor(clock: Clock, leaseMs: number, earlyMs = 0) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#earlyMs = earlyMs;
  }

  async enter(entries: readonly Entry[]): Promise<Answer[]> {
    const now = this.#clock.now();
    return entries.map((entry) => {
      const endpoint = this.#endpoint(entry);
      const answer = runningOf(endpoint, entry, now) ?? entering(endpoint, entry, now);
      if (answer.kind !== 'admitted') return answer;
      const startsAtMs = takeStart(endpoint, entry, now);
      endpoint.leases.set(entry.deliveryId, startsAtMs + this.#leaseMs);
      return admitted(entry.urgent ? 0 : startsAtMs - now);
    });
  }

  async leave(leases: readonly Names[]): Promise<void> {
    for (const { endpointId, deliveryId } of leases) {
      this.#endpoints.get(endpointId)?.leases.delete(deliveryId);
      this.#forgetIdle(endpointId);
    }
  }

  async reserve(entries: readonly Entry[]): Promise<Answer[]> {
    const now = this.#clock.now();
    return entries.map((entry) => {
      const endpoint = this.#endpoint(entry);
      const answer = runningOf(endpoint, entry, now) ?? reserving(endpoint, entry, now);
      if (answer.kind !== 'admitted') return answer;
      endpoint.places.set(entry.deliveryId, now + answer.ms + placeMs);
      return admitted(Math.max(0, answer.ms - this.#earlyMs));
    });
  }

  async release(places: readonly Names[]): Promise<void> {
    for (const { endpointId, deliveryId } of places) {
      this.#endpoints.get(endpointId)?.places.delete(deliveryId);
      this.#forgetIdle(endpointId);
    }
  }

  async delay(entries: readonly Entry[]): Promise<number[]> {
    const now = this.#clock.now();
    return entries.map((entry) => Math.ceil(takeStart(this.#endpoint(entry), entry, now) - now));
  }

  async inFlight(endpointIds: readonly string[]): Promise<number[]> {
    const now = this.#clock.now();
    return endpointIds.map((id) => {
      const endpoint = this.#endpoints.get(id);
      if (endpoint) dropExpired(endpoint, now);
      return endpoint ? endpoint.leases.size + endpoint.places.size : 0;
    });
  }

  #endpoint({ endpointId }: Names): Endpoint {
    const endpoint = this.#endpoints.get(endpointId) ?? { leases: new Map(), places: new Map(), lastStartMs: 0, spacingMs: 0 };
    this.#endpoints.set(endpointId, endpoint);
    return endpoint;
  }

  #forgetIdle(endpointId: string): void {
    const endpoint = this.#endpoints.get(endpointId);
    if (!endpoint || endpoint.leases.size + endpoint.places.size > 0) return;
    if (endpoint.lastStartMs + endpoint.spacingMs <= this.#clock.now()) this.#endpoints.delete(endpointId);
  }
}

function runningOf({ leases }: Endpoint, { deliveryId }: Entry, now: number): Answer | undefined {
  const endsAt = leases.get(deliveryId) ?? 0;
  return endsAt > now ? { kind: 'running', ms: endsAt - now } : undefined;
}

/** A delivery with a place is always admitted. */
function entering(endpoint: Endpoint, entry: Entry, now: number): Answer {
  const hadPlace = (endpoint.places.get(entry.deliveryId) ?? 0) > now;
  endpoint.places.delete(entry.deliveryId);
  if (hadPlace || entry.urgent) return admitted(0);
  if (!hasRoom(endpoint, entry, now)) return full(lookAgainMs);
  const waitMs = waitFor(endpoint, entry, now);
  return waitMs > maxWaitMs ? full(waitMs) : admitted(0);
}

function reserving(endpoint: Endpoint, entry: Entry, now: number): Answer {
  const endsAt = endpoint.places.get(entry.deliveryId) ?? 0;
  if (endsAt > now) return full(lookAgainMs);
  if (entry.urgent) return admitted(0);
  if (!hasRoom(endpoint, entry, now)) return full(lookAgainMs);
  const waitMs = waitFor(endpoint, entry, now);
  return waitMs > maxAheadMs ? full(waitMs - maxAheadMs / 2) : admitted(waitMs);
}

function hasRoom(endpoint: Endpoint, { maxInFlight }: Entry, now: number): boolean {
  if (endpoint.leases.size + endpoint.places.size < maxInFlight) return true;
  dropExpired(endpoint, now);
  return endpoint.leases.size + endpoint.places.size < maxInFlight;
}

/** Returns how long until an attempt could start after all that were admitted or have a place. */
function waitFor(endpoint: Endpoint, { maxPerSecond }: Entry, now: number): number {
  if (maxPerSecond === null) return 0;
  dropExpired(endpoint, now);
  const spacingMs = 1000 / maxPerSecond;
  return Math.max(0, endpoint.lastStartMs + spacingMs - now) + endpoint.places.size * spacingMs;
}

/** Returns the earliest start that the limit per second allows, and takes it. */
function takeStart(endpoint: Endpoint, { maxPerSecond }: Entry, now: number): number {
  if (maxPerSecond === null) return now;
  endpoint.spacingMs = 1000 / maxPerSecond;
  const nextMs = endpoint.lastStartMs + endpoint.spacingMs;
  endpoint.lastStartMs = nextMs < now - toleranceMs ? now : nextMs;
  return Math.max(now, nextMs);
}

function dropExpired({ leases, places }: Endpoint, now: number): void {
  for (const kept of [leases, places]) for (const [id, endsAt] of kept) if (endsAt <= now) kept.delete(id);
}
