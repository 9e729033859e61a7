import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Reads a file of the program itself, whose place is `new URL('../file', import.meta.url)`. Throws if there is none. */
export const readOwnJson = (place: URL): unknown => JSON.parse(readFileSync(place, 'utf8'));

/** Returns the version of Passerelle. */
export const readVersion = (): string =>
  (readOwnJson(new URL('../../package.json', import.meta.url)) as { version: string }).version;

/** Lists all files below a folder by their path in it, with slashes. The folder's URL ends with a slash. Empty without the folder. */
export const listOwnFiles = (folder: URL): string[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(relative(fileURLToPath(folder), entry.parentPath), entry.name).replaceAll(sep, '/'));
