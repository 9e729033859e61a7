import type { CallRecords, WaitingCall } from '../gateway/http/record/recorder.ts';
import type { Store } from '../gateway/store/port.ts';

export interface LatestCallsOptions {
  store: Store;
  /** The number of latest calls that are kept at least. */
  calls: number;
  /** The most memory that they may take. */
  maxBytes: number;
}

/** The latest calls of a stub. Their rows are made only when `/manage/v1/calls` is read, which is rare. */
export class LatestCalls implements CallRecords {
  readonly #options: LatestCallsOptions;
  #calls: WaitingCall[] = [];
  #bytes = 0;

  constructor(options: LatestCallsOptions) {
    this.#options = options;
  }

  get state() {
    return { backlog: this.#calls.length, lost: 0 };
  }

  push(call: WaitingCall): void {
    this.#calls.push(call);
    this.#bytes += call.bytes;
    if (this.#calls.length < 2 * this.#options.calls && this.#bytes <= this.#options.maxBytes) return;
    // Dropping half of them at once costs less than dropping one with each call.
    this.#calls = this.#calls.slice(Math.ceil(this.#calls.length / 2));
    this.#bytes = this.#calls.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async flush(): Promise<void> {
    const calls = this.#calls;
    this.reset();
    await this.#options.store.append(
      'calls',
      calls.map((call) => call.row()),
    );
  }

  /** Drops the calls that have not been read. */
  reset(): void {
    this.#calls = [];
    this.#bytes = 0;
  }
}
