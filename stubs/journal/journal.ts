import { type Clock, systemClock } from '../../gateway/base/clock.ts';
import type { Har } from '../../gateway/http/record/har.ts';
import type { RecordedCall } from './call.ts';
import { type CallFilter, checkFilter, describeFilter, differencesOf, fits } from './filter.ts';
import { archiveOf } from './shown.ts';

export interface JournalOptions {
  /** How many calls are kept; the oldest go first. */
  capacity?: number;
  /** How many characters of each body are kept. */
  bodyCharacters?: number;
  /** How many characters all bodies may take together: past it, the oldest calls go. */
  allBodiesCharacters?: number;
  /** What time-outs are measured by. */
  clock?: Clock;
}

export interface WaitOptions {
  /** Default 4000: less than the test runners' own limit, so that the message is ours. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Only calls after this one, by itself or its id; `'now'`: only those yet to come. */
  after?: RecordedCall | string;
}

interface Waiter {
  filter: CallFilter;
  found(call: RecordedCall): void;
  failed(error: unknown): void;
}

/** What a stub received, in the order in which the calls ended. */
export class Journal {
  readonly #capacity: number;
  readonly #bodyCharacters: number;
  readonly #allBodiesCharacters: number;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  readonly #listeners = new Set<(call: RecordedCall) => void>();
  #calls: RecordedCall[] = [];
  /** Where the kept calls begin: dropping the oldest one by one would move all others each time. */
  #start = 0;
  #characters = 0;

  constructor(options: JournalOptions = {}) {
    this.#capacity = positive('capacity', options.capacity ?? 2000);
    this.#bodyCharacters = positive('bodyCharacters', options.bodyCharacters ?? 64 * 1024);
    this.#allBodiesCharacters = positive('allBodiesCharacters', options.allBodiesCharacters ?? 8 * 1024 * 1024);
    this.#clock = options.clock ?? systemClock;
  }

  /** Keeps a call and wakes whoever waited for it. Returns it as kept. */
  record(received: RecordedCall): RecordedCall {
    const call = this.#bounded(received);
    this.#calls.push(call);
    this.#characters += charactersOf(call);
    while (this.#length > this.#capacity || (this.#characters > this.#allBodiesCharacters && this.#length > 1))
      this.#dropOldest();
    for (const waiter of this.#waiters) tell(waiter, call);
    for (const listener of this.#listeners) listener(call);
    return call;
  }

  /** The calls kept, oldest first; with a filter, those that fit it. */
  calls(filter?: CallFilter): RecordedCall[] {
    if (filter === undefined) return this.#calls.slice(this.#start);
    checkFilter(filter);
    return this.#calls.slice(this.#start).filter((call) => fits(call, filter));
  }

  /** The first call that fits: one already received, or the next to come. */
  async waitForCall(filter: CallFilter = {}, options: WaitOptions = {}): Promise<RecordedCall> {
    checkFilter(filter);
    const { timeoutMs = 4000, signal } = options;
    signal?.throwIfAborted();
    const known = this.#callsAfter(options.after).find((call) => fits(call, filter));
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

  /** Told of each call as it ends. The returned function stops that. */
  subscribe(listener: (call: RecordedCall) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all calls. Whoever waits goes on waiting. */
  clear(): void {
    this.#calls = [];
    this.#start = 0;
    this.#characters = 0;
  }

  /** The calls as an HTTP Archive 1.2; tokens and secrets only where `secrets` asks for them. */
  har(options: { secrets?: boolean; filter?: CallFilter } = {}): Har {
    return archiveOf(this.calls(options.filter), options);
  }

  get #length(): number {
    return this.#calls.length - this.#start;
  }

  #bounded(call: RecordedCall): RecordedCall {
    const most = this.#bodyCharacters;
    if (call.requestBody.length <= most && call.responseBody.length <= most) return call;
    return { ...call, requestBody: cut(call.requestBody, most), responseBody: cut(call.responseBody, most) };
  }

  #dropOldest(): void {
    const oldest = this.#calls[this.#start];
    if (oldest) this.#characters -= charactersOf(oldest);
    this.#start += 1;
    // Done seldom, so that it costs little for each call; until then as many dropped calls are held as are kept.
    if (this.#start < Math.min(this.#capacity, 1024)) return;
    this.#calls = this.#calls.slice(this.#start);
    this.#start = 0;
  }

  /** A call that is no longer kept is older than all that are. */
  #callsAfter(after: RecordedCall | string | undefined): RecordedCall[] {
    if (after === 'now') return [];
    const calls = this.calls();
    if (after === undefined) return calls;
    return calls.slice(calls.findLastIndex((call) => call === after || call.id === after) + 1);
  }

  #timeOut(filter: CallFilter, timeoutMs: number): Error {
    const calls = this.calls();
    const nearest = calls
      .map((call) => ({ call, differences: differencesOf(call, filter) }))
      .sort((one, other) => one.differences.length - other.differences.length)
      .slice(0, 3)
      .map(({ call, differences }) => `  ${call.method} ${call.url} -> ${call.status} (${call.id}): ${reason(differences)}`);
    const received = calls.length === 0 ? 'Nothing was received.' : `Of ${calls.length} received, the nearest:`;
    return new Error([`Waited ${timeoutMs} ms for ${describeFilter(filter)}. ${received}`, ...nearest].join('\n'));
  }
}

function reason(differences: string[]): string {
  return differences.join('; ') || 'fits, but came no later than `after`';
}

/** A mistake in a test's `where` is that test's to hear of, not the server's. */
function tell({ filter, found, failed }: Waiter, call: RecordedCall): void {
  try {
    if (fits(call, filter)) found(call);
  } catch (error) {
    failed(error);
  }
}

function charactersOf({ requestBody, responseBody }: RecordedCall): number {
  return requestBody.length + responseBody.length;
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}… [cut here: ${text.length} characters in all]`;
}

function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw new RangeError(`${name}: ${value} is not a whole number above 0.`);
}
