import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file at a path, or the `.json` files of the folder there, sorted, not those of folders inside; undefined for nothing. */
export async function pactPaths(path: string): Promise<string[] | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
  return names.map((name) => join(path, name));
}
