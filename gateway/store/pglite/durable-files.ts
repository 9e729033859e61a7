import fs from 'node:fs';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncNames } from '../../base/sync-folder.ts';

/** A file or folder as Emscripten's NODEFS keeps it. */
interface FileNode {
  parent: FileNode;
  name: string;
}
interface Stream {
  node: FileNode;
  /** The descriptor of the operating system. */
  nfd: number;
}
// biome-ignore lint/suspicious/noExplicitAny: each operation of NODEFS has its own parameters
type Operations = Record<string, (...parameters: any[]) => any>;
interface NodeFiles {
  node_ops: Operations;
  stream_ops: Operations;
  realPath(node: FileNode): string;
  tryFSOperation<R>(operation: () => R): R;
}
/** How far the write-ahead log must be on the disk. */
export interface LogSync {
  /** How many times PostgreSQL has asked for a sync of its log. */
  asked: number;
  /** The log file of the last request. Earlier files are on the disk. */
  file: string;
}

const segment = /\/pg_wal\/[0-9A-F]{24}$/;

/**
 * PGlite's files on disk, with the syncs that PGlite leaves out (electric-sql/pglite#1107). PostgreSQL must run without `-F`,
 * and with `wal_sync_method=fsync`: PGlite's fdatasync does nothing.
 *
 * A sync of the write-ahead log is not made at once. It is owed: the first waiter for a commit makes it (`log-sync.ts`), for all
 * commits until then. PostgreSQL expects it before its next change of another file, so such a change makes it first.
 */
export class DurableFiles extends NodeFS {
  #asked = 0;
  #file = '';
  /** The stream of the log if this thread knows of a sync that is owed. */
  #owed: Stream | undefined;
  /** Folders in which names have changed since they were synced. */
  readonly #folders = new Set<string>();

  /** Returns the sync of the log that PostgreSQL asked for last. */
  get logSync(): LogSync {
    return { asked: this.#asked, file: this.#file };
  }

  override async init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const made = await super.init(pglite, options);
    made.emscriptenOpts.preRun?.unshift((module: unknown) => this.#addSyncs((module as { NODEFS: NodeFiles }).NODEFS));
    return made;
  }

  #addSyncs(files: NodeFiles): void {
    const { node_ops: nodes, stream_ops: streams } = files;
    const before = (operations: Operations, name: string, work: Operations[string]) => {
      const operation = operations[name] as Operations[string];
      operations[name] = (...parameters) => {
        files.tryFSOperation(() => work(...parameters));
        return operation(...parameters);
      };
    };
    const isLog = (stream: Stream) => segment.test(files.realPath(stream.node));
    const changed = (folder: FileNode) => this.#folders.add(files.realPath(folder));

    streams.fsync = (stream: Stream) => {
      if (isLog(stream)) this.#owe(stream, files.realPath(stream.node));
      else files.tryFSOperation(() => this.#sync(stream));
    };
    before(streams, 'close', (stream: Stream) => stream === this.#owed && this.#settle());
    before(streams, 'write', (stream: Stream, bytes: Uint8Array, offset: number, length: number) => {
      // A table grows by pages of zeros. They contain nothing that must be in the log first.
      const isEmpty = () => bytes.subarray(offset, offset + length).every((byte) => byte === 0);
      if (this.#owed && !isLog(stream) && !isEmpty()) this.#settle();
    });
    before(streams, 'setattr', () => this.#settle());
    before(nodes, 'setattr', (_node, { size }) => size !== undefined && this.#settle());
    before(nodes, 'mknod', changed);
    before(nodes, 'unlink', (folder: FileNode) => {
      this.#settle();
      changed(folder);
    });
    before(nodes, 'rmdir', (folder: FileNode, name: string) => {
      this.#settle();
      changed(folder);
      this.#folders.delete(join(files.realPath(folder), name));
    });
    before(nodes, 'rename', ({ parent }: FileNode, folder: FileNode) => {
      this.#settle();
      changed(parent);
      changed(folder);
    });
  }

  #owe(stream: Stream, file: string): void {
    if (this.#owed !== stream) this.#settle();
    this.#owed = stream;
    this.#file = file;
    this.#asked++;
  }

  /** Makes the sync that is owed. This costs little if another thread has made it. */
  #settle(): void {
    if (!this.#owed) return;
    fs.fdatasyncSync(this.#owed.nfd);
    this.#owed = undefined;
  }

  #sync({ nfd }: Stream): void {
    this.#settle();
    for (const folder of this.#folders) syncNames(folder);
    this.#folders.clear();
    if (!fs.fstatSync(nfd).isDirectory()) fs.fdatasyncSync(nfd);
    else if (process.platform !== 'win32') fs.fsyncSync(nfd);
  }
}
