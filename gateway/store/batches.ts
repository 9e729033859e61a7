import type { Rows, Where } from './port.ts';
import type { TableName } from './tables/index.ts';

const batchRows = 1000;

/** Removes all matching rows, in batches small enough that no other statement waits long. */
export async function removeInBatches<T extends TableName>(rows: Rows, table: T, where: Where<T>): Promise<void> {
  while ((await rows.remove(table, where, { limit: batchRows })) === batchRows);
}
