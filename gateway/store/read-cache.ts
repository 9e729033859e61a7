import type { Clock } from '../base/clock.ts';

/** Bounds the memory of one cache: beyond so many entries it starts again. */
const maxEntries = 10_000;

export interface ReadCacheOptions<K, V> {
  clock: Clock;
  /**
   * An entry is read again after so many milliseconds. Writes of this process drop entries at once (`watch.ts`); a write of
   * another process on the scale tier is seen only when the entry is this old.
   */
  maxAgeMs: number;
  /** Undefined is not cached, so that keys that do not exist cannot fill the cache. */
  read(key: K): Promise<V | undefined>;
}

/** Keeps what was read from the store, so that not every call reads it again. */
export class ReadCache<K, V> {
  readonly #options: ReadCacheOptions<K, V>;
  readonly #entries = new Map<K, { value: V; readAt: number }>();
  /** The reads under way. Calls that come meanwhile share them, because otherwise a busy store would get one read for each call. */
  readonly #reading = new Map<K, Promise<V | undefined>>();
  #drops = 0;

  constructor(options: ReadCacheOptions<K, V>) {
    this.#options = options;
  }

  /** Returns what is kept at once, without a promise: every call asks. */
  get(key: K): V | undefined | Promise<V | undefined> {
    const readAt = this.#options.clock.now();
    const entry = this.#entries.get(key);
    if (entry && readAt - entry.readAt < this.#options.maxAgeMs) return entry.value;
    const known = this.#reading.get(key);
    if (known) return known;
    const reading = this.#read(key, readAt).finally(() => {
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    });
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(key: K, readAt: number): Promise<V | undefined> {
    this.#entries.delete(key);
    const drops = this.#drops;
    const value = await this.#options.read(key);
    // A write that was committed during the read may have changed what it returned.
    if (value === undefined || drops !== this.#drops) return value;
    if (this.#entries.size >= maxEntries) this.#entries.clear();
    this.#entries.set(key, { value, readAt });
    return value;
  }

  /** Drops these keys, or all of them; an undefined key is that of a new row, which is not cached. */
  drop(keys?: readonly (K | undefined)[]): void {
    this.#drops += 1;
    this.#reading.clear();
    if (keys === undefined) this.#entries.clear();
    else for (const key of keys) this.#entries.delete(key as K);
  }
}
