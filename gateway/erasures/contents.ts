import { type Row, type Table, type TableName, tables } from '../store/tables/index.ts';
import { erased, holds, replaced } from './number.ts';

type AnyRow = Record<string, unknown>;
type Content<T extends TableName> = (row: Row<T>) => Partial<Row<T>>;
const text = <T extends string | null>(value: T) => (value === null ? value : (erased as T));

/**
 * The columns with data that somebody sent, with their values after an erasure. All other columns of these rows are ids, times
 * and counts.
 */
const contents: { readonly [T in TableName]?: Content<T> } = {
  // The envelope stays, so that whoever parses a body still can.
  events: ({ body }) => ({ body: JSON.stringify({ ...JSON.parse(body), data: null }) }),
  calls: ({ request_body, response_body }) => ({ request_body: text(request_body), response_body: text(response_body) }),
  attempts: ({ response_body, response_headers }) => ({
    response_body: text(response_body),
    response_headers: response_headers && {},
  }),
  // The key is used up, so that a repeated request does nothing twice. No request has this hash: it is refused.
  idempotency_keys: () => ({ body: '', request_hash: '' }),
};

/** Tables whose texts only the gateway writes, and tables that other stages erase. */
const passedOver: ReadonlySet<string> = new Set<TableName>([
  'events',
  'attempts',
  'calls',
  'deliveries',
  'subscriptions',
  'event_order',
  'recovery_items',
  'receiver_tokens',
  'tallies',
  'leases',
  'processes',
  'erasures',
  'erasure_receivers',
]);

const textColumns = (table: Table) =>
  Object.entries(table.columns).filter(([name, { kind }]) => ['text', 'json'].includes(kind) && !table.key.includes(name));

/** The tables whose texts may contain a number, beside events, attempts and calls. A new table is among them. */
export const otherTables = (Object.keys(tables) as TableName[]).filter(
  (name) => !passedOver.has(name) && textColumns(tables[name]).length > 0,
);

/** Returns the patch that removes the content from a row; undefined if it is already removed. */
export const emptied = <T extends TableName>(table: T, row: Row<T>): Partial<Row<T>> | undefined =>
  changed(row, (contents[table] as Content<T> | undefined)?.(row) ?? {});

/**
 * Returns the patch that removes a number and the content from a row; undefined if the row does not contain the number. Ids stay.
 */
export function withoutNumber<T extends TableName>(table: T, row: Row<T>, pattern: RegExp): Partial<Row<T>> | undefined {
  const { columns, key, unique = [] }: Table = tables[table];
  if (!textColumns({ columns, key }).some(([name]) => holds(pattern, (row as AnyRow)[name]))) return undefined;
  const name = key.map((part) => (row as AnyRow)[part]).join(' ');
  // Two rows with the number must not become the same.
  const byOf = (column: string) => (unique.flat().includes(column) ? `[erased ${name}]` : erased);
  const parts = textColumns({ columns, key }).map(([column]) => [
    column,
    without(pattern, (row as AnyRow)[column], byOf(column)),
  ]);
  return changed(row, { ...Object.fromEntries(parts), ...contents[table]?.(row as never) });
}

/** A value without the number. In the JSON of an endpoint's filter, a number that looks like the person's is an amount, and stays. */
function without(pattern: RegExp, value: unknown, by: string): unknown {
  if (typeof value !== 'string' || !value.startsWith('{') || !holds(pattern, value)) return replaced(pattern, value, by);
  try {
    return JSON.stringify(JSON.parse(value, (_name, part) => (typeof part === 'string' ? replaced(pattern, part, by) : part)));
  } catch {
    return replaced(pattern, value, by);
  }
}

/** Returns the values of `next` that differ from the row's; undefined if none differs. */
function changed<R extends object>(row: R, next: Partial<R>): Partial<R> | undefined {
  const differ = Object.entries(next).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify((row as AnyRow)[name]));
  return differ.length === 0 ? undefined : (Object.fromEntries(differ) as Partial<R>);
}
