import type { Rows, Where } from './port.ts';
import type { TableName } from './tables/index.ts';

const batchRows = 1000;

/** Removes every row that fits, in batches small enough that nothing else waits long behind one. */
export async function removeInBatches<T extends TableName>(rows: Rows, table: T, where: Where<T>): Promise<void> {
  while ((await rows.remove(table, where, { limit: batchRows })) === batchRows);
}
