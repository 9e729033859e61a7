import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { moduleFile } from '../../base/module-file.ts';
import type { PgliteReply, PgliteRequest } from './worker.ts';

interface Result<R> {
  command: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'MERGE';
  rowCount: number;
  rows: R[];
}

const begins = /^\s*(begin|start\s+transaction)\b/i;
const ends = /^\s*(commit|rollback)\b(?!\s+to\b)/i;

/**
 * PGlite in a worker thread, in the shape of a `pg.Pool` for Kysely and BullMQ. In the main thread its batches would block
 * the event loop (p99 of calls 30 ms instead of 6).
 *
 * All clients share PGlite's single connection. A statement outside a transaction takes one turn; a transaction keeps the
 * turn until it commits or rolls back.
 */
export class PglitePool extends EventEmitter {
  readonly options = { max: 1 };
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (result: Result<never>) => void; reject: (error: Error) => void }>();
  #nextId = 1;
  #turn: Promise<void> = Promise.resolve();
  #closed: Error | undefined;
  #ended: Promise<void> | undefined;

  private constructor(worker: Worker) {
    super();
    this.setMaxListeners(0);
    this.#worker = worker;
    worker.on('message', (reply: PgliteReply) => this.#receive(reply));
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#fail(new Error('The database thread terminated.')));
  }

  /** `dataDir` is a folder, or `memory://` for a database in memory. */
  static async open(dataDir: string): Promise<PglitePool> {
    const worker = new Worker(moduleFile('./worker.ts', import.meta.url), { workerData: { dataDir } });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
    });
    worker.removeAllListeners('error');
    return new PglitePool(worker);
  }

  async connect(): Promise<PgliteClient> {
    if (this.#closed) throw this.#closed;
    const client = new PgliteClient(this);
    this.emit('connect', client);
    return client;
  }

  async query<R>(text: string, values: readonly unknown[] = []): Promise<Result<R>> {
    const release = await this.takeTurn();
    // The thread runs statements in order, so the turn can end before the result arrives.
    const result = this.run<R>(text, values);
    release();
    return result;
  }

  /** Copies rows in COPY's text format. Transfers their memory to the worker thread: `rows` is empty afterwards. */
  async copyIn(table: string, columns: readonly string[], rows: Uint8Array<ArrayBuffer>): Promise<void> {
    const release = await this.takeTurn();
    const text = `copy ${table} (${columns.join(', ')}) from '/dev/blob'`;
    const result = this.#send({ text, values: [], blob: rows }, [rows.buffer]);
    release();
    await result;
  }

  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    if (this.#closed) return;
    const release = await this.takeTurn();
    // Statements run in order, so all earlier ones are done after this one.
    await this.run('select 1', []);
    this.#closed = new Error('The database is closed: Cannot use a pool after calling end.');
    release();
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage('close');
    await exited;
  }

  /** Waits for the connection and takes it. Returns the function that releases it. */
  async takeTurn(): Promise<() => void> {
    const before = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  /** Runs a statement at once. The caller must have the turn. */
  run<R>(text: string, values: readonly unknown[]): Promise<Result<R>> {
    return this.#send({ text, values: values as unknown[] });
  }

  #send<R>(request: Omit<PgliteRequest, 'id'>, transfer: ArrayBuffer[] = []): Promise<Result<R>> {
    if (this.#closed) return Promise.reject(this.#closed);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request } satisfies PgliteRequest, transfer);
    });
  }

  #receive(reply: PgliteReply): void {
    if ('notification' in reply) {
      this.emit('notification', reply.notification);
      return;
    }
    if ('ready' in reply) return;
    const waiter = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiter?.reject(Object.assign(new Error(reply.error.message), reply.error));
    else waiter?.resolve({ command: reply.command as 'SELECT', rowCount: reply.rowCount, rows: reply.rows as never[] });
  }

  #fail(error: Error): void {
    const wasClosed = this.#closed !== undefined;
    this.#closed ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    if (!wasClosed && this.listenerCount('error') > 0) this.emit('error', error);
  }
}

/** A client of the pool's connection, in the shape of a `pg.PoolClient`. */
export class PgliteClient extends EventEmitter {
  readonly #pool: PglitePool;
  #release: (() => void) | undefined;
  #released = false;
  readonly #forward = (notification: unknown) => this.emit('notification', notification);

  constructor(pool: PglitePool) {
    super();
    this.#pool = pool;
    pool.on('notification', this.#forward);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the drivers' own signatures take strings, configurations and cursors
  async query(text: any, values: readonly unknown[] = []): Promise<any> {
    if (this.#release) {
      const release = this.#release;
      const result = this.#pool.run(text, values);
      if (ends.test(text)) {
        this.#release = undefined;
        release();
      }
      return result;
    }
    if (!begins.test(text)) return this.#pool.query(text, values);
    const release = await this.#pool.takeTurn();
    try {
      if (this.#released) throw new Error('This client was released before its transaction began.');
      const result = await this.#pool.run(text, values);
      this.#release = release;
      if (this.#released) this.release();
      return result;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Rolls back a transaction that is still open, so that its turn always ends. */
  release(): void {
    this.#released = true;
    this.#pool.off('notification', this.#forward);
    const release = this.#release;
    this.#release = undefined;
    if (release) void this.#pool.run('rollback', []).then(release, release);
  }
}
