/**
 * Prepares an empty database for the first start of the embedded tier, as one compressed file. `--if-changed` does nothing
 * if there is one of this schema and these packages.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashFiles, isStamped } from '../base/hash-files.ts';
import { restartWithV8Flags } from '../base/v8-flags.ts';
import { packDatabase, preparedFile, preparedFolder } from './prepared-database.ts';

const file = preparedFile();
const stampFile = join(preparedFolder, 'packages.sha256');
const stamp = hashFiles(join(import.meta.dirname, '../..'), ['package-lock.json']);
if (!(process.argv.includes('--if-changed') && existsSync(file) && isStamped(stampFile, stamp))) await prepare();

async function prepare(): Promise<void> {
  // Without them, V8 aborts now and then while it compiles PGlite, and so would an installation.
  restartWithV8Flags();
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-prepare-'));
  try {
    const path = join(folder, 'postgres');
    const { makeEmptyDatabase } = await import('./empty-database.ts');
    await makeEmptyDatabase(path);
    packDatabase(path, file);
    writeFileSync(stampFile, stamp);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
