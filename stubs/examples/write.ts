/** Writes the replies of the reference implementation to every cause. `--if-changed`: only if the sources have changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles, isStamped } from '../../gateway/base/hash-files.ts';
import { serviceNames } from '../../spec/documents/services.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, 'made');
const stampFile = join(folder, 'sources.sha256');
const stamp = hashFiles(root, ['{gateway,spec,stubs}/**/*.ts', 'package-lock.json'], ['gateway/console/**', 'spec/types/**']);
if (!(process.argv.includes('--if-changed') && isStamped(stampFile, stamp))) await write();

async function write(): Promise<void> {
  const { replies, written } = await import('./reference.ts');
  mkdirSync(folder, { recursive: true });
  for (const api of serviceNames)
    writeFileSync(join(folder, `${api}.json`), `${JSON.stringify(written(await replies(api)), null, 2)}\n`);
  writeFileSync(stampFile, stamp);
}
