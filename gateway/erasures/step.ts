import type { Keyring } from '../base/keyring.ts';
import type { Rows, Where } from '../store/port.ts';
import { type Row, type TableName, tables } from '../store/tables/index.ts';
import { skipDeliveries } from '../webhooks/model/skip.ts';
import { emptied, otherTables, withoutNumber } from './contents.ts';
import type { Erasure } from './erasures.ts';
import { holds, patternOf } from './number.ts';

type Key = (string | number)[];

export interface StepParts {
  keys: Keyring;
  now: number;
  /** How long after its admission an attempt has ended. */
  settleMs: number;
}

export interface Stepped {
  /** `waits`: the next step is not possible yet. */
  status: 'more' | 'waits' | 'done';
  /** Deliveries that it ended. */
  skipped: number;
}

/** Bounds of one step. The deliveries of one event stay together, even if they are more. */
const [maxRows, maxEvents, maxDeliveries] = [200, 50, 2000];

/** A step's erasure, and what it has found so far. */
interface Work {
  tx: Rows;
  erasure: Erasure;
  now: number;
  /** Undefined unless the erasure is by number. */
  pattern: RegExp | undefined;
  found: Record<string, number>;
  skipped: number;
}

/** The rows after the last one that was read. */
interface Page {
  position: Key | null;
  isLast: boolean;
  waits?: boolean;
}

/**
 * The stages of an erasure, in this order. `remains` is the second pass: it empties what was in flight when its event was erased,
 * such as the record of an attempt, and notes which endpoints got it. By number, the stages of records come after it, and also
 * find what was recorded meanwhile.
 */
function stagesOf({ target, dry_run }: Erasure): string[] {
  const isByNumber = target.by === 'number';
  return ['events', ...(isByNumber ? otherTables : []), ...(dry_run ? [] : ['remains']), ...(isByNumber ? records : [])];
}
const records: readonly TableName[] = ['attempts', 'calls'];

/** Erases one page. Its transaction also stores how far it came, so that any process can go on. */
export async function eraseStep(tx: Rows, id: string, { keys, now, settleMs }: StepParts): Promise<Stepped> {
  const erasure = await tx.get('erasures', { id }, { lock: true });
  if (erasure?.status !== 'running') return { status: 'done', skipped: 0 };
  const { stage, settled_at, number_secret } = erasure;
  if (stage === 'remains' && (settled_at ?? 0) > now) return { status: 'waits', skipped: 0 };
  const pattern = number_secret === null ? undefined : patternOf(keys.open(number_secret));
  const work: Work = { tx, erasure, now, pattern, found: { ...erasure.found }, skipped: 0 };
  const page = await (stage === 'events' || stage === 'remains' ? eraseEvents(work) : eraseRows(work, stage as TableName));
  const next = page.isLast ? stagesOf(erasure)[stagesOf(erasure).indexOf(stage) + 1] : stage;
  await tx.update(
    'erasures',
    { id },
    {
      found: work.found,
      position: page.isLast ? null : page.position,
      updated_at: now,
      ...(next === undefined ? { status: 'done', ended_at: now, number_secret: null } : { stage: next }),
      ...(stage === 'events' && page.isLast && !erasure.dry_run ? { settled_at: now + settleMs } : {}),
    },
  );
  return { status: next === undefined ? 'done' : page.waits ? 'waits' : 'more', skipped: work.skipped };
}

const add = ({ found }: Work, table: string, count: number) => {
  if (count > 0) found[table] = (found[table] ?? 0) + count;
};

/** Takes the number out of the next rows of a table. */
async function eraseRows(work: Work, table: TableName): Promise<Page> {
  const { tx, erasure, pattern } = work;
  const rows = await pageAfter(tx, table, erasure.position);
  for (const row of rows) {
    if (!pattern || !(withoutNumber(table, row, pattern) ?? holds(pattern, keyOf(table, row)))) continue;
    if (erasure.dry_run && !(await isOfEvent(work, table, row))) add(work, table, 1);
    if (!erasure.dry_run) await eraseRow(work, table, row, pattern);
  }
  const last = rows.at(-1);
  return { position: last ? keyOf(table, last) : null, isLast: rows.length < maxRows };
}

async function eraseRow<T extends TableName>(work: Work, table: T, row: Row<T>, pattern: RegExp): Promise<void> {
  const where = Object.fromEntries(tables[table].key.map((part) => [part, row[part as keyof Row<T>]])) as Where<T>;
  // A client chose the key: it may be the number. The event's stage may have counted it.
  if (table === 'idempotency_keys' && holds(pattern, keyOf(table, row))) {
    await work.tx.remove(table, where);
    return add(work, table, emptied(table, row) ? 1 : 0);
  }
  const current = await work.tx.get(table, where, { lock: true });
  const change = current && withoutNumber(table, current, pattern);
  if (change) add(work, table, (await work.tx.update(table, where, change)).length);
}

/** True for a record of an event that the dry run has already counted together with its records. */
async function isOfEvent({ tx, pattern }: Work, table: TableName, row: object): Promise<boolean> {
  if (!pattern) return false;
  const counted = (events: Row<'events'>[]) => events.some(({ body }) => holds(pattern, body));
  if (table === 'calls') return counted(await tx.list('events', { where: { caused_by: (row as Row<'calls'>).id } }));
  if (table !== 'attempts') return false;
  const delivery = await tx.get('deliveries', { id: (row as Row<'attempts'>).delivery_id });
  return counted(await tx.list('events', { where: { id: delivery?.event_id ?? '' } }));
}

async function eraseEvents(work: Work): Promise<Page> {
  const { tx, erasure, pattern } = work;
  const listed = await nextEvents(work);
  const last = listed.at(-1);
  const end: Page = { position: last ? [last.id] : null, isLast: listed.length < (pattern ? maxRows : maxEvents) };
  const isRest = erasure.stage === 'remains';
  const wanted = listed.filter(({ body, erased_by }) => isRest || (erased_by === null && (!pattern || holds(pattern, body))));
  if (wanted.length === 0) return end;
  const ids = { in: wanted.map(({ id }) => id) };
  // Locks the events, as the fan-out does. The fan-out needs the content, so it must be done first.
  const locked = erasure.dry_run ? wanted : await tx.list('events', { where: { id: ids }, order: [['id', 'asc']], lock: true });
  const waits = erasure.dry_run ? -1 : locked.findIndex(({ fanned_out_at }) => fanned_out_at === null);
  const ready = cutToStep(waits < 0 ? locked : locked.slice(0, waits));
  await emptyEvents(work, ready);
  if (ready.length === wanted.length) return end;
  const position = ready.length === 0 ? erasure.position : [ready.at(-1)?.id ?? ''];
  return { position, isLast: false, waits: ready.length === waits };
}

function nextEvents({ tx, erasure: { id: erasure_id, stage, target, position }, pattern }: Work): Promise<Row<'events'>[]> {
  const id = { gt: String(position?.[0] ?? '') };
  const find = (where: Where<'events'>, limit: number) => tx.list('events', { where, order: [['id', 'asc']], limit });
  if (stage === 'remains') return find({ erased_by: erasure_id, id }, pattern ? maxRows : maxEvents);
  if (target.by === 'subject') return find({ subject: target.subject, id }, maxEvents);
  if (target.by === 'number') return find({ id }, maxRows);
  const left = target.event_ids.filter((one) => one > id.gt).slice(0, maxEvents);
  return find({ id: { in: left } }, maxEvents);
}

function cutToStep(events: Row<'events'>[]): Row<'events'>[] {
  let deliveries = 0;
  const end = events.findIndex(({ matched }, index) => {
    deliveries += matched ?? 0;
    return index >= maxEvents || (index > 0 && deliveries > maxDeliveries);
  });
  return end === -1 ? events : events.slice(0, end);
}

/** Empties events, their attempts, the calls that caused them and the replies that these may repeat. Ends what is pending. */
async function emptyEvents(work: Work, events: Row<'events'>[]): Promise<void> {
  const { tx, erasure, now } = work;
  if (events.length === 0) return;
  const inEvents = { event_id: { in: events.map(({ id }) => id) } };
  const isRest = erasure.stage === 'remains';
  if (!isRest) add(work, 'events', events.length);
  if (!isRest && !erasure.dry_run)
    await tx.revise(
      'events',
      events.map((event) => ({ id: event.id, body: event.body, ...emptied('events', event), erased_by: erasure.id })),
    );
  const pending = { ...inEvents, status: 'pending' as const };
  if (erasure.dry_run) add(work, 'deliveries', await tx.count('deliveries', pending));
  else work.skipped = await skipDeliveries(tx, pending, { reason: 'erased', now });
  add(work, 'deliveries', work.skipped);
  // Nobody can resend it any more, so it would block for ever.
  if (!erasure.dry_run)
    await tx.update('deliveries', { ...inEvents, status: 'failed', order_key: { not: null } }, { order_key: null });
  const deliveries = await tx.list('deliveries', { where: inEvents });
  if (erasure.dry_run || isRest) await noteReceivers(work, deliveries);
  await empty(work, 'attempts', await tx.list('attempts', { where: { delivery_id: { in: deliveries.map(({ id }) => id) } } }));
  const causes = [...new Set(events.flatMap(({ caused_by }) => (caused_by?.startsWith('call_') ? [caused_by] : [])))];
  const calls = causes.length === 0 ? [] : await tx.list('calls', { where: { id: { in: causes } } });
  await empty(work, 'calls', calls);
  // A dry run by number counts these replies in a later stage, because they contain the number too.
  if (erasure.dry_run && work.pattern) return;
  for (const { caller, request_headers } of calls) {
    const [, account_id] = /^account:(.+)$/.exec(caller ?? '') ?? [];
    const idempotency_key = request_headers['idempotency-key'];
    if (account_id === undefined || typeof idempotency_key !== 'string') continue;
    await empty(work, 'idempotency_keys', await tx.list('idempotency_keys', { where: { account_id, idempotency_key } }));
  }
}

/** Takes the content out of rows. */
async function empty<T extends 'attempts' | 'calls' | 'idempotency_keys'>(work: Work, table: T, rows: Row<T>[]): Promise<void> {
  const { tx, erasure } = work;
  const full = rows.filter((row) => emptied(table, row) !== undefined);
  if (!erasure.dry_run) {
    for (const row of full) {
      const where = Object.fromEntries(tables[table].key.map((part) => [part, row[part as keyof Row<T>]])) as Where<T>;
      await tx.update(table, where, emptied(table, row) as Partial<Row<T>>);
    }
  }
  add(work, table, full.length);
}

async function noteReceivers({ tx, erasure }: Work, deliveries: Row<'deliveries'>[]): Promise<void> {
  const got = deliveries.filter(({ status, attempts }) => status === 'delivered' || attempts > 0);
  const groups = [...Map.groupBy(got, ({ endpoint_id }) => endpoint_id)];
  await tx.tally(
    'erasure_receivers',
    groups.map(([endpoint_id, own]) => {
      const delivered = own.filter(({ status }) => status === 'delivered').length;
      return { erasure_id: erasure.id, endpoint_id, delivered, attempted: own.length - delivered };
    }),
  );
}

const keyOf = (table: TableName, row: object): Key =>
  tables[table].key.map((part) => (row as Record<string, string | number>)[part] as string | number);

/** Returns the rows of a table after a key, in the order of the keys. */
async function pageAfter<T extends TableName>(tx: Rows, table: T, after: Key | null): Promise<Row<T>[]> {
  const key = tables[table].key as readonly (keyof Row<T> & string)[];
  const order = key.map((part) => [part, 'asc'] as const);
  if (after === null) return tx.list(table, { order, limit: maxRows });
  const found: Row<T>[] = [];
  // Rows with the same first parts of the key come first.
  for (let same = key.length - 1; same >= 0 && found.length < maxRows; same--) {
    const parts = key.slice(0, same).map((part, at) => [part, after[at]]);
    const where = { ...Object.fromEntries(parts), [key[same] as string]: { gt: after[same] } } as Where<T>;
    found.push(...(await tx.list(table, { where, order, limit: maxRows - found.length })));
  }
  return found;
}
