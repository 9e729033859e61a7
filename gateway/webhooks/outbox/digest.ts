import { firstIdAt } from '../../base/ids.ts';
import type { Rows, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { type Reader, wantsEvent, withoutTests } from './feed.ts';
import { type HourDigest, HourDigests } from './hours.ts';

const mostRead = 500;

const readable = (rows: Rows, reader: Reader, events: readonly Row<'events'>[]) =>
  withoutTests(
    rows,
    events.filter((event) => wantsEvent(reader, event)),
  );

/** Returns the hours of a period that have events which the reader may see, with their ids if `withIds` is set. */
export async function digestOf(
  rows: Rows,
  reader: Reader,
  { fromMs, toMs, withIds }: { fromMs: number; toMs: number; withIds: boolean },
): Promise<HourDigest[]> {
  const hours = new HourDigests({ withIds });
  const { service, visible } = reader;
  // Without events that have no subject, the index on subjects finds only what the reader may see.
  const subject = visible.subjects === null || visible.unscoped ? undefined : { in: visible.subjects };
  const end = firstIdAt('evt', toMs);
  for (let [after, more] = [firstIdAt('evt', fromMs), true]; more; ) {
    const where: Where<'events'> = { service, subject, id: { gt: after, lt: end } };
    const events = await rows.list('events', { where, order: [['id', 'asc']], limit: mostRead });
    hours.add((await readable(rows, reader, events)).map(({ id }) => id));
    after = events.at(-1)?.id ?? after;
    more = events.length === mostRead;
  }
  return hours.end();
}

/** Returns the events with these ids that the reader may see, in the order of their ids. */
export const readByIds = async (rows: Rows, reader: Reader, ids: readonly string[]): Promise<Row<'events'>[]> =>
  readable(rows, reader, await rows.list('events', { where: { id: { in: ids } }, order: [['id', 'asc']] }));
