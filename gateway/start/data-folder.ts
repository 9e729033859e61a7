import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SettingsError } from '../base/errors.ts';

/** The folder of an installation on the embedded tier, held by this process alone until `release`. */
export interface DataFolder {
  path: string;
  databasePath: string;
  release(): void;
}

/**
 * Takes a data folder for this process. Two PGlites on one folder would destroy it, so it is locked by the operating
 * system, through SQLite's file lock: nothing is left behind by a killed process, and no process id can be mistaken.
 */
export function takeDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  try {
    // Not recursive for the last step: on a file system that takes no folders, such as /proc, Node would try for ever.
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
        `DATA_DIR=${path} is in use by another Passerelle process. Stop that one, or set DATA_DIR to another folder.`,
      );
    }
    throw new SettingsError(`DATA_DIR=${path} cannot be used: ${(error as Error).message}.`);
  }
  return { path, databasePath: join(path, 'postgres'), release: () => lock.close() };
}

/** The master key: given as hexadecimal text, or kept in the data folder and made there on the first start. */
export function masterKey(folder: DataFolder, given: string | undefined): Buffer {
  if (given !== undefined) return Buffer.from(given, 'hex');
  const file = join(folder.path, 'master.key');
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(file, 0o600);
  }
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new SettingsError(`${file} does not hold a master key (64 hexadecimal digits).`);
  return Buffer.from(text, 'hex');
}
