import type { Har } from '../gateway/http/record/har.ts';
import type { AttemptReport } from '../gateway/webhooks/model/listener.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { Credentials } from './credentials.ts';
import type { Faults } from './faults/faults.ts';
import type { FaultRule } from './faults/types.ts';
import type { RecordedCall } from './journal/call.ts';
import type { CallExpectation } from './journal/expectation.ts';
import type { CallFilter } from './journal/filter.ts';
import type { WaitOptions } from './journal/journal.ts';
import type { EventName, OperationName, OtherText, PlanName } from './names.ts';
import type { PaymentEnd, PaymentFilter, StubPayment } from './payments/types.ts';
import type { StubProfiles } from './profile/types.ts';
import type { Fixtures, Seed } from './seed/types.ts';
import type {
  DeliveryFilter,
  EventToSend,
  NewStubEndpoint,
  StubDelivery,
  StubEndpoint,
  Triggered,
  TriggerOptions,
} from './webhook-types.ts';

/** Alternatives by the ids of their gaps: `{ 'pos.sale-status': '200' }`. */
export type Assumed = Readonly<Record<string, string>>;

/** An alternative that is active, as `/_stub/assume` shows it. */
export interface ActiveAlternative {
  /** Such as `pos.sale-status`. */
  gap: string;
  /** Such as `200`. */
  alternative: string;
  /** The alternative's words in the register. */
  text: string;
}

export interface StubOptions<A extends ServiceName = ServiceName> {
  /** Default: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /**
   * Serve https: `true` with a certificate made on the spot, whose authority is `ca`, or with the certificate and key in these
   * files (PEM). Default: plain http.
   */
  tls?: boolean | { cert: string; key: string };
  /** The data at the start. Default `demo`. */
  seed?: Seed<A>;
  /** The plan of the account whose credentials the stub gives (pos): `free`, `pro`, or the default `enterprise`, which has no limit. */
  plan?: PlanName;
  /** False turns off all limits on calls. Default true. */
  limits?: boolean;
  /** `real` (the default), or the time (ISO 8601, or milliseconds since 1970) at which the clock stands still until advanced. */
  clock?: 'real' | (string & {}) | number | Date;
  /** Fault rules, as objects or in the form of the flag: `createSale:status=503,times=2`. */
  faults?: readonly (FaultRule<OperationName<A> | EventName<A>> | string)[];
  /** Makes the random choices of faults repeatable. Default: a random seed, which `faults.seed` shows. */
  faultSeed?: number | string;
  /** Endpoints that exist from the start. */
  webhooks?: readonly NewStubEndpoint<A>[];
  /** The signing secret of every endpoint without its own: `whsec_` and the base64 of 24 to 64 bytes. Default: the same at each start. */
  secret?: string;
  /**
   * What happens to mobile-money payments (pos), such as `pending:30s` or `pending:2m,timed_out,phone=+2250700000001`, or
   * `sandbox` for the published test numbers. If several rules fit, the first one decides. Default: each payment is received at
   * once.
   */
  mobileMoney?: string | readonly string[];
  /**
   * Alternatives of the gap register under which the stub answers, such as `{ 'pos.sale-status': '200' }` or
   * `['pos.sale-status=200']`, and harmless changes: `{ 'harmless.gzip': 'on' }`, `{ harmless: 'all' }`, `'harmless.gzip'`. Default:
   * none, so that it answers as the register chose.
   */
  assume?: Assumed | string | readonly string[];
  /**
   * Answer as a service was seen to answer: a file of `passerelle observe`, or its content. `assume` goes before it. Alternatives
   * that no stub plays stay as the register chose.
   */
  observed?: string | object;
  /** Origins whose pages may call the API from a browser, such as `http://localhost:5173`. Default: every origin. `[]`: none. */
  cors?: readonly string[];
  /** False leaves the member `help` out of refusals, so that bodies are exactly the gateway's. Default true. */
  help?: boolean;
  /** True keeps figures for the console's overview and charts, and serves the partners' `/profile` and `/profile/v1`. Default false. */
  console?: boolean;
  /** The level of the stub's own log on standard error. Default `error`. */
  logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** A webhook that a fault lost. Its delivery is skipped, with the reason `lost`. */
export interface LostWebhook {
  deliveryId: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  url: string;
  /** The text of the rule, of faults or of mobile money. */
  fault: string;
  /** The id of a rule of faults. */
  faultRule?: string;
}

/** A telephone number whose payments always end in the same way, while `sandbox` is among the rules. */
export interface TestNumber {
  name: string;
  /** Nobody has it: in Côte d'Ivoire `00` begins a call abroad, so no number begins with it. */
  phone: string;
  /** What happens to a payment, as a sentence. */
  does: string;
  /** The rule of its payments. */
  rule: string;
}

/** A call that was received, an attempt to deliver a webhook, a webhook that a fault lost, or a pending payment that ended. */
export type StubEvent =
  | { kind: 'call'; call: RecordedCall }
  | { kind: 'attempt'; attempt: AttemptReport }
  | { kind: 'lost'; webhook: LostWebhook }
  | { kind: 'payment'; payment: StubPayment };

/** A running stub. */
export interface Stub<A extends ServiceName = ServiceName> {
  readonly api: A;
  /** The URL at which it listens, such as `http://127.0.0.1:4010`. The API's paths follow it: `/api/v1/sales`. */
  readonly url: string;
  /** What clients of a stub with `tls: true` must trust: the authority of its certificate, in PEM. */
  readonly ca?: string;
  readonly credentials: Credentials[A];
  /** The URL of the operator's console, if it shows figures. Without them it is at the same path. */
  readonly console?: string;
  /** Signs in to `/manage/v1` and the console, and to `/_stub` from another machine. */
  readonly operatorToken: string;
  /** The signing secret of every endpoint without its own. */
  readonly secret: string;
  readonly clock: {
    /** The stub's time, in milliseconds since 1970. */
    now(): number;
    /**
     * Moves time forward by a duration such as `72h`, or by milliseconds. Resolves when everything that fell due, such as
     * retries, has ended. Throws `CouldNotRun` if the duration cannot be read.
     */
    advance(duration: string | number): Promise<void>;
  };
  readonly endpoints: {
    /** The endpoints of this stub, those of the start first. */
    list(): StubEndpoint[];
    /**
     * Registers an endpoint. Returns it with its signing secret. Throws a `Refusal` if the URL, an event type, the secret or
     * the owner is not accepted.
     */
    add(endpoint: NewStubEndpoint<A>): Promise<StubEndpoint>;
    /** Removes an endpoint and skips its pending deliveries. Throws a `Refusal` if there is no such endpoint. */
    remove(id: string): Promise<void>;
  };
  /** What partners have in their profiles: credentials and webhooks of each account (pos) or user (cohesion). */
  readonly profile: StubProfiles[A];
  readonly faults: Faults<OperationName<A> | EventName<A>>;
  /** The alternatives of the gap register under which the stub answers. Replies do not show them. */
  readonly assumptions: {
    /** The active alternatives, in the register's order. */
    list(): ActiveAlternative[];
    /**
     * Makes these alternatives active too: `{ 'pos.sale-status': '200' }`. A gap that has another one gets the new one. Rejects
     * with `CouldNotRun`, and changes nothing, if one is unknown or not played, or if two contradict each other.
     */
    add(assumed: Assumed): Promise<void>;
    /** Makes exactly these alternatives active. Rejects as `add` does. */
    replace(assumed: Assumed): Promise<void>;
    /** Ends the alternative of a gap. Resolves with false if it has none. Rejects with `CouldNotRun` for a name that is no entry. */
    remove(gap: string): Promise<boolean>;
    /** Ends all alternatives. */
    clear(): Promise<void>;
  };
  /**
   * Makes the change that causes an event, on the record that `on` names or on one that allows it. With `data`, or if no
   * record allows the change, it emits the catalogue's example with `data` merged into it, and nothing changes. Resolves
   * after the first attempts, with the event's deliveries. Throws a `Refusal` if the event type, the data or the record is
   * not valid.
   */
  trigger(
    event: EventName<A> | OtherText,
    data?: Record<string, unknown>,
    options?: TriggerOptions & Pick<EventToSend, 'on'>,
  ): Promise<Triggered>;
  /** Causes several events, in this order, as `trigger` does. With `reorder` the last one is delivered first. */
  triggerAll(events: readonly EventToSend<A>[], options?: TriggerOptions & { reorder?: boolean }): Promise<Triggered[]>;
  /**
   * The deliveries that match every given field, oldest first, with the evidence of their attempts. `limit`: only the newest
   * of them. Rejects with a `Refusal` for an unknown event type or id.
   */
  deliveries(filter?: Omit<DeliveryFilter<A>, 'url' | 'where'> & { limit?: number }): Promise<StubDelivery[]>;
  /**
   * Makes one more attempt of a delivery: the same bytes under the same `webhook-id`. Resolves with the delivery after it.
   * Throws a `Refusal` if there is no such delivery.
   */
  resend(deliveryId: string): Promise<StubDelivery>;
  /**
   * Resolves with the oldest delivery that was attempted, or skipped, and matches; now or later. Rejects after `timeoutMs`
   * (default 4000 ms) with the nearest deliveries, or with the reason of `signal`.
   */
  waitForDelivery(filter?: DeliveryFilter<A>, options?: Pick<WaitOptions, 'timeoutMs' | 'signal'>): Promise<StubDelivery>;
  /** Mobile-money payments (pos). */
  readonly payments: {
    /** The rules that decide what happens to payments. Without one that fits, a payment is received at once. */
    readonly rules: readonly string[];
    /** The test numbers of `sandbox`, if it is among them. */
    readonly testNumbers: readonly TestNumber[];
    /** The payments that match every given field, oldest first. Throws a `Refusal` for an unknown status. */
    list(filter?: PaymentFilter): Promise<StubPayment[]>;
    /**
     * Ends a pending payment now: `received` (the default), `refused` or `timed_out`. Resolves after the first attempts of its
     * webhooks. Throws a `Refusal` if there is no such payment, or if it is not pending.
     */
    settle(id: string, as?: PaymentEnd): Promise<StubPayment>;
  };
  /** Resolves when no delivery is due or under way. */
  settled(): Promise<void>;
  /** The calls received by the API that match the filter, oldest first. Keeps the last 2000. */
  calls(filter?: CallFilter<OperationName<A>>): RecordedCall[];
  /**
   * Resolves with the first call that matches, received already or yet to come. Rejects after `timeoutMs` (default
   * 4000 ms) with the nearest calls, or with the reason of `signal`.
   */
  waitForCall(filter?: CallFilter<OperationName<A>>, options?: WaitOptions): Promise<RecordedCall>;
  /** A check of how often matching calls were made: `stub.expectCalls({ operation: 'createSale' }).toHaveBeenMade(2)`. */
  expectCalls(filter?: CallFilter<OperationName<A>>): CallExpectation;
  /** The calls that neither `calls`, `waitForCall` nor `expectCalls` has returned or counted, oldest first. */
  uncheckedCalls(): RecordedCall[];
  /** Drops the calls received, and nothing else. */
  clearCalls(): void;
  /** The calls that match the filter, as an HTTP Archive 1.2. Tokens and secrets are redacted unless `secrets` is true. */
  har(options?: { secrets?: boolean; filter?: CallFilter<OperationName<A>> }): Har;
  /** Calls the listener with each call and each attempt when it ends, and with each pending payment when it ends. Returns the function that unsubscribes. */
  subscribe(listener: (event: StubEvent) => void): () => void;
  /**
   * Starts a world, for a test that runs beside others. It begins as the stub did, but for these options. Throws a `Refusal` if there
   * are too many, or one of that name; otherwise as `startStub` does.
   */
  world(options?: WorldOptions<A>): Promise<World<A>>;
  /** The worlds of the stub, the oldest first. A world has none. */
  worlds(): World<A>[];
  /**
   * Returns the stub's data as a seed, with which another stub can start. Accounts and tokens that were made while it ran are
   * left out, because only hashes of their secrets are stored.
   */
  state(): Promise<Fixtures[A]>;
  /** Puts everything back to the start, between two tests: data, credentials, endpoints, clock, limits, faults, journal. Partners' sessions end. */
  reset(): Promise<void>;
  /** Stops the stub: calls in flight end, attempts in flight are aborted, the port is free when it resolves. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Begins to close, for `using`. `await using` also waits until it has. */
  [Symbol.dispose](): void;
}

/** How a world begins. Options that are left out are those with which its stub began. */
export interface WorldOptions<A extends ServiceName = ServiceName>
  extends Pick<
    StubOptions<A>,
    'seed' | 'plan' | 'limits' | 'clock' | 'faults' | 'faultSeed' | 'webhooks' | 'secret' | 'mobileMoney' | 'assume'
  > {
  /**
   * 1 to 40 letters, digits, `_` and `-`. The credentials follow from it, so they are the same in each run. Default: `world-1`,
   * `world-2` and so on.
   */
  name?: string;
}

/**
 * A world of a stub: whoever calls the stub with its credentials is in it, and sees nothing of other worlds. A call below its own
 * `url` is in it too, with any credentials or none. `close` ends it; then its credentials are unknown.
 */
export interface World<A extends ServiceName = ServiceName> extends Stub<A> {
  readonly name: string;
}

/** The members of a stub that work before it listens. */
export type StubOperations<A extends ServiceName = ServiceName> = Omit<Stub<A>, 'url' | 'ca' | 'console' | 'credentials'>;
