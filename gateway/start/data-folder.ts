import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SettingsError } from '../base/errors.ts';
import { syncNames } from '../base/sync-folder.ts';

/** The data folder of the embedded tier. Only this process can use it until `release`. */
export interface DataFolder {
  path: string;
  databasePath: string;
  /** Says that other users of this machine could read the folder until now. */
  tightened?: string;
  release(): void;
}

/**
 * Locks a data folder for this process, because two PGlites would destroy it. SQLite's file lock belongs to the operating
 * system, which releases it even if the process is killed. Throws a SettingsError if the folder cannot be used.
 */
export function takeDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  try {
    // The last folder is created without `recursive`: on a file system such as /proc, Node would retry for ever.
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    if (!statSync(path).isDirectory()) throw new Error('it is not a folder');
  } catch (error) {
    throw new SettingsError(`DATA_DIR=${path} cannot be used: ${(error as Error).message}.`);
  }
  const tightened = tighten(path);
  const lock = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (/locked/i.test((error as Error).message)) {
      throw new SettingsError(
        `DATA_DIR=${path} is in use by another Passerelle process. Stop it, or set DATA_DIR to another folder.`,
      );
    }
    throw new SettingsError(`DATA_DIR=${path} cannot be used: ${(error as Error).message}.`);
  }
  return { path, databasePath: join(path, 'postgres'), ...(tightened && { tightened }), release: () => lock.close() };
}

/** What a data folder holds. A folder with anything else may be somebody else's, such as /tmp. */
const ownEntry = /^(postgres|lock\.sqlite|master\.key|lost\+found|\.)/;

/**
 * Closes the folder to other users of this machine: the files in it may be readable for all. Windows has no such modes.
 * Returns what it changed. Throws a SettingsError if it cannot.
 */
function tighten(path: string): string | undefined {
  const mode = statSync(path).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return undefined;
  const shown = mode.toString(8).padStart(4, '0');
  if (readdirSync(path).some((entry) => !ownEntry.test(entry)))
    throw new SettingsError(
      `DATA_DIR=${path} has mode ${shown}, so other users could read the data, and it also holds files that are not Passerelle's. Use a folder of its own, or run chmod 700 on this one.`,
    );
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    throw new SettingsError(
      `DATA_DIR=${path} has mode ${shown}, so other users could read the data, and it cannot be changed to 0700: ${(error as Error).message}. Run chmod 700 on it as its owner.`,
    );
  }
  if ((statSync(path).mode & 0o077) !== 0)
    throw new SettingsError(
      `DATA_DIR=${path} has mode ${shown}, so other users could read the data, and its file system keeps no modes. Use another folder.`,
    );
  return `DATA_DIR=${path} had mode ${shown}: other users of this machine could read it. It has 0700 now.`;
}

export interface MasterKey {
  key: Buffer;
  /** Where it is from, for messages. */
  source: string;
  /** Stores a new key. Call it before anything is encrypted with it. */
  keep?: () => void;
}

/** The master key: `given` in hexadecimal, or read from the data folder. Without one there, it is a new one. */
export function masterKey(folder: DataFolder, given: string | undefined): MasterKey {
  if (given !== undefined) return { key: Buffer.from(given, 'hex'), source: 'SECRET_KEY' };
  const file = join(folder.path, 'master.key');
  if (!existsSync(file)) {
    const key = randomBytes(32);
    const keep = () => {
      // A power cut leaves the whole key or none. Without it, nothing that it encrypts can be read.
      const partial = `${file}.partial`;
      rmSync(partial, { force: true });
      writeFileSync(partial, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
      chmodSync(partial, 0o600);
      renameSync(partial, file);
      syncNames(folder.path);
    };
    return { key, source: file, keep };
  }
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new SettingsError(`${file} is not a master key. It must contain 64 hexadecimal digits: restore it from your backup.`);
  return { key: Buffer.from(text, 'hex'), source: file };
}
