import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Reads files of the program itself. Their places are `new URL('../file', import.meta.url)`. */
interface OwnFiles {
  /** Throws if there is no such file. */
  readSync(place: URL): Buffer;
  /** Rejects if there is no such file. */
  read(place: URL): Promise<Buffer>;
  /** Lists all files below a folder by their path in it, with slashes. The folder's URL ends with a slash. Empty without the folder. */
  list(folder: URL): string[];
}

export const ownFiles: OwnFiles = {
  readSync: (place) => readFileSync(place),
  read: (place) => readFile(place),
  list: (folder) =>
    !existsSync(folder)
      ? []
      : readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(relative(fileURLToPath(folder), entry.parentPath), entry.name).replaceAll(sep, '/')),
};

/** Throws if there is no such file. */
export const readOwnJson = (place: URL): unknown => JSON.parse(ownFiles.readSync(place).toString());
