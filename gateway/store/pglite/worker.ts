import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Notification } from './answer.ts';
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
export type PgliteReply =
  | { id: number; rows: unknown[]; rowCount: number; command: string }
  | { id: number; error: { message: string; code?: string; detail?: string } }
  | { notification: Notification }
  | { ready: true };

if (!parentPort) throw new Error('store/pglite/worker.ts must run in a worker thread.');
const port = parentPort;
const reply = (message: PgliteReply) => port.postMessage(message);

const { dataDir } = workerData as { dataDir: string };
// 16 MB of shared buffers instead of 128 MB keep the process at 300 MB instead of 450 MB. A statistics target of 20 samples
// 6000 rows: an ANALYZE, during which nothing else runs, takes a fifth of the default's time.
const parameters = ['shared_buffers=16MB', 'default_statistics_target=20'];
const startParams = [...PGlite.defaultStartParams, ...parameters.flatMap((one) => ['-c', one])];
const compiled = compilePostgres();
const pglite = await PGlite.create({ dataDir, startParams, ...(compiled ? { pgliteWasmModule: compiled } : {}) });
const notify = (notification: Notification) => reply({ notification });
pglite.onNotification((channel, payload) => notify({ channel, payload }));
const statements = new PgliteStatements(pglite, notify);
reply({ ready: true });

/** True if the database cannot go on: PostgreSQL panicked, or WebAssembly threw. An error of a statement has a severity. */
const isFatal = ({ severity = 'PANIC' }: { severity?: string }) => severity === 'PANIC' || severity === 'FATAL';

async function answer({ id, text, values, blob }: PgliteRequest): Promise<void> {
  try {
    const { rows, rowCount } = await (blob ? copyIn(text, blob) : statements.run(text, values));
    reply({ id, rows, rowCount, command: text.trimStart().slice(0, 6).toUpperCase() });
  } catch (error) {
    // PGlite does not end itself after a panic: every later statement would fail. The pool opens the database again.
    if (isFatal(error as object)) throw error;
    const { message, code, detail } = error as Error & { code?: string; detail?: string };
    reply({ id, error: { message, code, detail } });
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
