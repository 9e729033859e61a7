import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeEmptyDatabase } from '../../gateway/start/empty-database.ts';
import { restoreDatabase } from '../../gateway/start/prepared-database.ts';

/**
 * Creates one empty database for a run of the whole suite. Tests copy it instead of creating about sixty of their own
 * (`newDataDir`, `emptyDatabase`). Runs of single files and tests of a first start do not use it.
 */
export default async function makeTemplate(): Promise<(() => void) | undefined> {
  if (process.argv.slice(2).some((argument) => /^(test|contracts)\//.test(argument))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-template-'));
  const path = join(folder, 'postgres');
  // Unpacked, because Vitest's own process lacks the flags with which PGlite is safe.
  await restoreDatabase(path);
  if (!existsSync(path)) await makeEmptyDatabase(path);
  process.env.PASSERELLE_EMPTY_TEMPLATE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
