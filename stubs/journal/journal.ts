import { type Clock, systemClock } from '../../gateway/base/clock.ts';
import { cut } from '../../gateway/http/record/call.ts';
import type { Har } from '../../gateway/http/record/har.ts';
import type { RecordedCall, Scheme } from './call.ts';
import { type CallExpectation, expectationOf, nearestCalls } from './expectation.ts';
import { type CallFilter, checkFilter, describeFilter, matches } from './filter.ts';
import { archiveOf } from './shown.ts';

export interface JournalOptions {
  /** Maximum calls to keep; the oldest are dropped first. Default 2000. */
  capacity?: number;
  /** Maximum characters of each body to keep. Default 65536. */
  bodyCharacters?: number;
  /** Maximum characters of all bodies together. Beyond it the oldest calls are dropped. Default 8388608. */
  allBodiesCharacters?: number;
  /** Measures timeouts. Default: the machine's clock. */
  clock?: Clock;
  /** The operations that filters may name. A filter with another one would match no call. Default: any. */
  operations?: readonly string[];
  /** The scheme of the calls' URLs. Default http. */
  scheme?: Scheme;
}

export interface WaitOptions {
  /** In milliseconds. Default 4000: less than the limit of test runners, so that this message is shown and not theirs. */
  timeoutMs?: number;
  /** Ends the wait with the signal's reason. */
  signal?: AbortSignal;
  /** A call or its id: only later calls match. `'now'`: only calls yet to come. */
  after?: RecordedCall | string;
}

/** A call that nobody has read yet. Most calls of a load test never are, so what a reader sees is made when somebody reads. */
export interface UnreadCall {
  /** The whole bodies, as the reader will see them. */
  readonly requestBody: string;
  readonly responseBody: string;
  /** Makes the call that a reader sees. Called once. */
  read(): RecordedCall;
}

interface Waiter {
  filter: CallFilter;
  found(call: RecordedCall): void;
  failed(error: unknown): void;
}

/** The calls that a stub received, in the order in which they ended. */
export class Journal {
  readonly scheme: Scheme;
  readonly #capacity: number;
  readonly #bodyCharacters: number;
  readonly #allBodiesCharacters: number;
  readonly #clock: Clock;
  readonly #operations: readonly string[] | undefined;
  readonly #waiters = new Set<Waiter>();
  readonly #listeners = new Set<(call: RecordedCall) => void>();
  /** The calls that a test has looked at. */
  readonly #checked = new WeakSet<RecordedCall>();
  /** Each is replaced by what a reader sees when it is read for the first time. */
  #calls: (RecordedCall | UnreadCall)[] = [];
  /** Index of the oldest kept call. Removing dropped calls from the array one by one would move all others each time. */
  #start = 0;
  #characters = 0;

  constructor(options: JournalOptions = {}) {
    this.#capacity = positive('capacity', options.capacity ?? 2000);
    this.#bodyCharacters = positive('bodyCharacters', options.bodyCharacters ?? 64 * 1024);
    this.#allBodiesCharacters = positive('allBodiesCharacters', options.allBodiesCharacters ?? 8 * 1024 * 1024);
    this.#clock = options.clock ?? systemClock;
    this.#operations = options.operations;
    this.scheme = options.scheme ?? 'http';
  }

  /** Keeps a call and resolves the waits that it matches. */
  record(received: RecordedCall | UnreadCall): void {
    const isAwaited = this.#waiters.size > 0 || this.#listeners.size > 0;
    const call = isAwaited || this.#isLong(received) ? this.#bounded(readOf(received)) : received;
    this.#calls.push(call);
    this.#characters += charactersOf(call);
    while (this.size > this.#capacity || (this.#characters > this.#allBodiesCharacters && this.size > 1)) this.#dropOldest();
    if (!isAwaited) return;
    for (const waiter of this.#waiters) tell(waiter, readOf(call));
    for (const listener of this.#listeners) listener(readOf(call));
  }

  /** The kept calls that match the filter, oldest first. Throws `CouldNotRun` for a filter that cannot match. */
  calls(filter?: CallFilter): RecordedCall[] {
    if (filter === undefined) return this.#read();
    checkFilter(filter, this.#operations);
    return this.#read().filter((call) => matches(call, filter));
  }

  get size(): number {
    return this.#calls.length - this.#start;
  }

  /**
   * Resolves with the first call that matches, received already or yet to come. Rejects after `timeoutMs` with the
   * nearest calls and their differences.
   */
  async waitForCall(filter: CallFilter = {}, options: WaitOptions = {}): Promise<RecordedCall> {
    checkFilter(filter, this.#operations);
    const { timeoutMs = 4000, signal } = options;
    signal?.throwIfAborted();
    const known = this.#callsAfter(options.after).find((call) => matches(call, filter));
    if (known) return known;

    const { promise, resolve, reject } = Promise.withResolvers<RecordedCall>();
    const waiter = { filter, found: resolve, failed: reject };
    const aborted = () => reject(signal?.reason);
    const cancel = this.#clock.after(timeoutMs, () => reject(this.#timeOut(filter, timeoutMs)));
    signal?.addEventListener('abort', aborted);
    this.#waiters.add(waiter);
    try {
      return await promise;
    } finally {
      this.#waiters.delete(waiter);
      signal?.removeEventListener('abort', aborted);
      cancel();
    }
  }

  /** The calls that match the filter, as `calls` returns them. They count as looked at. */
  check(filter?: CallFilter): RecordedCall[] {
    const found = this.calls(filter);
    for (const call of found) this.#checked.add(call);
    return found;
  }

  /** Resolves as `waitForCall` does. The call then counts as checked. */
  async checkNext(filter?: CallFilter, options?: WaitOptions): Promise<RecordedCall> {
    const call = await this.waitForCall(filter, options);
    this.#checked.add(call);
    return call;
  }

  /** The kept calls that nobody looked at, oldest first. */
  unchecked(): RecordedCall[] {
    return this.calls().filter((call) => !this.#checked.has(call));
  }

  /** A check of how often the calls that match were made. They count as looked at. */
  expect(filter: CallFilter = {}): CallExpectation {
    return expectationOf(this.calls(), this.check(filter), filter);
  }

  /** Calls the listener with each call as it ends. Returns the function that unsubscribes. */
  subscribe(listener: (call: RecordedCall) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops all calls. Waits go on. */
  clear(): void {
    this.#calls = [];
    this.#start = 0;
    this.#characters = 0;
  }

  /** The calls as an HTTP Archive 1.2, without tokens and secrets unless `secrets` is true. */
  har(options: { secrets?: boolean; filter?: CallFilter } = {}): Har {
    return archiveOf(this.calls(options.filter), { ...options, scheme: this.scheme });
  }

  /** The kept calls, oldest first, as readers see them. */
  #read(): RecordedCall[] {
    const read = this.#calls.slice(this.#start).map(readOf);
    this.#calls = [...read];
    this.#start = 0;
    return read;
  }

  #isLong({ requestBody, responseBody }: UnreadCall | RecordedCall): boolean {
    return requestBody.length > this.#bodyCharacters || responseBody.length > this.#bodyCharacters;
  }

  #bounded(call: RecordedCall): RecordedCall {
    if (!this.#isLong(call)) return call;
    const most = this.#bodyCharacters;
    return { ...call, requestBody: cut(call.requestBody, most), responseBody: cut(call.responseBody, most) };
  }

  #dropOldest(): void {
    const oldest = this.#calls[this.#start];
    if (oldest) this.#characters -= charactersOf(oldest);
    this.#start += 1;
    // Rarely done, so that it costs little per call. Until then the array holds up to 1024 dropped calls.
    if (this.#start < Math.min(this.#capacity, 1024)) return;
    this.#calls = this.#calls.slice(this.#start);
    this.#start = 0;
  }

  /** If the call `after` was dropped already, every kept call is later. */
  #callsAfter(after: RecordedCall | string | undefined): RecordedCall[] {
    if (after === 'now') return [];
    const calls = this.calls();
    if (after === undefined) return calls;
    return calls.slice(calls.findLastIndex((call) => call === after || call.id === after) + 1);
  }

  #timeOut(filter: CallFilter, timeoutMs: number): Error {
    return new Error(`Waited ${timeoutMs} ms for ${describeFilter(filter)}. ${nearestCalls(this.calls(), filter)}`);
  }
}

/** An error in a test's `where` rejects that test's wait; it must not fail the server's call. */
function tell({ filter, found, failed }: Waiter, call: RecordedCall): void {
  try {
    if (matches(call, filter)) found(call);
  } catch (error) {
    failed(error);
  }
}

const readOf = (call: RecordedCall | UnreadCall): RecordedCall => ('read' in call ? call.read() : call);

function charactersOf({ requestBody, responseBody }: RecordedCall | UnreadCall): number {
  return requestBody.length + responseBody.length;
}

function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw new RangeError(`${name}: ${value} is not a whole number above 0.`);
}
