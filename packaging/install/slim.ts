import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Files of packages that nothing loads, some 65 MB of 450. */
const unread: readonly RegExp[] = [
  // Node reads source maps only with --enable-source-maps.
  /\.map$/,
  // Sources, where the package also has JavaScript: Node runs no TypeScript below node_modules. Types stay.
  /^(?!.*\.d\.).*\.[cm]?tsx?$/,
];

/** Deletes the files of packages that nothing loads. */
export function slim(packages: string): void {
  for (const path of readdirSync(packages, { recursive: true, encoding: 'utf8' })) {
    if (unread.some((pattern) => pattern.test(basename(path)))) rmSync(join(packages, path), { recursive: true });
  }
}
