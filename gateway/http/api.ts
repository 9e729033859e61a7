import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ApiName } from '../../spec/documents/services.ts';
import type { Clock } from '../base/clock.ts';
import type { Refusal, RefusalKind } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Store } from '../store/port.ts';
import type { Ability } from '../store/tables/cohesion.ts';
import type { OnWrite } from '../store/watch.ts';
import type { RunChange } from '../webhooks/outbox/change.ts';
import type { EventDefinition } from '../webhooks/outbox/event.ts';
import type { SharedGaps } from './openapi-gaps.ts';
import type { ReplyHeader } from './reply-headers.ts';

/** Fastify, with the types of zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The caller. Records and limits use the `id`, such as `account:acc_1`, `token:12` or `operator`. */
export interface Caller {
  id: string;
}

/** One limit: at most `max` calls with the same key in a window. */
export interface LimitRule {
  /** The name in records, metrics and settings, such as `plan` or `financement-writes`. */
  name: string;
  windowMs: number;
  /** Calls allowed in a window: one number, or one for each kind of caller. Null is unlimited. */
  max: number | Readonly<Record<string, number | null>>;
  /** The kind of the caller, if `max` depends on it. */
  kindOf?(request: FastifyRequest): string;
  /** The calls that the rule holds for. The default is all of them. */
  holdsFor?(request: FastifyRequest): boolean;
  /** What has the limit, in the words of the consumer, such as `account` or `address`. */
  per: string;
  /** Calls with the same key are counted together: those of one `per`. */
  key(request: FastifyRequest): string;
  /**
   * When the request pipeline checks the rule. `before-identity` rules also hold for public routes; their key is an address,
   * because the caller is not known yet. The default is `after-identity`.
   */
  when?: 'before-identity' | 'after-identity';
  /**
   * The calls that count. `calls` (the default): all. `failed-logins`: well-formed credentials that are refused with 401, as a
   * guard against guessing.
   */
  counts?: 'calls' | 'failed-logins';
}

/**
 * The rules of a route by when they run in the request pipeline: around `identify`, before the handler of a public route that
 * logs in (its body is known then), and after a refusal with 401. Each list is in the order the rules are counted.
 */
export type LimitRules = Readonly<Record<NonNullable<LimitRule['when']> | 'login' | 'login-failed', readonly LimitRule[]>>;

/** The parts of the gateway that an API may use. */
export interface Services {
  store: Store;
  clock: Clock;
  change: RunChange;
  keys: Keyring;
  log: FastifyBaseLogger;
  /** For caches of rows: they drop what a committed write changed. */
  onWrite: OnWrite;
}

/** The routes that an API adds to the manage API. */
export type BackOffice = (app: App, services: Services) => void;

/** One API, as data and a few functions. `mount.ts` gives every API the same request pipeline. */
export interface Api {
  /** `stub`: that of `/_stub`, by which a stub is controlled. */
  name: ApiName | 'stub';
  document: { title: string; version: string; description: string };
  /** OpenAPI security schemes that a caller may use instead of a bearer token. */
  securitySchemes?: Record<string, { type: 'apiKey'; in: 'cookie' | 'header'; name: string; description: string }>;
  /** The event types this API sends, for the document's `webhooks`. */
  events: readonly EventDefinition[];
  /** What its document leaves open about more than one operation or event, for the OpenAPI document. */
  gaps?: SharedGaps;
  /** Returns the caller or throws `unauthorized` or `forbidden`; at once where nothing is read. Not called for routes with `config.public`. */
  identify(request: FastifyRequest): Caller | Promise<Caller>;
  /** Limits on every call. On public routes only those with `when: 'before-identity'` hold. Routes add theirs in `config.limits`. */
  limits: readonly LimitRule[];
  /** The HTTP status of each kind of refusal. Only statuses the API's document lists, and those of transport. */
  status: Record<RefusalKind, number>;
  /** Returns the body of a refusal, or a promise of it. */
  errorBody(refusal: Refusal, request: FastifyRequest): unknown;
  routes(app: App): void;
  /** Stores what the API still holds in memory. */
  flush?(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no token. */
    public?: boolean;
    /** The path belongs to no operation, and is refused for that by the handler. */
    isUnknown?: boolean;
    /** The ability that the token must hold (cohesion). */
    ability?: Ability;
    limits?: readonly LimitRule[];
    /** Headers of the route's successful replies, beside those of every reply (`openapi-replies.ts`). */
    replyHeaders?: Readonly<Record<string, ReplyHeader>>;
    /**
     * The reply follows from the store, the caller's id and the URL alone, and not from the time. A stub may then send it again
     * until the store is written to.
     */
    readsStoreOnly?: boolean;
    /** The reply goes on at the speed of its reader, so it takes up no room of other calls. */
    streams?: boolean;
    /** All limits of the route: the API's, its own, and those of the settings. Set by `mount.ts`. */
    rules?: LimitRules;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** The body as received, for records and idempotency. */
    rawBody: string | null;
  }
}
