import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Redaction } from '../../base/redact.ts';
import { storable } from '../../base/text.ts';
import { type Exchange, unsent } from './exchange.ts';
import { classify, outcomeOf } from './outcome.ts';
import { ProxyFailed } from './proxy.ts';
import { type Trace, traceStart } from './trace.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

export interface AnswerLimits {
  /** Time limit of the whole request, in milliseconds. */
  deadlineMs: number;
  /** Bytes of the decoded body that are kept. */
  keptBodyBytes: number;
  /** Removes the receiver's secrets from what is kept. */
  redaction: Redaction;
}

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The codes of errors of zlib and brotli. */
const undecodable = /^(Z_|ERR__ERROR_|ERR_BROTLI)/;

/**
 * Reads the answer to one request. undici's streams and abort signals cost more than the rest of a request, so this takes
 * what its client reports. Calls `settle` once, also if the request fails.
 */
export class Answer implements Dispatcher.DispatchHandler {
  readonly #limits: AnswerLimits;
  readonly #settle: (exchange: Exchange) => void;
  readonly #beganMs = performance.now();
  readonly #exchange = unsent('unknown', null);
  readonly #trace: Trace = { address: null, phases: {} };
  readonly #stopDeadline: () => void;
  readonly #kept: Buffer[] = [];
  #size = 0;
  #firstByteMs: number | undefined;
  #controller: Controller | undefined;
  #decoder: Transform | undefined;
  /** Why the request must not start any more. */
  #expired: Error | undefined;
  #isSettled = false;

  constructor(limits: AnswerLimits, settle: (exchange: Exchange) => void) {
    this.#limits = limits;
    this.#settle = settle;
    this.#stopDeadline = deadline(limits.deadlineMs, (reason) => this.#expire(reason));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#expired) controller.abort(this.#expired);
    else traceStart(this.#trace);
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#firstByteMs = performance.now() - this.#beganMs;
    this.#exchange.status = status;
    this.#exchange.headers = this.#limits.redaction.headers(keptHeaders(headers));
    const retryAfter = headers['retry-after'];
    this.#exchange.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined) this.#decode(controller, String(encoding).toLowerCase());
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (!this.#decoder) this.#keep(chunk);
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#decoder) this.#decoder.end();
    else this.#finish(false);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.fail(error);
  }

  /** Ends the exchange as a failure, unless it has ended. */
  fail(thrown: unknown): void {
    const { outcome, error, address } = classify(thrown);
    if (thrown instanceof ProxyFailed) this.#exchange.proxyFailed = { status: thrown.status };
    const { status } = this.#exchange;
    this.#end({ outcome, error: storable(error), address, truncated: status !== null });
  }

  #decode(controller: Controller, encoding: string): void {
    const decoder = decoders.get(encoding)?.();
    decoder?.on('data', (chunk: Buffer) => this.#keep(chunk));
    decoder?.on('drain', () => controller.resume());
    decoder?.on('end', () => this.#finish(false));
    // The status tells whether the delivery was received, even if its body cannot be decoded.
    decoder?.on('error', (error: NodeJS.ErrnoException) =>
      undecodable.test(String(error.code)) ? this.#finish(true) : this.fail(error),
    );
    this.#decoder = decoder;
  }

  /** Keeps at most `keptBodyBytes`, then closes the connection: a decompression bomb or an endless body costs nothing. */
  #keep(chunk: Buffer): void {
    if (this.#isSettled) return;
    const { keptBodyBytes } = this.#limits;
    this.#kept.push(chunk.subarray(0, keptBodyBytes - this.#size));
    this.#size += chunk.length;
    if (this.#size > keptBodyBytes) this.#finish(true);
  }

  #finish(truncated: boolean): void {
    const { status } = this.#exchange;
    const outcome = outcomeOf(status ?? 0);
    this.#end({ outcome, error: outcome === 'success' ? null : `The receiver answered ${status}.`, address: null, truncated });
  }

  /** A request that waits for its connection cannot be aborted. It is when it starts; connecting has a time limit of its own. */
  #expire(reason: Error): void {
    this.#expired = reason;
    this.#controller?.abort(reason);
    if (this.#controller) this.fail(reason);
  }

  #end(end: Pick<Exchange, 'outcome' | 'error' | 'address' | 'truncated'>): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#stopDeadline();
    const exchange = Object.assign(this.#exchange, end);
    exchange.address = this.#trace.address ?? end.address;
    if (exchange.status !== null) exchange.body = storable(this.#limits.redaction.text(textOf(this.#kept)));
    exchange.timings = this.#timings();
    this.#settle(exchange);
    if (!exchange.truncated) return;
    this.#decoder?.destroy();
    this.#controller?.abort(new Error('Enough of the answer was read.'));
  }

  #timings(): Record<string, number> {
    const timings: Record<string, number> = {};
    for (const [phase, ms] of Object.entries(this.#trace.phases)) timings[phase] = rounded(ms);
    if (this.#firstByteMs !== undefined) timings.first_byte = rounded(this.#firstByteMs);
    timings.total = rounded(performance.now() - this.#beganMs);
    return timings;
  }
}

const textOf = (chunks: Buffer[]): string =>
  (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8');

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

function keptHeaders(headers: Headers): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    kept[storable(name)] = Array.isArray(value) ? value.map(storable) : storable(value);
  }
  return kept;
}

/** A timer that fires later than this shows that the process stalled: it was suspended, or its event loop was blocked. */
const stalledMs = 20;
/** After a stall, the time to read the answers that arrived meanwhile. Decompressing a body takes several turns of the loop. */
const graceMs = 250;

/**
 * Calls `expire` after `afterMs`, but not before this process has read what arrived until then. Timers run before sockets are
 * read, so after a stall a plain timeout would discard an answer that came in time. Returns a function that stops it.
 */
function deadline(afterMs: number, expire: (reason: Error) => void): () => void {
  const dueMs = performance.now() + afterMs;
  let isOver = false;
  // Immediates run after sockets are read.
  const end = () =>
    setImmediate(() => {
      if (!isOver) expire(new DOMException(`The deadline of ${afterMs} ms passed.`, 'TimeoutError'));
    });
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < stalledMs) end();
    else timer = setTimeout(end, graceMs);
  }, afterMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
