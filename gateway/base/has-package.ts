import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns true if a package is installed. Some packages are optional peers of the published one. */
export function hasPackage(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // An installed package that does not export its package.json throws another code.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}
