import { extname } from 'node:path';

/** Returns the URL of a sibling module of `base` (`import.meta.url`): `.ts` in the repository, `.js` in the package. */
export const moduleFile = (path: `./${string}.ts`, base: string): URL =>
  new URL(path.replace(/\.ts$/, extname(new URL(base).pathname)), base);
