import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { PglitePool } from '../gateway/store/pglite/pool.ts';

/** The folder with the empty database that the run of the suite has made, as `postgres`; see `e2e/template.ts`. */
export const emptyTemplate = process.env.PASSERELLE_EMPTY_TEMPLATE;

/**
 * Where a new, empty database is opened: a copy of the one that the run of the suite has made, in the folder that goes when
 * the run ends, or memory. Opening a copy takes half of what making a database does.
 */
export function emptyDatabase(): string {
  if (emptyTemplate === undefined) return 'memory://';
  const folder = mkdtempSync(join(emptyTemplate, 'copy-'));
  cpSync(join(emptyTemplate, 'postgres'), join(folder, 'postgres'), { recursive: true });
  return join(folder, 'postgres');
}

export const openEmptyPglite = (): Promise<PglitePool> => PglitePool.open(emptyDatabase());
