/**
 * Loaded into a gateway with `--import`, in each of its threads: records what it does to the files of its data folder, where
 * Node hands it to the operating system. An entry follows what it records, so a sync may cover more than the recording says, never less.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative, resolve } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';
import { type Entry, openRecording } from './recording.ts';

const folder = resolve(process.env.DATA_DIR as string);
const original = { ...fs };
/** Open files of the data folder in this thread, with their paths. */
const watched = new Map<number, string>();
let syncs = 0;

const { POWER_CUTS_RECORDING: recording = '' } = process.env;
const append = openRecording(recording);
/** The database's thread kills the process once this file is there, so that it has recorded whatever it has done. */
const killFile = `${recording}.kill`;
function add(entry: Entry): void {
  append(entry);
  if (!isMainThread && original.existsSync(killFile)) process.kill(process.pid, 'SIGKILL');
}

/** The path in the data folder, or undefined for any other file. SQLite's lock holds no data. */
function inside(path: unknown): string | undefined {
  const name = relative(folder, resolve(String(path)));
  return name === '' || name.startsWith('..') || name === 'lock.sqlite' ? undefined : name;
}
const isFolderItself = (path: unknown) => resolve(String(path)) === folder;

function opening(path: unknown, flags: unknown = 'r'): (file: number) => void {
  const name = isFolderItself(path) ? '' : inside(path);
  const isNew = name !== undefined && !original.existsSync(String(path));
  const empties = typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : String(flags).startsWith('w');
  if (typeof flags === 'number' && flags & fs.constants.O_APPEND) throw new Error(`${name} is opened for appending.`);
  return (file) => {
    if (name === undefined) return;
    watched.set(file, name);
    add({ what: 'opened', file, path: name, isNew, isEmptied: empties && !isNew });
  };
}

function closing(file: number): void {
  if (watched.delete(file)) add({ what: 'closed', file });
}

function syncing(file: number): () => void {
  if (!watched.has(file)) return () => {};
  const id = `${process.pid}-${threadId}-${syncs++}`;
  add({ what: 'sync began', file, id });
  return () => add({ what: 'sync ended', id });
}

// biome-ignore lint/suspicious/noExplicitAny: each function of `fs` has its own parameters
type Any = any;
const patched: Record<string, (...parameters: Any[]) => unknown> = {
  openSync(path, flags, mode) {
    const opened = opening(path, flags);
    const file = original.openSync(path, flags, mode);
    opened(file);
    return file;
  },
  closeSync(file) {
    closing(file);
    original.closeSync(file);
  },
  writeSync(file, bytes, offset, length, position) {
    const written = original.writeSync(file, bytes, offset, length, position);
    if (watched.has(file)) {
      if (typeof position !== 'number') throw new Error('A write without a position is not recorded.');
      add({ what: 'written', file, position, bytes: new Uint8Array(bytes.slice(offset, offset + written)) });
    }
    return written;
  },
  writeFileSync(path, data, options) {
    if (inside(path) === undefined) return original.writeFileSync(path, data, options);
    const file = fs.openSync(path, options?.flag ?? 'w', options?.mode);
    const bytes = Buffer.from(data);
    if (bytes.length > 0) fs.writeSync(file, bytes, 0, bytes.length, 0);
    if (options?.flush) fs.fsyncSync(file);
    fs.closeSync(file);
  },
  truncateSync(path, size) {
    original.truncateSync(path, size);
    const name = inside(path);
    if (name) add({ what: 'resized', path: name, size });
  },
  ftruncateSync(file, size) {
    original.ftruncateSync(file, size);
    const name = watched.get(file);
    if (name) add({ what: 'resized', path: name, size });
  },
  mkdirSync(path, options) {
    const name = inside(path);
    const isNew = name && !original.existsSync(path);
    original.mkdirSync(path, options);
    if (isNew) add({ what: 'folder made', path: name });
  },
  renameSync(from, to) {
    original.renameSync(from, to);
    const names = [inside(from), inside(to)];
    if (names[0] && names[1]) add({ what: 'renamed', from: names[0], to: names[1] });
  },
  ...Object.fromEntries(
    (['unlinkSync', 'rmdirSync', 'rmSync'] as const).map((name) => [
      name,
      (path: string, options: Any) => {
        const isThere = inside(path) && original.existsSync(path);
        (original[name] as Any)(path, options);
        if (isThere) add({ what: 'removed', path: inside(path) as string });
      },
    ]),
  ),
  ...Object.fromEntries(
    (['fsyncSync', 'fdatasyncSync'] as const).map((name) => [
      name,
      (file: number) => {
        const synced = syncing(file);
        original[name](file);
        synced();
      },
    ]),
  ),
};
Object.assign(fs, patched);

const { open } = fs.promises;
fs.promises.open = async (path, flags, mode) => {
  const opened = opening(path, flags);
  const handle = await open(path, flags, mode);
  opened(handle.fd);
  const { datasync, close } = handle;
  handle.datasync = async () => {
    const synced = syncing(handle.fd);
    await datasync.call(handle);
    synced();
  };
  handle.close = () => {
    closing(handle.fd);
    return close.call(handle);
  };
  return handle;
};
syncBuiltinESMExports();
if (isMainThread) add({ what: 'started' });
