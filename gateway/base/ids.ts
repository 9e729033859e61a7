import { V7Generator } from 'uuidv7';

/** Random numbers from the system, many at a time: asking costs more than they do. */
const randoms = new Uint32Array(1024);
let used = randoms.length;

function nextUint32(): number {
  if (used === randoms.length) {
    crypto.getRandomValues(randoms);
    used = 0;
  }
  return randoms[used++] as number;
}

const generator = new V7Generator({ nextUint32 });

/**
 * A new identifier such as `evt_019a...`: a prefix that says what it names, then a UUID version 7 (RFC 9562),
 * so that ids of one kind sort by the time they were made and a keyset page needs no second column.
 */
export function newId(prefix: string): string {
  return `${prefix}_${generator.generate().toHex()}`;
}

/** The smallest id of this prefix that can be made at this instant: turns a time range into a range of ids. */
export function firstIdAt(prefix: string, atMs: number): string {
  return `${prefix}_${Math.max(0, Math.trunc(atMs)).toString(16).padStart(12, '0')}`;
}

/** The instant at which this id was made: `firstIdAt` the other way. Not a number for an id that is not ours. */
export function timeOfId(id: string): number {
  const [, digits = ''] = id.split('_');
  return Number.parseInt(digits.slice(0, 12).padEnd(12, '0'), 16);
}
