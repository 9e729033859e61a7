import type { Rows } from '../../store/port.ts';
import { type TableName, tables } from '../../store/tables/index.ts';
import type { AuditedRow } from '../../store/tables/operating.ts';
import type { Change } from '../../webhooks/outbox/change.ts';

type AnyRow = Record<string, unknown>;

/** Rows that follow from a change. The audit trail leaves them out, because they are copies or records themselves. */
const consequences: ReadonlySet<string> = new Set<TableName>([
  'events',
  'deliveries',
  'attempts',
  'tallies',
  'notices',
  'alert_messages',
  'event_order',
  'subscriptions',
  'recovery_items',
]);

/** Columns that change with every update. */
const unimportant = new Set(['updated_at', 'last_used_at', 'last_seen_at']);
const isSecret = (column: string) => /secret|hash|token|credential|fingerprint/.test(column);
const maxRows = 20;
const maxCharacters = 500;

export interface Observed {
  change: Change;
  /** The rows that the change has written so far, and how many there were beyond the first ones. */
  seen(): { changes: AuditedRow[]; more: number };
}

/**
 * Notes which rows a change writes, with their values before. The values before are known only if the change read the row first.
 * Verbs do so to lock the row.
 */
export function observed(change: Change): Observed {
  const before = new Map<string, AnyRow>();
  const written = new Map<string, AuditedRow>();
  let more = 0;
  const note = (table: string, row: AnyRow, did: AuditedRow['did'], fields: AuditedRow['fields']) => {
    const place = placeOf(table, row);
    const known = written.get(place);
    if (known) Object.assign(known.fields, fields);
    else if (written.size < maxRows) written.set(place, { table, id: idOf(table, row), did, fields });
    else more += 1;
  };
  const notes: Notes = {
    get: (table, _args, row) => row !== undefined && void before.set(placeOf(table, row as AnyRow), row as AnyRow),
    list(table, _args, rows) {
      for (const row of rows as AnyRow[]) before.set(placeOf(table, row), row);
    },
    insert(table, _args, rows) {
      for (const row of rows as AnyRow[]) note(table, row, 'created', fieldsOf(table, {}, row));
    },
    append(table, [rows]) {
      for (const row of rows as AnyRow[]) note(table, row, 'created', fieldsOf(table, {}, row));
    },
    update(table, _args, rows) {
      for (const row of rows as AnyRow[]) {
        const fields = fieldsOf(table, before.get(placeOf(table, row)) ?? {}, row);
        if (Object.keys(fields).length > 0) note(table, row, 'changed', fields);
        before.set(placeOf(table, row), row);
      }
    },
    remove(_table, _args, count) {
      more += count as number;
    },
  };
  const tx = noting(change.tx, notes);
  const append: Change['append'] = (table, rows, along) => {
    if (!consequences.has(table)) notes.append?.(table, [rows], undefined);
    change.append(table, rows, along);
  };
  return { change: { ...change, tx, append }, seen: () => ({ changes: [...written.values()], more }) };
}

/** Functions that note the result of a statement, by method. */
type Notes = Partial<Record<keyof Rows, (table: string, args: unknown[], result: unknown) => void>>;

const noting = (tx: Rows, notes: Notes): Rows =>
  new Proxy(tx, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      const noted = notes[name as keyof Rows];
      if (!noted) return method.bind(target);
      return async (table: string, ...args: unknown[]) => {
        const result = await method.call(target, table, ...args);
        if (!consequences.has(table)) noted(table, args, result);
        return result;
      };
    },
  });

const keyOf = (table: string): readonly string[] => tables[table as TableName].key;
const idOf = (table: string, row: AnyRow): string =>
  keyOf(table)
    .map((column) => String(row[column]))
    .join('/');
const placeOf = (table: string, row: AnyRow): string => `${table} ${idOf(table, row)}`;

/** Returns the columns whose values differ. A column of a new row counts if it has a value. */
function fieldsOf(table: string, before: AnyRow, after: AnyRow): AuditedRow['fields'] {
  const columns = Object.keys(after).filter(
    (column) => !unimportant.has(column) && JSON.stringify(before[column] ?? null) !== JSON.stringify(after[column] ?? null),
  );
  const kinds: Record<string, { kind: string }> = tables[table as TableName].columns;
  const view = (column: string, row: AnyRow) => shown(column, kinds[column]?.kind, row[column]);
  return Object.fromEntries(columns.map((column) => [column, { before: view(column, before), after: view(column, after) }]));
}

function shown(column: string, kind: string | undefined, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'time') return new Date(value as number).toISOString();
  if (isSecret(column)) return '[secret]';
  const text = JSON.stringify(value);
  return text.length <= maxCharacters ? value : `[${text.length} characters]`;
}
