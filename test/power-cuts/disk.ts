import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Random } from '../simulation/random.ts';
import type { Entry } from './recording.ts';

/** The part of a write that a disk keeps or loses as a whole. */
const pageBytes = 4096;

type FileChange = { at: number; position: number; bytes: Uint8Array } | { at: number; size: number };
interface NameChange {
  at: number;
  names: [name: string, child: File | Folder | undefined][];
}
interface Sync {
  began: number;
  ended: number;
}

class Synced<Change extends { at: number }> {
  readonly changes: Change[] = [];
  readonly syncs: Sync[] = [];

  /** The changes before a power cut, and for each whether it is certainly on the disk. */
  before(cut: number): { change: Change; isSynced: boolean }[] {
    const until = Math.max(-1, ...this.syncs.filter(({ ended }) => ended < cut).map(({ began }) => began));
    return this.changes.filter(({ at }) => at < cut).map((change) => ({ change, isSynced: change.at < until }));
  }
}
class File extends Synced<FileChange> {}
class Folder extends Synced<NameChange> {
  /** What it holds now, with everything that was done. */
  readonly now = new Map<string, File | Folder>();
}

/** Which syncs a disk does, by the path of what is synced: a mistake leaves some out. */
export type DoesSync = (path: string, isFolder: boolean) => boolean;

interface Opened {
  node: File | Folder;
  path: string;
}

/** What a recording leaves on the disk if the power is cut at any of its entries. */
export class Disk {
  readonly #root = new Folder();
  readonly #acknowledged: { at: number; saleId: string }[] = [];
  /** Where pages of tables were written. Nothing in them may be on the disk before it is in the log. */
  readonly #pages: number[] = [];
  readonly #open = new Map<number, Opened>();
  readonly #syncing = new Map<string, { node: File | Folder; began: number }>();
  readonly #doesSync: DoesSync;
  readonly length: number;

  constructor(entries: readonly Entry[], doesSync: DoesSync = () => true) {
    this.length = entries.length;
    this.#doesSync = doesSync;
    for (const [at, entry] of entries.entries()) (this.#takes[entry.what] as (at: number, entry: Entry) => void)(at, entry);
  }

  readonly #takes: { [W in Entry['what']]: (at: number, entry: Entry & { what: W }) => void } = {
    started: () => this.#open.clear(),
    opened: (at, { file, path, isNew, isEmptied }) => {
      if (isNew) this.#name(at, path, new File());
      const node = this.#find(path);
      if (isEmptied) (node as File).changes.push({ at, size: 0 });
      this.#open.set(file, { node, path });
    },
    closed: (_at, { file }) => void this.#open.delete(file),
    written: (at, { file, position, bytes }) => {
      const { node, path } = this.#opens(file);
      (node as File).changes.push({ at, position, bytes });
      if (path.startsWith('postgres/base/') && bytes.some((byte) => byte !== 0)) this.#pages.push(at);
    },
    resized: (at, { path, size }) => void (this.#find(path) as File).changes.push({ at, size }),
    'folder made': (at, { path }) => this.#name(at, path, new Folder()),
    renamed: (at, { from, to }) => this.#rename(at, from, to),
    removed: (at, { path }) => this.#name(at, path, undefined),
    'sync began': (at, { file, id }) => {
      const { node, path } = this.#opens(file);
      if (this.#doesSync(path, node instanceof Folder)) this.#syncing.set(id, { node, began: at });
    },
    'sync ended': (at, { id }) => {
      const sync = this.#syncing.get(id);
      sync?.node.syncs.push({ began: sync.began, ended: at });
    },
    acknowledged: (at, { saleId }) => void this.#acknowledged.push({ at, saleId }),
  };

  #opens = (file: number) => this.#open.get(file) as Opened;

  /** The sales that were acknowledged before a cut. */
  acknowledgedBefore(cut: number): string[] {
    return this.#acknowledged.filter(({ at }) => at < cut).map(({ saleId }) => saleId);
  }

  /** A cut at any entry, or where a mistake would show: right after an acknowledgement, or after a page of a table was written. */
  anyCut(random: Random): number {
    const after = (entries: readonly number[]) => random.pick(entries) + random.whole(1, 4);
    const places = [
      () => random.whole(0, this.length),
      () => after(this.#acknowledged.map(({ at }) => at)),
      () => after(this.#pages),
    ];
    return random.pick(places)();
  }

  /** Writes what a cut leaves to a folder: what was synced, and any part of the rest. */
  writeTo(folder: string, cut: number, random: Random): void {
    writeFolder(this.#root, folder, { cut, random, shareOf: random.pick(moods)(random) });
  }

  /** The content of a file with everything that was done. */
  contentOf(path: string): Buffer {
    return contentOf(this.#find(path) as File, path, { cut: this.length, random: new Random(1), shareOf: () => 1 });
  }

  #find(path: string): File | Folder {
    let node: File | Folder | undefined = this.#root;
    for (const name of path.split('/').filter(Boolean)) node = node instanceof Folder ? node.now.get(name) : undefined;
    if (!node) throw new Error(`The recording does not say how ${path} came about.`);
    return node;
  }

  #name(at: number, path: string, child: File | Folder | undefined): void {
    this.#change(this.#folderOf(path), { at, names: [[nameOf(path), child]] });
  }

  #rename(at: number, from: string, to: string): void {
    if (dirname(from) !== dirname(to)) throw new Error(`${from} moves to another folder.`);
    const names: NameChange['names'] = [
      [nameOf(from), undefined],
      [nameOf(to), this.#find(from)],
    ];
    this.#change(this.#folderOf(from), { at, names });
  }

  #change(folder: Folder, change: NameChange): void {
    folder.changes.push(change);
    applyNames(folder.now, change);
  }

  #folderOf = (path: string) => this.#find(dirname(path) === '.' ? '' : dirname(path)) as Folder;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function applyNames(names: Map<string, File | Folder>, change: NameChange): void {
  for (const [name, child] of change.names) {
    if (child) names.set(name, child);
    else names.delete(name);
  }
}

interface Cut {
  cut: number;
  random: Random;
  /** How much is kept of what was not synced of a file or folder: 0 for nothing, 1 for everything. */
  shareOf(path: string): number;
}

const isLog = (path: string) => path.includes('/pg_wal');
/** Each for itself; the log lags behind everything else; it is ahead of everything else. */
const moods: readonly ((random: Random) => Cut['shareOf'])[] = [
  (random) => () => random.pick([0, 0.5, 1]),
  () => (path) => (isLog(path) ? 0 : 1),
  () => (path) => (isLog(path) ? 1 : 0),
];

/** Decides for each change of a file or folder that was not synced whether it is kept. */
function keeping({ random, shareOf }: Cut, path: string): () => boolean {
  const share = shareOf(path);
  return () => random.chance(share);
}

function writeFolder(folder: Folder, path: string, cut: Cut): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const names = new Map<string, File | Folder>();
  const keeps = keeping(cut, path);
  for (const { change, isSynced } of folder.before(cut.cut)) if (isSynced || keeps()) applyNames(names, change);
  for (const [name, child] of names) {
    if (child instanceof Folder) writeFolder(child, join(path, name), cut);
    else writeFileSync(join(path, name), contentOf(child, join(path, name), cut), { mode: 0o600 });
  }
}

function contentOf(file: File, path: string, cut: Cut): Buffer {
  const keeps = keeping(cut, path);
  const content = new Content();
  for (const { change, isSynced } of file.before(cut.cut)) {
    if ('size' in change) {
      if (isSynced || keeps()) content.resize(change.size);
    } else if (isSynced) content.write(change.position, change.bytes);
    else {
      for (const [position, bytes] of pagesOf(change.position, change.bytes)) {
        // The new size may be on the disk without the bytes.
        if (keeps()) content.grow(position + bytes.length);
        if (keeps()) content.write(position, bytes);
      }
    }
  }
  return content.bytes;
}

function* pagesOf(position: number, bytes: Uint8Array): Generator<[number, Uint8Array]> {
  for (let at = 0; at < bytes.length; ) {
    const length = Math.min(bytes.length - at, pageBytes - ((position + at) % pageBytes));
    yield [position + at, bytes.subarray(at, at + length)];
    at += length;
  }
}

/** The bytes of a file that grows. */
class Content {
  #room = Buffer.alloc(8192);
  #size = 0;

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  write(position: number, bytes: Uint8Array): void {
    this.grow(position + bytes.length);
    this.#room.set(bytes, position);
  }

  grow(size: number): void {
    if (size > this.#size) this.resize(size);
  }

  resize(size: number): void {
    if (size > this.#room.length) this.#room = Buffer.concat([this.#room], 2 * size);
    this.#room.fill(0, Math.min(size, this.#size));
    this.#size = size;
  }
}
