import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the file at `path`, or the sorted `.json` files of the folder (not of its subfolders). Undefined if nothing is there. */
export async function pactPaths(path: string): Promise<string[] | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
  return names.map((name) => join(path, name));
}
