import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../../contracts/documents/services.ts';
import type { AlternativeName } from '../../contracts/gaps/gaps.ts';
import type { Asked, Changed, Detail, Is, JsonMessage, MessageChange, Refused } from '../../contracts/gaps/is/is.ts';
import type { JsonReply } from '../../contracts/json.ts';
import type { Clock } from '../../gateway/base/clock.ts';
import type { LimitRule } from '../../gateway/http/api.ts';
import type { Count } from '../../gateway/http/limit/limit.ts';
import type { Rows, Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { HelpFor } from '../help/explaining.ts';
import type { Help } from '../help/help.ts';
import type { WebhookPolicy } from '../policies/webhooks.ts';
import type { ActiveAlternative } from './chosen.ts';
import type { ChangedWebhooks, WebhookChangeParts } from './harmless/webhooks.ts';

/** What a variant may look up before the call is validated. */
export interface Around {
  store: Pick<Store, 'get' | 'list'>;
  /** The id of the caller's account; undefined if the API has none. */
  account: string | undefined;
  /** In milliseconds since 1970. */
  now: number;
  /** Who calls, as the reference knows them; null for an open operation. */
  caller: unknown;
  /** The query as it was sent. */
  sentQuery: Readonly<Record<string, unknown>>;
  /** The members of the API's policy that the active alternatives change. */
  policy: object;
  isActive(assumed: AlternativeName): boolean;
}

type Changing = Changed | Refused | undefined;

/** What an alternative does that is more than data: it needs the stub's records, its caller or its limits. */
export interface Variant extends Omit<Is, 'request' | 'reply'> {
  /** Changes the request before validation, or refuses it. */
  request?(asked: Asked, around: Around): Changing | Promise<Changing>;
  /** Reads what the reply will need, before the call changes anything. `asked`: the request as the reference gets it. */
  look?(asked: Asked, around: Around): Promise<unknown>;
  /** `asked`: the request as it was sent. `seen`: what `look` has read; undefined if it has read nothing. */
  reply?(reply: JsonReply, asked: Asked, seen: unknown): JsonReply;
  /** Limits that the reference does not have. They are checked once the caller is known, before validation. */
  limits?: readonly LimitRule[];
  /** Takes the place of the alternative's `message` where the body of a new event is made. */
  event?: EventChange;
}

/** Changes a new event. `event`: as the reference makes it. `rows`: those of its change. */
type EventChange = (message: JsonMessage, event: Row<'events'>, rows: Rows) => JsonMessage | Promise<JsonMessage>;

export type Variants<S extends ServiceName> = Readonly<Partial<Record<AlternativeName<S>, Variant>>>;

/** What variants have read of a call before it changed anything. */
export type Seen = ReadonlyMap<Variant, unknown>;

/** What the hooks of calls depend on. */
export interface CallParts {
  store: Store;
  clock: Clock;
  /** Returns true for calls that belong to the stub and not to the API. */
  skip(request: FastifyRequest): boolean;
  /** Builds an error body in the API's shape. */
  errorBody(status: number, reason: { code: string; message: string; details?: Detail[] }): unknown;
  /** Counts calls against the limits that alternatives add. */
  count: Count;
  api: ServiceName;
  /** Returns the member `help` of a refusal; absent if the stub's refusals have none. */
  helpFor?: HelpFor | undefined;
}

/** The behaviour of a stub under some harmless changes. */
export interface Harmless {
  /** Follows the ids and references that the service makes. */
  readonly idSuffix: string;
  /** Changes to requests, after those of the alternatives. */
  readonly variants: readonly Variant[];
  /** Writes the body of a webhook. */
  text(body: unknown): string;
  /** Returns the headers of a webhook. */
  headers(headers: Record<string, string>): Record<string, string>;
  /** Changes a reply that is ready, with all alternatives in it. Returns the payload to send. */
  reply(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown;
}

/** The behaviour of a stub under some alternatives. */
export interface Live {
  readonly list: readonly ActiveAlternative[];
  /** Change requests, in this order. */
  readonly variants: readonly Variant[];
  /** Read tokens otherwise, in this order. */
  readonly tokens: readonly Variant[];
  /** The members of the API's policy that the alternatives change. */
  readonly policy: object;
  /** When webhooks are sent, and how. */
  readonly webhooks: WebhookPolicy;
  /** Begins to change webhooks on their way. */
  changeWebhooks(parts: WebhookChangeParts): ChangedWebhooks;
  reply(reply: JsonReply, asked: Asked, seen?: Seen | null): JsonReply;
  /** Changes what an attempt sends. Only its headers count. */
  readonly message: MessageChange;
  /** Changes a new event. */
  readonly event: EventChange;
  /** Undefined without harmless changes. */
  readonly harmless?: Harmless | undefined;
  /** What the hooks of calls do, which `install.ts` does not load itself. */
  begin(parts: CallParts, request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** Returns the help of a refusal with this code as far as it is true under the active alternatives. */
  trueHelp(help: Help, code: string): Help;
  finish(parts: CallParts, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown;
  isActive(assumed: AlternativeName): boolean;
  /** Reads what the variants need for their replies. `asked`: the request as the variants have changed it. */
  look(asked: Asked, around: Around): Promise<Seen>;
  /** Limits that the reference does not have. */
  readonly limits: readonly LimitRule[];
}
