import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Whether a package is installed: what is published leaves some to whoever wants them. */
export function hasPackage(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // A package that is there may keep its package.json to itself: that is another error.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}
