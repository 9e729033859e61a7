import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import sea from 'node:sea';
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

const onDisk: OwnFiles = {
  readSync: (place) => readFileSync(place),
  read: (place) => readFile(place),
  list: (folder) =>
    !existsSync(folder)
      ? []
      : readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(relative(fileURLToPath(folder), entry.parentPath), entry.name).replaceAll(sep, '/')),
};

/** The top of the sources. In the single executable it is the executable's folder, where none of these files exist. */
const root = import.meta.url.replace(/gateway\/base\/own-files\.\w+$/, '');
const assetAt = (place: URL) => decodeURI(place.href.slice(root.length));

/** The single executable holds the files as assets, named by their path in the package (`packaging/binary.ts`). */
const inExecutable: OwnFiles = {
  readSync: (place) => Buffer.from(sea.getRawAsset(assetAt(place))),
  read: async (place) => inExecutable.readSync(place),
  list: (folder) => {
    const start = assetAt(folder);
    return sea.getAssetKeys().flatMap((name) => (name.startsWith(start) ? name.slice(start.length) : []));
  },
};

export const ownFiles: OwnFiles = sea.isSea() ? inExecutable : onDisk;

/** Throws if there is no such file. */
export const readOwnJson = (place: URL): unknown => JSON.parse(ownFiles.readSync(place).toString());
