import type { Clock } from '../base/clock.ts';
import { partnerNames } from '../figures/partner-names.ts';
import type { Services } from '../http/api.ts';
import type { Rows } from '../store/port.ts';
import type { Partner } from '../store/tables/webhooks.ts';

/** How long a name that another process changed can be shown, as in the caches of callers. */
const sharedMaxAgeMs = 5000;
/** Bounds the memory: beyond so many names the cache starts again. */
const maxNames = 10_000;

/** Keeps the names of partners that lists show, so that a page with owners reads no more than one without. */
class OwnerNames {
  readonly #rows: Rows;
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #known = new Map<Partner, { name: string; readAt: number }>();
  #drops = 0;

  constructor(rows: Rows, clock: Clock, maxAgeMs: number) {
    this.#rows = rows;
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Reads those that are not known together. */
  async of(partners: ReadonlySet<Partner>): Promise<ReadonlyMap<Partner, string>> {
    const now = this.#clock.now();
    const names = new Map<Partner, string>();
    const unknown = new Set<Partner>();
    for (const partner of partners) {
      const entry = this.#known.get(partner);
      if (entry && now - entry.readAt < this.#maxAgeMs) names.set(partner, entry.name);
      else unknown.add(partner);
    }
    if (unknown.size === 0) return names;
    const drops = this.#drops;
    const read = await partnerNames(this.#rows, unknown);
    // A write that was committed during the read may have changed what it returned.
    const isFresh = drops === this.#drops;
    if (isFresh && this.#known.size + read.size > maxNames) this.#known.clear();
    for (const [partner, name] of read) {
      names.set(partner, name);
      if (isFresh) this.#known.set(partner, { name, readAt: now });
    }
    return names;
  }

  /** Drops these, or all of them. */
  drop(partners?: readonly Partner[]): void {
    this.#drops += 1;
    if (partners === undefined) this.#known.clear();
    else for (const partner of partners) this.#known.delete(partner);
  }
}

/** The caches by store. Reads in a transaction do not use the cache, because the transaction may have changed a name itself. */
const caches = new WeakMap<Rows, OwnerNames>();

/**
 * Lets names that are read from this store be kept. They follow its commits. If other processes write to the store as well,
 * names are read again when they are 5 s old.
 */
export function keepOwnerNames(
  { store, clock, onWrite }: Pick<Services, 'store' | 'clock' | 'onWrite'>,
  isShared: boolean,
): void {
  if (caches.has(store)) return;
  const names = new OwnerNames(store, clock, isShared ? sharedMaxAgeMs : Number.POSITIVE_INFINITY);
  // A row without an id is a new one, which has no name here.
  onWrite('accounts', (rows) => names.drop(rows?.map(({ id }): Partner => `account:${id ?? ''}`)));
  onWrite('users', (rows) => names.drop(rows?.map(({ id }): Partner => `user:${id ?? 0}`)));
  caches.set(store, names);
}

/** Returns the names of partners, those that exist. */
export const namesThrough = (rows: Rows, partners: ReadonlySet<Partner>): Promise<ReadonlyMap<Partner, string>> =>
  caches.get(rows)?.of(partners) ?? partnerNames(rows, partners);
