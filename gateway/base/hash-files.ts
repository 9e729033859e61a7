import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a hash of the names and contents of files, so that what is made from them is made anew only if they have changed. */
export function hashFiles(root: string, patterns: readonly string[], exclude: readonly string[] = []): string {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude })).sort();
  return hash('sha256', files.map((file) => `${file} ${hash('sha256', readFileSync(join(root, file)))}`).join('\n'));
}

/** Returns whether `stampFile` has this hash: what was made beside it is not out of date. */
export const isStamped = (stampFile: string, stamp: string): boolean =>
  existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
