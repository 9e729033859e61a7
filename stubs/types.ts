import type { Har } from '../gateway/http/record/har.ts';
import type { AttemptReport } from '../gateway/webhooks/model/listener.ts';
import type { Credentials, StubApi } from './credentials.ts';
import type { Faults } from './faults/faults.ts';
import type { FaultRule } from './faults/types.ts';
import type { RecordedCall } from './journal/call.ts';
import type { CallFilter } from './journal/filter.ts';
import type { WaitOptions } from './journal/journal.ts';
import type { Seed } from './seed/types.ts';
import type { EventToSend, StubDelivery, StubEndpoint, Triggered, TriggerOptions } from './webhook-types.ts';

export interface StubOptions<A extends StubApi = StubApi> {
  /** Any free one by default. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default `demo`. */
  seed?: Seed<A>;
  /** Of the account whose credentials the stub gives (pos): `free`, `pro`, or the default `enterprise`, which has no limit. */
  plan?: string;
  /** Default true. */
  limits?: boolean;
  /** `real` by default; else the instant (ISO 8601, or milliseconds since 1970) at which it stands still until advanced. */
  clock?: 'real' | (string & {}) | number | Date;
  /** By which rules calls fail, also as flags write them: `createSale:status=503,times=2`. */
  faults?: readonly (FaultRule | string)[];
  /** Repeats the random choices of faults. */
  faultSeed?: number | string;
  /** Endpoints that are there from the start; their secrets are the same at each start. */
  webhooks?: readonly { url: string; events?: string[] | null }[];
  /** Whether refusals explain themselves in a member `help`; false makes bodies exactly the gateway's. Default true. */
  help?: boolean;
  /** Serves the operator's console at `/console`, too, and keeps figures for it. Default false. */
  console?: boolean;
  /** Of the stub's own errors, on standard error. Default `error`. */
  logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** What a stub tells of, as it happens. */
export type StubEvent = { kind: 'call'; call: RecordedCall } | { kind: 'attempt'; attempt: AttemptReport };

/** A stub server that runs. */
export interface Stub<A extends StubApi = StubApi> {
  readonly api: A;
  /** `http://127.0.0.1:4010`: the API's own paths follow, `/api/v1/sales`. */
  readonly url: string;
  readonly credentials: Credentials[A];
  /** Where the operator's console is, if it is served. */
  readonly console?: string;
  /** For `/manage/v1`, for signing in to the console, and for `/_stub` from another machine. */
  readonly operatorToken: string;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number;
    /** Moves time on, by `27h` or so many milliseconds: all that falls due in between is done when it resolves. */
    advance(duration: string | number): Promise<void>;
  };
  readonly endpoints: {
    list(): StubEndpoint[];
    add(endpoint: { url: string; events?: string[] | null }): Promise<StubEndpoint>;
  };
  readonly faults: Faults;
  /** Emits an event with the catalogue's example, `data` merged into it, and waits for its first attempts. */
  trigger(event: string, data?: Record<string, unknown>, options?: TriggerOptions): Promise<Triggered>;
  /** Several, in their order; with `reorder` the last one is delivered first. */
  triggerAll(events: readonly EventToSend[], options?: TriggerOptions & { reorder?: boolean }): Promise<Triggered[]>;
  /** Oldest first, with the evidence of their attempts. */
  deliveries(filter?: { event_type?: string; status?: string; endpoint_id?: string; event_id?: string }): Promise<StubDelivery[]>;
  /** One attempt more of a delivery: same bytes, same `webhook-id`. */
  resend(deliveryId: string): Promise<StubDelivery>;
  /** Resolves when no delivery is due or under way. */
  settled(): Promise<void>;
  /** What was received, oldest first. */
  calls(filter?: CallFilter): RecordedCall[];
  waitForCall(filter?: CallFilter, options?: WaitOptions): Promise<RecordedCall>;
  /** Forgets the calls received, and nothing else. */
  clearCalls(): void;
  har(options?: { secrets?: boolean; filter?: CallFilter }): Har;
  /** Told of calls and attempts as they happen. The returned function stops that. */
  subscribe(listener: (event: StubEvent) => void): () => void;
  /** Back to the beginning, between two tests: data, credentials, endpoints, clock, limits, faults; an empty journal. */
  reset(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
