import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { syncFolder } from '../../base/sync-folder.ts';
import type { Notification } from './answer.ts';
import { DurableFiles, type LogSync } from './durable-files.ts';
import { PgliteStatements } from './statements.ts';
import { compilePostgres } from './wasm.ts';

/** A message from the pool to this thread (`pool.ts`). */
export interface PgliteRequest {
  id: number;
  text: string;
  values: unknown[];
  /** The content of '/dev/blob' for COPY. */
  blob?: Uint8Array<ArrayBuffer>;
}
export interface PgliteStart {
  dataDir: string;
  /** A commit survives a power cut, once the sync that comes with its reply has been made. */
  isDurable: boolean;
}
export type PgliteResult =
  | { id: number; rows: unknown[]; rowCount: number; command: string }
  | { id: number; error: { message: string; code?: string; detail?: string } };
export type PgliteReply =
  /** `after` must be made before anyone learns of the result, which may show what an earlier statement has committed. */
  (PgliteResult & { after: LogSync | undefined }) | { notification: Notification } | { ready: true };

if (!parentPort) throw new Error('store/pglite/worker.ts must run in a worker thread.');
const port = parentPort;
const reply = (message: PgliteReply) => port.postMessage(message);

const { dataDir, isDurable } = workerData as PgliteStart;
const files = isDurable ? new DurableFiles(dataDir) : undefined;
// 16 MB of shared buffers instead of 128 MB keep the process at 300 MB instead of 450 MB. A statistics target of 20 samples
// 6000 rows: an ANALYZE, during which nothing else runs, takes a fifth of the default's time.
const parameters = ['shared_buffers=16MB', 'default_statistics_target=20', ...(files ? ['wal_sync_method=fsync'] : [])];
const startParams = [
  ...PGlite.defaultStartParams.filter((one) => !(files && one === '-F')),
  ...parameters.flatMap((one) => ['-c', one]),
];
// A power cut can leave it empty, which PostgreSQL refuses. The data folder has a lock of its own (`start/data-folder.ts`).
rmSync(join(dataDir, 'postmaster.pid'), { force: true });
const compiled = compilePostgres();
const pglite = await PGlite.create({
  ...(files ? { fs: files } : { dataDir }),
  startParams,
  ...(compiled ? { pgliteWasmModule: compiled } : {}),
});
// Files that were unpacked, copied or written with DURABILITY=process may not be on the disk yet.
if (files) await syncFolder(dataDir);
const notify = (notification: Notification) => reply({ notification });
pglite.onNotification((channel, payload) => notify({ channel, payload }));
const statements = new PgliteStatements(pglite, notify);
reply({ ready: true });

/** True if the database cannot go on: PostgreSQL panicked, or WebAssembly threw. An error of a statement has a severity. */
const isFatal = ({ severity = 'PANIC' }: { severity?: string }) => severity === 'PANIC' || severity === 'FATAL';

async function answer(request: PgliteRequest): Promise<void> {
  const result = await resultOf(request);
  // A result inside a transaction goes out at once: nobody acts on it before the transaction ends.
  reply({ ...result, after: statements.inTransaction ? undefined : files?.logSync });
}

async function resultOf({ id, text, values, blob }: PgliteRequest): Promise<PgliteResult> {
  try {
    const { rows, rowCount } = await (blob ? copyIn(text, blob) : statements.run(text, values));
    return { id, rows, rowCount, command: text.trimStart().slice(0, 6).toUpperCase() };
  } catch (error) {
    // PGlite does not end itself after a panic: every later statement would fail. The pool opens the database again.
    if (isFatal(error as object)) throw error;
    const { message, code, detail } = error as Error & { code?: string; detail?: string };
    return { id, error: { message, code, detail } };
  }
}

/** Uses PGlite's `exec`, because only PGlite can provide '/dev/blob'. */
async function copyIn(text: string, blob: Uint8Array<ArrayBuffer>) {
  const [result] = await pglite.exec(text, { blob: new Blob([blob]) });
  return { rows: [], rowCount: result?.affectedRows ?? 0 };
}

async function close(): Promise<void> {
  await pglite.close();
  port.close();
}

let last = Promise.resolve();
port.on('message', (message: PgliteRequest | 'close') => {
  last = last.then(() => (message === 'close' ? close() : answer(message)));
});
