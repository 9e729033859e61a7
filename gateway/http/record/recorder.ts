import type { FastifyBaseLogger } from 'fastify';
import { type Store, StoreUnavailable } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { type EndedCall, type RowOptions, rowOf } from './call.ts';

export interface WaitingCall {
  /** About how much memory it holds. */
  bytes: number;
  /** Makes its row. Redacting and cutting are expensive, so it is called only when the row is needed. */
  row(): Row<'calls'>;
}

/** The store of recorded calls, for the routes that read them. */
export interface CallRecords {
  /** Stores all waiting calls, so that a reader sees every call that ended before the reader's own call. */
  flush(): Promise<void>;
  /** Calls that wait to be stored, and calls dropped since the start. */
  readonly state: { backlog: number; lost: number };
}

export interface RecorderOptions {
  store: Store;
  log: FastifyBaseLogger;
  /** The most memory that waiting calls may take. */
  maxBytes: number;
  /** Called with the number of calls that were dropped. */
  lost?: (calls: number) => void;
  /** Called with the rows of each batch that was stored. */
  written?: (calls: readonly Row<'calls'>[]) => void;
}

/** The memory for calls that wait to be stored. */
export const backlogBytes = 64 * 1024 * 1024;
const batchRows = 250;
const flushEveryMs = 100;

export const waitingCall = (call: EndedCall, options: RowOptions): WaitingCall => new UnstoredCall(call, options);

class UnstoredCall implements WaitingCall {
  readonly bytes: number;
  readonly #call: EndedCall;
  readonly #options: RowOptions;

  constructor(call: EndedCall, options: RowOptions) {
    this.#call = call;
    this.#options = options;
    this.bytes = 1024 + (call.requestBody?.length ?? 0) + (call.responseBody?.length ?? 0);
  }

  row(): Row<'calls'> {
    return rowOf(this.#call, this.#options);
  }
}

/**
 * Stores calls in batches, off the hot path. Memory is bounded: if too many calls wait, further records are dropped and
 * counted, and the calls themselves are still served.
 */
export class Recorder implements CallRecords {
  readonly #store: Store;
  readonly #log: FastifyBaseLogger;
  readonly #maxBytes: number;
  readonly #onLost: (calls: number) => void;
  readonly #onWritten: (calls: readonly Row<'calls'>[]) => void;
  #waiting: WaitingCall[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** True if a full batch is written at once. False while one is being written, and while the store is down. */
  #eager = true;
  #lost = 0;
  #lostReported = 0;

  constructor(options: RecorderOptions) {
    this.#store = options.store;
    this.#log = options.log;
    this.#maxBytes = options.maxBytes;
    this.#onLost = options.lost ?? (() => {});
    this.#onWritten = options.written ?? (() => {});
  }

  get state(): { backlog: number; lost: number } {
    return { backlog: this.#waiting.length, lost: this.#lost };
  }

  push(call: WaitingCall): void {
    if (this.#bytes + call.bytes > this.#maxBytes) {
      this.#lose(1);
      return;
    }
    this.#bytes += call.bytes;
    this.#waiting.push(call);
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs);
    // Under load a batch is full long before the timer. If it is written at once, the garbage collector copies less.
    if (this.#eager && this.#waiting.length >= batchRows) {
      this.#eager = false;
      this.#writing = this.#writing.then(() => this.#writeRows(batchRows));
    }
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeRows(this.#waiting.length));
    return this.#writing;
  }

  /** Drops the calls that wait. */
  async reset(): Promise<void> {
    await this.#writing;
    this.#waiting = [];
    this.#bytes = 0;
  }

  /** Stores the calls that wait. Those that the store does not take now are counted as lost. */
  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#lose(this.#waiting.length);
    this.#waiting = [];
    this.#reportLost();
  }

  /** Writes this many of the waiting rows. Calls that end in the meantime wait, so that the next batch is fuller. */
  async #writeRows(rows: number): Promise<void> {
    this.#reportLost();
    for (let left = Math.min(rows, this.#waiting.length); left > 0; ) {
      const batch = this.#waiting.slice(0, Math.min(left, batchRows));
      try {
        await this.#write(batch.map((call) => call.row()));
      } catch (error) {
        this.#log.error({ err: error, backlog: this.#waiting.length }, 'calls.not_recorded');
        this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs * 10).unref();
        this.#eager = false;
        return;
      }
      left -= batch.length;
      this.#waiting = this.#waiting.slice(batch.length);
      this.#bytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
    }
    this.#eager = true;
  }

  /** Writes rows. A row that the store refuses is dropped, counted and logged, so that it does not delay the others. */
  async #write(rows: Row<'calls'>[]): Promise<void> {
    try {
      await this.#store.append('calls', rows);
      this.#onWritten(rows);
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
    this.#onLost(calls);
  }

  #reportLost(): void {
    if (this.#lost === this.#lostReported) return;
    this.#log.warn({ lost: this.#lost - this.#lostReported, lostInAll: this.#lost }, 'calls.lost');
    this.#lostReported = this.#lost;
  }
}
