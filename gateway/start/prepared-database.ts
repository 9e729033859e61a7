import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { syncFolder } from '../base/sync-folder.ts';
import { schema } from '../store/migrations/index.ts';
import { tables } from '../store/tables/index.ts';

/** The folder of the prepared database, written by `prepare.ts`. */
export const preparedFolder = fileURLToPath(new URL('./prepared', import.meta.url));

/** A file, or an empty folder without content. */
interface Entry {
  path: string;
  content?: Uint8Array;
}

/** The prepared database of this schema. After a change of the schema, one that was prepared before is not used. */
export const preparedFile = (folder = preparedFolder): string =>
  join(folder, `${hash('sha256', JSON.stringify([tables, schema])).slice(0, 16)}.gz`);

/** Packs the folder of a closed database into one file. */
export function packDatabase(path: string, file: string): void {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).map((entry): Entry => {
    const full = join(entry.parentPath, entry.name);
    return { path: full.slice(path.length + 1), ...(entry.isFile() ? { content: readFileSync(full) } : {}) };
  });
  rmSync(dirname(file), { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(serialize(entries), { level: 9 }));
}

/**
 * Unpacks the prepared database to `path`, if nothing is there. Running PGlite's `initdb` instead takes some seconds and a
 * gigabyte of memory. Does nothing without a prepared database, and for a database in memory (`memory://`).
 */
export async function restoreDatabase(path: string, { file = preparedFile(), isDurable = false } = {}): Promise<void> {
  if (path.startsWith('memory://') || existsSync(path) || !existsSync(file)) return;
  // A killed process leaves no half of a database at `path`, nor does a power cut.
  const partial = `${path}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  for (const { path: name, content } of deserialize(gunzipSync(readFileSync(file))) as Entry[]) {
    const full = join(partial, name);
    if (content) writeFileSync(full, content, { mode: 0o600 });
    else mkdirSync(full, { mode: 0o700 });
  }
  if (isDurable) await syncFolder(partial);
  renameSync(partial, path);
}
