import { alertTables } from './alerts.ts';
import { cohesionTables } from './cohesion.ts';
import type { ValueOf } from './columns.ts';
import { figureTables } from './figures.ts';
import { operatingTables } from './operating.ts';
import { posTables } from './pos.ts';
import { profileTables } from './profiles.ts';
import { webhookTables } from './webhooks.ts';

export type { Table } from './columns.ts';

/**
 * Every table, as data. The row types and the memory adapter follow from it, and `test/store/migrations.slow.test.ts` checks
 * that the SQL migrations create the same tables.
 */
export const tables = {
  ...posTables,
  ...cohesionTables,
  ...webhookTables,
  ...operatingTables,
  ...figureTables,
  ...alertTables,
  ...profileTables,
} as const;

type Tables = typeof tables;
export type TableName = keyof Tables;
type Columns<T extends TableName> = Tables[T]['columns'];

/** A row of a table, as every adapter returns it. */
export type Row<T extends TableName> = { -readonly [C in keyof Columns<T>]: ValueOf<Columns<T>[C]> };

/** A row to store. An `id` that the store assigns may be left out. */
export type Insert<T extends TableName> = Row<T>['id' & keyof Row<T>] extends number
  ? Omit<Row<T>, 'id'> & { id?: number }
  : Row<T>;

/** The tables with `daily`. */
export type DailyTable = 'calls' | 'attempts';
