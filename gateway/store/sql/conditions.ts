import { type RawBuilder, sql } from 'kysely';
import type { AnySelection, Condition } from '../port.ts';
import { type TableName, tables } from '../tables/index.ts';

type AnyRow = Record<string, unknown>;

/** The PostgreSQL schema of our tables. BullMQ has a schema of its own. */
export const schemaName = 'passerelle';

/** Returns a parameter with a cast to its type, so that PostgreSQL does not infer the type from the context. */
export function bound(kind: string, value: unknown): RawBuilder<unknown> {
  if (kind === 'json') return sql`${value === null ? null : JSON.stringify(value)}::json`;
  return sql`${value}::${sql.raw(sqlTypes[kind as keyof typeof sqlTypes])}`;
}

const sqlTypes = {
  text: 'text',
  integer: 'integer',
  serial: 'integer',
  position: 'bigint',
  time: 'bigint',
  real: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
};

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

export function condition(name: TableName, where: AnyRow = {}): RawBuilder<unknown> {
  const parts = Object.entries(where)
    .filter(([, test]) => test !== undefined)
    .flatMap(([column, test]) => conditionsOn(name, column, test as Condition<unknown>));
  return parts.length ? sql.join(parts, sql` and `) : sql`true`;
}

function conditionsOn(name: TableName, column: string, test: Condition<unknown>): RawBuilder<unknown>[] {
  const ref = sql.ref(column);
  const { kind } = columnOf(name, column);
  if (test === null) return [sql`${ref} is null`];
  if (typeof test !== 'object') return [sql`${ref} = ${bound(kind, test)}`];
  const one = test as { in?: readonly unknown[]; of?: AnySelection; not?: unknown; contains?: string; has?: unknown } & AnyRow;
  if (one.in) return [sql`${ref} = any(${one.in}::${sql.raw(sqlTypes[kind as keyof typeof sqlTypes])}[])`];
  // With an array PostgreSQL uses the index on this column, whatever the planner expects of the other table.
  if (one.of) return [sql`${ref} = any(array(select ${selected(one.of)}))`];
  if ('not' in one) return [one.not === null ? sql`${ref} is not null` : sql`${ref} <> ${bound(kind, one.not)}`];
  if (one.contains !== undefined)
    return [sql`${ref}${sql.raw(kind === 'json' ? '::text' : '')} like ${`%${one.contains.replace(/[\\%_]/g, '\\$&')}%`}`];
  if (one.has !== undefined) return [sql`${ref}::jsonb @> ${JSON.stringify(one.has)}::jsonb`];
  const compared = Object.entries(comparisons)
    .filter(([operator]) => one[operator] !== undefined)
    .map(([operator, sign]) => sql`${ref} ${sql.raw(sign)} ${bound(kind, one[operator])}`);
  return one.settled ? [...compared, sql`${ref} < ${horizon}`] : compared;
}

/** The position of the oldest transaction in flight. Transactions that begin later get greater positions. */
const horizon = sql`${sql.id(schemaName, 'position_base')}() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const selected = ({ table, column, where }: AnySelection): RawBuilder<unknown> =>
  sql`${sql.ref(column)} from ${sql.id(schemaName, table)} where ${condition(table, where)}`;

export function columnOf(name: TableName, column: string): { kind: string } {
  const found = (tables[name].columns as Record<string, { kind: string }>)[column];
  if (!found) throw new Error(`Table ${name} has no column ${column}.`);
  return found;
}
