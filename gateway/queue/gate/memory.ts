import type { Clock } from '../../base/clock.ts';
import {
  type Answer,
  type Entered,
  type Entry,
  type Gate,
  type Lease,
  lookAgainMs,
  maxAheadMs,
  maxWaitMs,
  type Names,
  placeMs,
  toleranceMs,
} from './port.ts';

interface Endpoint {
  leases: Map<string, Lease>;
  places: Map<string, Pick<Lease, 'endsMs'>>;
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

  async enter(entries: readonly Entry[]): Promise<Entered[]> {
    const now = this.#clock.now();
    this.#leave(entries.flatMap(({ instead }) => instead ?? []));
    return entries.map((entry) => {
      const endpoint = this.#endpoint(entry);
      const answer = runningOf(endpoint, entry, now) ?? entering(endpoint, entry, now);
      if (answer.kind !== 'admitted') return { kind: answer.kind, ms: answer.ms };
      const startsAtMs = takeStart(endpoint, entry, now);
      const { endpointId, deliveryId } = entry;
      const lease = { endpointId, deliveryId, endsMs: startsAtMs + this.#leaseMs };
      endpoint.leases.set(deliveryId, lease);
      return { kind: 'admitted', ms: entry.urgent ? 0 : Math.ceil(startsAtMs - now), lease };
    });
  }

  async leave(leases: readonly Lease[]): Promise<void> {
    this.#leave(leases);
  }

  #leave(leases: readonly Lease[]): void {
    for (const lease of leases) {
      const { endpointId, deliveryId } = lease;
      const held = this.#endpoints.get(endpointId)?.leases;
      if (held?.get(deliveryId) === lease) held.delete(deliveryId);
      this.#forgetIdle(endpointId);
    }
  }

  async reserve(entries: readonly Entry[]): Promise<Answer[]> {
    const now = this.#clock.now();
    return entries.map((entry) => {
      const endpoint = this.#endpoint(entry);
      const answer = runningOf(endpoint, entry, now) ?? reserving(endpoint, entry, now);
      if (answer.kind !== 'admitted') return answer;
      endpoint.places.set(entry.deliveryId, { endsMs: now + answer.ms + placeMs });
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

function runningOf({ leases, places }: Endpoint, { deliveryId, instead }: Entry, now: number): Answer | undefined {
  const placedUntil = instead ? places.get(deliveryId)?.endsMs : undefined;
  const endsMs = Math.max(leases.get(deliveryId)?.endsMs ?? 0, placedUntil ?? 0);
  return endsMs > now ? { kind: 'running', ms: endsMs - now } : undefined;
}

/** A delivery with a place is always admitted. */
function entering(endpoint: Endpoint, entry: Entry, now: number): Answer {
  const hadPlace = (endpoint.places.get(entry.deliveryId)?.endsMs ?? 0) > now;
  endpoint.places.delete(entry.deliveryId);
  if (hadPlace || entry.urgent) return admitted(0);
  if (!hasRoom(endpoint, entry, now)) return full(lookAgainMs);
  const waitMs = waitFor(endpoint, entry, now);
  return waitMs > maxWaitMs ? full(waitMs) : admitted(0);
}

function reserving(endpoint: Endpoint, entry: Entry, now: number): Answer {
  const endsMs = endpoint.places.get(entry.deliveryId)?.endsMs ?? 0;
  if (endsMs > now) return full(lookAgainMs);
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

/** Returns the time until an attempt could start, after all attempts that were admitted and all deliveries with a place. */
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
  for (const kept of [leases, places]) for (const [id, { endsMs }] of kept) if (endsMs <= now) kept.delete(id);
}
