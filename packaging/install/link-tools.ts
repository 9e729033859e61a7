import { rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tools } from './tools.js';

/** Links the programs of tools.js to node_modules/.bin, where npx and npm scripts look. */
export function linkTools(packages: string): void {
  // Windows lets only administrators make links. There the scripts that need these programs do not work yet.
  if (process.platform === 'win32') return;
  const bin = join(packages, '.bin');
  for (const name of Object.keys(tools)) {
    rmSync(join(bin, name), { force: true });
    symlinkSync(relative(bin, join(import.meta.dirname, 'tool.js')), join(bin, name));
  }
}
