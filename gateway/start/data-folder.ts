import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SettingsError } from '../base/errors.ts';

/** The data folder of the embedded tier. Only this process can use it until `release`. */
export interface DataFolder {
  path: string;
  databasePath: string;
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
  } catch (error) {
    throw new SettingsError(`DATA_DIR=${path} cannot be used: ${(error as Error).message}.`);
  }
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
  return { path, databasePath: join(path, 'postgres'), release: () => lock.close() };
}

/** The master key: `given` in hexadecimal, or read from the data folder, where the first start generates it. */
export function masterKey(folder: DataFolder, given: string | undefined): Buffer {
  if (given !== undefined) return Buffer.from(given, 'hex');
  const file = join(folder.path, 'master.key');
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(file, 0o600);
  }
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new SettingsError(`${file} is not a master key. It must contain 64 hexadecimal digits: restore it from your backup.`);
  return Buffer.from(text, 'hex');
}
