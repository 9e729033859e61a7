import { createHash, type Hash } from 'node:crypto';
import { timeOfId } from '../../base/ids.ts';

export const hourMs = 3_600_000;

/** The events of an hour by the time in their ids, so that whoever has the ids can tell the hour. */
export interface HourDigest {
  /** Its beginning, in milliseconds since 1970. */
  startMs: number;
  count: number;
  /** SHA-256, hexadecimal, of the ids in ascending order, each followed by a line feed. */
  hash: string;
  ids: string[];
}

/** Makes the digests of hours from ids. The gateway and `passerelle reconcile` have the same. */
export class HourDigests {
  readonly #withIds: boolean;
  readonly #hours: (Omit<HourDigest, 'hash'> & { hash: Hash })[] = [];

  constructor({ withIds }: { withIds: boolean }) {
    this.#withIds = withIds;
  }

  /** Adds ids, which must come in ascending order. */
  add(ids: Iterable<string>): this {
    for (const id of ids) {
      const startMs = Math.floor(timeOfId(id) / hourMs) * hourMs;
      let hour = this.#hours.at(-1);
      if (hour?.startMs !== startMs) {
        hour = { startMs, count: 0, hash: createHash('sha256'), ids: [] };
        this.#hours.push(hour);
      }
      hour.count += 1;
      hour.hash.update(`${id}\n`);
      if (this.#withIds) hour.ids.push(id);
    }
    return this;
  }

  /** Returns the hours that have ids. Call it once. */
  end(): HourDigest[] {
    return this.#hours.map(({ hash, ...hour }) => ({ ...hour, hash: hash.digest('hex') }));
  }
}
