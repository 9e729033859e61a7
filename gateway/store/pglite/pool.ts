import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { moduleFile } from '../../base/module-file.ts';
import { DiskSpace } from './disk.ts';
import { LogSyncer } from './log-sync.ts';
import { Turns } from './turns.ts';
import type { PgliteReply, PgliteRequest, PgliteResult, PgliteStart } from './worker.ts';

interface Result<R> {
  command: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'MERGE';
  rowCount: number;
  rows: R[];
}

const begins = /^\s*(begin|start\s+transaction)\b/i;
const ends = /^\s*(commit|rollback)\b(?!\s+to\b)/i;
/** Statements whose effect lasts as long as the connection. */
const session = /^\s*(set\s+search_path|listen)\b/i;
const reopenEveryMs = 1000;

/** SQLSTATE cannot_connect_now: callers try again later. */
const lost = (message: string) => Object.assign(new Error(message), { code: '57P03' });

/**
 * PGlite in a worker thread, in the shape of a `pg.Pool` for Kysely and BullMQ. In the main thread its batches would block
 * the event loop (p99 of calls 30 ms instead of 6).
 *
 * All clients share PGlite's single connection. A statement outside a transaction takes one turn; a transaction keeps the
 * turn until it commits or rolls back.
 *
 * If the thread ends by itself, it is started again, and PostgreSQL recovers the database as after a kill. `lost` and
 * `reopened` are emitted then. While the disk is almost full, transactions are read-only.
 *
 * A durable pool returns a result when everything that it may show is on the disk.
 */
export class PglitePool extends EventEmitter {
  readonly options = { max: 1 };
  readonly #given: PgliteStart;
  readonly #disk: DiskSpace | undefined;
  #worker: Worker | undefined;
  #log = new LogSyncer();
  /** Grows when the thread is lost, so that a transaction of the old one is not continued in the new one. */
  #generation = 0;
  readonly #session = new Set<string>();
  #isReadOnly = false;
  #reopening: Promise<void> | undefined;
  readonly #waiting = new Map<number, { resolve: (result: Result<never>) => void; reject: (error: Error) => void }>();
  #nextId = 1;
  readonly #turns = new Turns();
  #closed: Error | undefined;
  #ended: Promise<void> | undefined;

  private constructor(given: PgliteStart) {
    super();
    this.setMaxListeners(0);
    this.#given = given;
    const { dataDir } = given;
    this.#disk = dataDir.startsWith('memory:') ? undefined : new DiskSpace(dataDir);
  }

  /** `dataDir` is a folder, or `memory://` for a database in memory. */
  static async open(dataDir: string, { isDurable = false } = {}): Promise<PglitePool> {
    const pool = new PglitePool({ dataDir, isDurable: isDurable && !dataDir.startsWith('memory:') });
    await pool.#start();
    return pool;
  }

  get generation(): number {
    return this.#generation;
  }

  async #start(): Promise<void> {
    const worker = new Worker(moduleFile('./worker.ts', import.meta.url), { workerData: this.#given });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
    });
    worker.removeAllListeners('error');
    worker.on('message', (reply: PgliteReply) => this.#receive(reply));
    worker.on('error', (error) => this.#lose(worker, error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => this.#lose(worker, 'The thread ended.'));
    this.#worker = worker;
    this.#log = new LogSyncer();
    this.#isReadOnly = false;
  }

  #lose(worker: Worker | undefined, why: string): void {
    if (!worker || this.#worker !== worker) return;
    this.#worker = undefined;
    this.#generation++;
    void this.#log.close();
    const error = lost(`The database thread was lost: ${why}`);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    // A database in memory is gone.
    if (!this.#disk) this.#closed ??= error;
    if (this.#closed) return;
    this.emit('lost', error);
    this.#reopening = this.#reopen();
  }

  async #reopen(): Promise<void> {
    while (!this.#closed && !this.#worker) {
      try {
        await this.#start();
        await Promise.all([...this.#session].map((text) => this.run(text, [])));
        this.emit('reopened');
      } catch (error) {
        this.emit('lost', error);
        await delay(reopenEveryMs);
      }
    }
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
    const releaseOwn = await this.#turns.take('own');
    const turn = this.#turns.take('call');
    releaseOwn();
    const release = await turn;
    // Statements run in order, so all earlier ones are done after this one.
    await this.run('select 1', []).catch(() => {});
    this.#closed = new Error('The database is closed: Cannot use a pool after calling end.');
    release();
    await this.#reopening;
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await exited;
    await this.#log.close();
  }

  /** Waits for the connection and takes it. Returns the function that releases it. */
  async takeTurn(): Promise<() => void> {
    const release = await this.#turns.take();
    if (this.#disk && this.#worker) await this.#keepReserve(this.#disk);
    return release;
  }

  /** A transaction that is read-only refuses to write with SQLSTATE 25006. Reads go on. */
  async #keepReserve(disk: DiskSpace): Promise<void> {
    const isLow = disk.isLow();
    if (isLow === this.#isReadOnly) return;
    this.#isReadOnly = isLow;
    await this.run(`set default_transaction_read_only = ${isLow ? 'on' : 'off'}`, []).catch(() => {});
  }

  /** Runs a statement at once. The caller must have the turn. */
  run<R>(text: string, values: readonly unknown[]): Promise<Result<R>> {
    return this.#send({ text, values: values as unknown[] });
  }

  #send<R>(request: Omit<PgliteRequest, 'id'>, transfer: ArrayBuffer[] = []): Promise<Result<R>> {
    const worker = this.#worker;
    if (this.#closed) return Promise.reject(this.#closed);
    if (!worker) return Promise.reject(lost('The database is being opened again.'));
    if (session.test(request.text)) this.#session.add(request.text);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...request } satisfies PgliteRequest, transfer);
    });
  }

  #receive(reply: PgliteReply): void {
    if ('notification' in reply) {
      this.emit('notification', reply.notification);
      return;
    }
    if ('ready' in reply) return;
    const synced = reply.after && this.#log.until(reply.after);
    if (synced) void this.#settleAfter(synced, reply);
    else this.#settle(reply);
  }

  async #settleAfter(synced: Promise<void>, reply: PgliteResult): Promise<void> {
    const worker = this.#worker;
    try {
      await synced;
      this.#settle(reply);
    } catch (error) {
      // Nobody knows now what is on the disk. The recovery of a new thread finds out.
      void worker?.terminate();
      this.#lose(worker, (error as Error).message);
    }
  }

  #settle(reply: PgliteResult): void {
    const waiter = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiter?.reject(Object.assign(new Error(reply.error.message), reply.error));
    // The statement's caller says what its rows are.
    else waiter?.resolve({ command: reply.command as 'SELECT', rowCount: reply.rowCount, rows: reply.rows as never[] });
  }
}

/** A client of the pool's connection, in the shape of a `pg.PoolClient`. */
export class PgliteClient extends EventEmitter {
  readonly #pool: PglitePool;
  /** The transaction's `begin`, until it ends. */
  #begun: Promise<unknown> | undefined;
  #release: (() => void) | undefined;
  #generation = 0;
  #released = false;
  readonly #forward = (notification: unknown) => this.emit('notification', notification);

  constructor(pool: PglitePool) {
    super();
    this.#pool = pool;
    pool.on('notification', this.#forward);
  }

  /** Statements wait for the `begin` before them, so that none runs outside the transaction. */
  // biome-ignore lint/suspicious/noExplicitAny: the drivers' own signatures take strings, configurations and cursors
  async query(given: any, parameters: readonly unknown[] = []): Promise<any> {
    const { text, values } = typeof given === 'string' ? { text: given, values: parameters } : given;
    if (!this.#begun) {
      if (!begins.test(text)) return this.#pool.query(text, values);
      this.#begun = this.#begin(text, values);
      return this.#begun;
    }
    await this.#begun;
    const isLost = this.#generation !== this.#pool.generation;
    const result = isLost
      ? Promise.reject(lost('The transaction was lost with the database thread.'))
      : this.#pool.run(text, values);
    if (ends.test(text)) {
      this.#begun = undefined;
      this.#release?.();
      this.#release = undefined;
    }
    return result;
  }

  async #begin(text: string, values: readonly unknown[]): Promise<unknown> {
    const release = await this.#pool.takeTurn();
    try {
      if (this.#released) throw new Error('This client was released before its transaction began.');
      const result = await this.#pool.run(text, values);
      this.#generation = this.#pool.generation;
      this.#release = release;
      if (this.#released) this.release();
      return result;
    } catch (error) {
      this.#begun = undefined;
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
    if (!release) return;
    if (this.#generation === this.#pool.generation) void this.#pool.run('rollback', []).then(release, release);
    else release();
  }
}
