import { extname } from 'node:path';

/** The file of a module beside the one at `base` (`import.meta.url`): `.ts` here, `.js` where the package is published. */
export function moduleFile(path: `./${string}.ts`, base: string): URL {
  return new URL(path.replace(/\.ts$/, extname(new URL(base).pathname)), base);
}
