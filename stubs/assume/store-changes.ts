import type { Rows } from '../../gateway/store/port.ts';
import type { Kept, StoreChanges, Variant } from './types.ts';

/** Returns what the variants see and change between the verbs and the store; undefined if that is nothing. */
export function storeChangesOf(played: readonly { name: string; variant: Variant | undefined }[]): StoreChanges | undefined {
  const changes = played.flatMap(({ variant }) => variant?.row ?? []);
  return changes.length > 0 ? { changes } : undefined;
}

/** Returns a row as the verbs read it. */
export async function changedRow<R>(
  changes: StoreChanges['changes'],
  table: string,
  row: R,
  rows: Pick<Rows, 'get'>,
): Promise<R> {
  let changed = row as Kept;
  for (const change of changes) changed = await change(table, changed, rows);
  return changed as R;
}

export const changedRows = <R>(changes: StoreChanges['changes'], table: string, found: readonly R[], rows: Pick<Rows, 'get'>) =>
  Promise.all(found.map((row) => changedRow(changes, table, row, rows)));

/** The statements of a transaction that variants change, by their names. */
export function changedStatements(target: Rows, { changes }: StoreChanges): Partial<Rows> {
  const get: Rows['get'] = async (table, where, options) => {
    const row = await target.get(table, where, options);
    return row && changedRow(changes, table, row, target);
  };
  const list: Rows['list'] = async (table, query) => changedRows(changes, table, await target.list(table, query), target);
  return changes.length > 0 ? { get, list } : {};
}
