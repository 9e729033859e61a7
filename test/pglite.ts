import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { PglitePool } from '../gateway/store/pglite/pool.ts';

/** The folder whose subfolder `postgres` is the suite's empty database (`e2e/template.ts`). */
export const emptyTemplate = process.env.PASSERELLE_EMPTY_TEMPLATE;

/**
 * Returns the place for a new, empty database: a copy of the suite's, in a folder that is removed when
 * the run ends, or memory. Opening a copy takes half as long as creating a database.
 */
export function emptyDatabase(): string {
  if (emptyTemplate === undefined) return 'memory://';
  const folder = mkdtempSync(join(emptyTemplate, 'copy-'));
  cpSync(join(emptyTemplate, 'postgres'), join(folder, 'postgres'), { recursive: true });
  return join(folder, 'postgres');
}

export const openEmptyPglite = (): Promise<PglitePool> => PglitePool.open(emptyDatabase());
