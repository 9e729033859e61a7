import type { ServiceName } from '../contracts/documents/services.ts';
import type { Har } from '../gateway/http/record/har.ts';
import type { AttemptReport } from '../gateway/webhooks/model/listener.ts';
import type { Credentials } from './credentials.ts';
import type { Faults } from './faults/faults.ts';
import type { FaultRule } from './faults/types.ts';
import type { RecordedCall } from './journal/call.ts';
import type { CallFilter } from './journal/filter.ts';
import type { WaitOptions } from './journal/journal.ts';
import type { Seed } from './seed/types.ts';
import type { EventToSend, StubDelivery, StubEndpoint, Triggered, TriggerOptions } from './webhook-types.ts';

export interface StubOptions<A extends ServiceName = ServiceName> {
  /** Default: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** The data at the start. Default `demo`. */
  seed?: Seed<A>;
  /** The plan of the account whose credentials the stub gives (pos): `free`, `pro`, or the default `enterprise`, which has no limit. */
  plan?: string;
  /** False turns off all limits on calls. Default true. */
  limits?: boolean;
  /** `real` (the default), or the time (ISO 8601, or milliseconds since 1970) at which the clock stands still until advanced. */
  clock?: 'real' | (string & {}) | number | Date;
  /** Fault rules, as objects or in the form of the flag: `createSale:status=503,times=2`. */
  faults?: readonly (FaultRule | string)[];
  /** Makes the random choices of faults repeatable. Default: a random seed, which `faults.seed` shows. */
  faultSeed?: number | string;
  /** Endpoints that exist from the start. Their signing secrets are the same at each start. */
  webhooks?: readonly { url: string; events?: string[] | null }[];
  /** False leaves the member `help` out of refusals, so that bodies are exactly the gateway's. Default true. */
  help?: boolean;
  /** True serves the operator's console at `/console`, and keeps figures for it. Default false. */
  console?: boolean;
  /** The level of the stub's own log on standard error. Default `error`. */
  logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** A call that was received, or an attempt to deliver a webhook. */
export type StubEvent = { kind: 'call'; call: RecordedCall } | { kind: 'attempt'; attempt: AttemptReport };

/** A running stub. */
export interface Stub<A extends ServiceName = ServiceName> {
  readonly api: A;
  /** The URL at which it listens, such as `http://127.0.0.1:4010`. The API's paths follow it: `/api/v1/sales`. */
  readonly url: string;
  readonly credentials: Credentials[A];
  /** The URL of the operator's console, if it is served. */
  readonly console?: string;
  /** Signs in to `/manage/v1` and the console, and to `/_stub` from another machine. */
  readonly operatorToken: string;
  readonly clock: {
    /** The stub's time, in milliseconds since 1970. */
    now(): number;
    /**
     * Moves time forward by a duration such as `27h`, or by milliseconds. Resolves when everything that fell due, such as
     * retries, has ended. Throws `CouldNotRun` if the duration cannot be read.
     */
    advance(duration: string | number): Promise<void>;
  };
  readonly endpoints: {
    /** The endpoints of this stub, those of the start first. */
    list(): StubEndpoint[];
    /**
     * Registers an endpoint for these event types; null or none for all. Returns it with its signing secret. Throws a
     * `Refusal` if the URL or an event type is not accepted.
     */
    add(endpoint: { url: string; events?: string[] | null }): Promise<StubEndpoint>;
  };
  readonly faults: Faults;
  /**
   * Emits one event: the catalogue's example with `data` merged into it. Resolves after its first attempts, with its
   * deliveries. Throws `CouldNotRun` if the event type or the data is not valid.
   */
  trigger(event: string, data?: Record<string, unknown>, options?: TriggerOptions): Promise<Triggered>;
  /** Emits several events in one transaction, as `trigger` does. With `reorder` the last one is delivered first. */
  triggerAll(events: readonly EventToSend[], options?: TriggerOptions & { reorder?: boolean }): Promise<Triggered[]>;
  /** The deliveries that match every given field, oldest first, with the evidence of their attempts. */
  deliveries(filter?: { event_type?: string; status?: string; endpoint_id?: string; event_id?: string }): Promise<StubDelivery[]>;
  /**
   * Makes one more attempt of a delivery: the same bytes under the same `webhook-id`. Resolves with the delivery after it.
   * Throws a `Refusal` if there is no such delivery.
   */
  resend(deliveryId: string): Promise<StubDelivery>;
  /** Resolves when no delivery is due or under way. */
  settled(): Promise<void>;
  /** The calls received by the API that match the filter, oldest first. Keeps the last 2000. */
  calls(filter?: CallFilter): RecordedCall[];
  /**
   * Resolves with the first call that matches, received already or yet to come. Rejects after `timeoutMs` (default
   * 4000 ms) with the nearest calls, or with the reason of `signal`.
   */
  waitForCall(filter?: CallFilter, options?: WaitOptions): Promise<RecordedCall>;
  /** Drops the calls received, and nothing else. */
  clearCalls(): void;
  /** The calls that match the filter, as an HTTP Archive 1.2. Tokens and secrets are redacted unless `secrets` is true. */
  har(options?: { secrets?: boolean; filter?: CallFilter }): Har;
  /** Calls the listener with each call and each attempt when it ends. Returns the function that unsubscribes. */
  subscribe(listener: (event: StubEvent) => void): () => void;
  /** Puts everything back to the start, between two tests: data, credentials, endpoints, clock, limits, faults, journal. */
  reset(): Promise<void>;
  /** Stops the stub: calls in flight end, attempts in flight are aborted, the port is free when it resolves. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The members of a stub that work before it listens. */
export type StubOperations<A extends ServiceName = ServiceName> = Omit<Stub<A>, 'url' | 'console' | 'credentials'>;
