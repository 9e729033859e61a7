import type { FastifyBaseLogger } from 'fastify';
import { type Store, StoreUnavailable } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

/** A call that ended: its row is made when the batch is written. `bytes` is about what it holds in memory until then. */
export interface Ended {
  bytes: number;
  row(): Row<'calls'>;
}

export interface RecorderOptions {
  store: Store;
  log: FastifyBaseLogger;
  /** Memory for what waits. */
  maxBytes: number;
  lost?: (calls: number) => void;
  written?: (calls: readonly Row<'calls'>[]) => void;
  /** Then rows are made when somebody reads them and not before, of at least so many of the last calls. */
  keptUnread?: number | undefined;
}

const batchRows = 250;
const flushEveryMs = 100;

/**
 * Writes calls in batches, off the way of a request. What waits is bounded: past the bound a record is dropped and
 * counted, and the call itself goes on.
 */
export class Recorder {
  readonly #store: Store;
  readonly #log: FastifyBaseLogger;
  readonly #maxBytes: number;
  readonly #tellLost: (calls: number) => void;
  readonly #tellWritten: (calls: readonly Row<'calls'>[]) => void;
  readonly #keptUnread: number | undefined;
  #waiting: Ended[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #writes = 0;
  /** Whether a full batch is written at once: not while one is on its way, nor while the store is away. */
  #eager = true;
  #lost = 0;
  #lostBefore = 0;

  constructor(options: RecorderOptions) {
    this.#keptUnread = options.keptUnread;
    this.#store = options.store;
    this.#log = options.log;
    this.#maxBytes = options.maxBytes;
    this.#tellLost = options.lost ?? (() => {});
    this.#tellWritten = options.written ?? (() => {});
  }

  /** How many records wait, and how many were lost since the start. */
  get state(): { backlog: number; lost: number } {
    return { backlog: this.#waiting.length, lost: this.#lost };
  }

  /** Whether calls stay in memory until somebody reads them. */
  get keepsUnread(): boolean {
    return this.#keptUnread !== undefined;
  }

  push(ended: Ended): void {
    if (this.#keptUnread !== undefined) {
      this.#keep(ended, this.#keptUnread);
      return;
    }
    if (this.#bytes + ended.bytes > this.#maxBytes) {
      this.#lose(1);
      return;
    }
    this.#bytes += ended.bytes;
    this.#waiting.push(ended);
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs);
    // Under load a batch is full long before the timer: the sooner it goes, the less the garbage collector copies.
    if (this.#eager && this.#waiting.length >= batchRows) {
      this.#eager = false;
      this.#writing = this.#writing.then(() => this.#writeRows(batchRows));
    }
  }

  #keep(ended: Ended, calls: number): void {
    this.#waiting.push(ended);
    this.#bytes += ended.bytes;
    // What is being written is taken off the front when it is done.
    if (this.#writes > 0) return;
    if (this.#waiting.length < 2 * calls && this.#bytes <= this.#maxBytes) return;
    this.#waiting = this.#waiting.slice(Math.ceil(this.#waiting.length / 2));
    this.#bytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** What nobody has read is forgotten. */
  async forget(): Promise<void> {
    await this.#writing;
    this.#waiting = [];
    this.#bytes = 0;
  }

  /** Writes all that waits. Readers of calls ask for it first, so that they see every call that ended before theirs. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeRows(this.#waiting.length));
    return this.#writing;
  }

  /** Writes so many of the rows that wait, and not those that come meanwhile: they make up a fuller batch later. */
  async #writeRows(rows: number): Promise<void> {
    this.#reportLoss();
    this.#writes += 1;
    await this.#writeBatches(rows).finally(() => {
      this.#writes -= 1;
    });
  }

  async #writeBatches(rows: number): Promise<void> {
    for (let left = Math.min(rows, this.#waiting.length); left > 0; ) {
      const batch = this.#waiting.slice(0, Math.min(left, batchRows));
      try {
        await this.#write(batch.map((ended) => ended.row()));
      } catch (error) {
        this.#log.error({ err: error, backlog: this.#waiting.length }, 'calls.not_recorded');
        this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs * 10).unref();
        this.#eager = false;
        return;
      }
      left -= batch.length;
      this.#waiting = this.#waiting.slice(batch.length);
      this.#bytes -= batch.reduce((sum, ended) => sum + ended.bytes, 0);
    }
    this.#eager = true;
  }

  /** A row that the store refuses must not hold up the others: it is dropped, counted and logged. */
  async #write(rows: Row<'calls'>[]): Promise<void> {
    try {
      await this.#store.append('calls', rows);
      this.#tellWritten(rows);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (rows.length === 1) {
        this.#lose(1);
        this.#log.error({ err: error, callId: rows[0]?.id }, 'call.refused_by_store');
        return;
      }
      const middle = Math.ceil(rows.length / 2);
      await this.#write(rows.slice(0, middle));
      await this.#write(rows.slice(middle));
    }
  }

  #lose(calls: number): void {
    this.#lost += calls;
    this.#tellLost(calls);
  }

  #reportLoss(): void {
    if (this.#lost === this.#lostBefore) return;
    this.#log.warn({ lost: this.#lost - this.#lostBefore, lostInAll: this.#lost }, 'calls.lost');
    this.#lostBefore = this.#lost;
  }

  /** Writes what waits; what the store will not take then is counted as lost. What is kept unread goes. */
  async close(): Promise<void> {
    if (this.#keptUnread === undefined) await this.flush();
    else await this.forget();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#lose(this.#waiting.length);
    this.#waiting = [];
    this.#reportLoss();
  }
}
