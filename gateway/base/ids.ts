import { V7Generator } from 'uuidv7';

/** Random numbers are read from the system in batches, because each call costs more than the numbers. */
const randoms = new Uint32Array(1024);
let used = randoms.length;

/** Where the times and the random numbers of ids come from. */
export interface IdSource {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** A random number of 32 bits. */
  uint32(): number;
}

let source: IdSource = {
  now: () => Date.now(),
  // The system's source for keys.
  uint32() {
    if (used === randoms.length) {
      crypto.getRandomValues(randoms);
      used = 0;
    }
    return randoms[used++] as number;
  },
};

export const randomUint32 = (): number => source.uint32();

/** Hexadecimal digits of an id's time. */
const timeDigits = 12;

let generator = new V7Generator({ nextUint32: randomUint32 });

/** Makes ids from another source: the clock of the store, or the seed of the simulator. Returns a function that restores the last source. */
export function setIdSource(next: Partial<IdSource>): () => void {
  const last = source;
  source = { ...source, ...next };
  generator = new V7Generator({ nextUint32: randomUint32 });
  return () => {
    source = last;
    generator = new V7Generator({ nextUint32: randomUint32 });
  };
}

/** Ids are written here one after another: a buffer for each would cost as much as the rest of an id. */
const bytes = Buffer.alloc(16);

/**
 * Returns a new id such as `evt_019a...`: the prefix, then a UUID version 7 (RFC 9562). Ids with one prefix sort by
 * creation time, so keyset pages need no second column.
 */
export function newId(prefix: string): string {
  return written(prefix, generator.generateOrResetWithTs(source.now()).bytes);
}

/** Makes ids by a clock of its own. In one millisecond they still sort by creation. */
export function idMaker(prefix: string, now: () => number): () => string {
  const own = new V7Generator({ nextUint32: randomUint32 });
  return () => written(prefix, own.generateOrResetWithTs(now()).bytes);
}

function written(prefix: string, id: Readonly<Uint8Array>): string {
  bytes.set(id);
  return `${prefix}_${bytes.toString('hex')}`;
}

/**
 * Returns a new id that sorts after `last`, although that one may come from a process whose clock is ahead. Such an id is
 * dated one millisecond after `last`.
 */
export function newIdAfter(prefix: string, last: string): string {
  const id = newId(prefix);
  if (id > last) return id;
  return firstIdAt(prefix, timeOfId(last) + 1) + id.slice(prefix.length + 1 + timeDigits);
}

/** Returns the smallest id that can be created at `atMs`. Turns a range of times into a range of ids. */
export const firstIdAt = (prefix: string, atMs: number): string =>
  `${prefix}_${Math.max(0, Math.trunc(atMs)).toString(16).padStart(timeDigits, '0')}`;

/** Returns a new id that sorts as if it was created at `atMs`. */
export const newIdAt = (prefix: string, atMs: number): string =>
  firstIdAt(prefix, atMs) + newId(prefix).slice(prefix.length + 1 + timeDigits);

/** Returns when an id was created, in milliseconds since 1970; NaN if the id has another form. */
export function timeOfId(id: string): number {
  const [, digits = ''] = id.split('_');
  return Number.parseInt(digits.slice(0, timeDigits).padEnd(timeDigits, '0'), 16);
}
