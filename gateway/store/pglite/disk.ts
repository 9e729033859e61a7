import { statfsSync } from 'node:fs';

/** Two segments of the write-ahead log. If it cannot grow, PostgreSQL panics. */
const reserveBytes = 32 * 1024 * 1024;
const checkEveryMs = 20;

/** Watches the free space of the disk with the database, so that the last of it is kept for what is under way. */
export class DiskSpace {
  readonly #folder: string;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #isLow = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns true while the reserve is all that is left. To return to false, half as much again must be free. */
  isLow(): boolean {
    const nowMs = performance.now();
    if (!this.#isLow && nowMs - this.#checkedAtMs < checkEveryMs) return false;
    this.#checkedAtMs = nowMs;
    const { bavail, bsize } = statfsSync(this.#folder);
    this.#isLow = bavail * bsize < reserveBytes * (this.#isLow ? 1.5 : 1);
    return this.#isLow;
  }
}
