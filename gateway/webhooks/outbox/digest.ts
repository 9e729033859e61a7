import { createHash, type Hash } from 'node:crypto';
import { firstIdAt, timeOfId } from '../../base/ids.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Reader, wantsEvent, withoutTests } from './feed.ts';

export const hourMs = 3_600_000;

/** The events of an hour by the time in their ids, so that whoever has the ids can tell the hour. */
export interface HourDigest {
  /** Its beginning, in milliseconds since 1970. */
  startMs: number;
  count: number;
  /** SHA-256 of the ids in ascending order, each followed by a line feed. */
  hash: string;
  ids: string[];
}

const mostRead = 500;

/** Returns the hours of a period that have events which the reader may see, with their ids if `withIds` is set. */
export async function digestOf(
  rows: Rows,
  reader: Reader,
  { fromMs, toMs, withIds }: { fromMs: number; toMs: number; withIds: boolean },
): Promise<HourDigest[]> {
  const hours: (Omit<HourDigest, 'hash'> & { hash: Hash })[] = [];
  const { service, visible } = reader;
  // Without events that have no subject, the index on subjects finds only what the reader may see.
  const subject = visible.subjects === null || visible.unscoped ? undefined : { in: visible.subjects };
  const end = firstIdAt('evt', toMs);
  for (let [after, more] = [firstIdAt('evt', fromMs), true]; more; ) {
    const where: Where<'events'> = { service, subject, id: { gt: after, lt: end } };
    const events = await rows.list('events', { where, order: [['id', 'asc']], limit: mostRead });
    for (const { id } of await withoutTests(
      rows,
      events.filter((event) => wantsEvent(reader, event)),
    )) {
      const startMs = Math.floor(timeOfId(id) / hourMs) * hourMs;
      if (hours.at(-1)?.startMs !== startMs) hours.push({ startMs, count: 0, hash: createHash('sha256'), ids: [] });
      const hour = hours.at(-1) as (typeof hours)[number];
      hour.count += 1;
      hour.hash.update(`${id}\n`);
      if (withIds) hour.ids.push(id);
    }
    after = events.at(-1)?.id ?? after;
    more = events.length === mostRead;
  }
  return hours.map(({ hash, ...hour }) => ({ ...hour, hash: hash.digest('hex') }));
}
