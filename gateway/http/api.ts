import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Clock } from '../base/clock.ts';
import type { Refusal, RefusalKind } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Store } from '../store/port.ts';
import type { RunChange } from '../webhooks/outbox/change.ts';
import type { EventDefinition } from '../webhooks/outbox/event.ts';

/** Fastify with our schemas' types. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Who calls. `id` is what records and limits know them by: `account:acc_1`, `token:12`, `operator`. */
export interface Caller {
  id: string;
}

/** One limit: at most `max` calls of one key in a window. */
export interface LimitRule {
  /** Its name in records, metrics and settings, such as `plan` or `financement-writes`. */
  name: string;
  windowMs: number;
  /** Calls allowed in a window; null where this caller has no limit. */
  max(request: FastifyRequest): number | null;
  /** Whose calls are counted together. */
  key(request: FastifyRequest): string;
  /** What counts: every call (the default), or only those refused with 401, which guards against guessing. */
  counts?: 'calls' | 'failed-logins';
  /** Calls pass while they cannot be counted, also where LIMITS_WITHOUT_REDIS is `closed`: an operator is needed then. */
  passUncounted?: boolean;
}

/** What an API may use of the gateway. */
export interface Services {
  store: Store;
  clock: Clock;
  change: RunChange;
  keys: Keyring;
  log: FastifyBaseLogger;
}

/** One API of the gateway, as data and a few functions: `mount.ts` gives each the same way of a request. */
export interface Api {
  name: 'pos' | 'cohesion' | 'manage';
  /** OpenAPI's `info` and what else its document says. */
  document: { title: string; version: string; description: string };
  /** Ways to identify oneself beside a bearer token, as OpenAPI's security schemes. */
  securitySchemes?: Record<string, { type: 'apiKey'; in: 'cookie' | 'header'; name: string; description: string }>;
  /** Event types that this API sends, for the document's `webhooks`. */
  events: readonly EventDefinition[];
  /** Finds the caller or throws `unauthorized` or `forbidden`. Not asked for routes with `config.public`. */
  identify(request: FastifyRequest): Promise<Caller>;
  /** Limits on failed logins that every call with a caller meets before it is identified. */
  guards?: readonly LimitRule[];
  /** Limits on every call that has a caller; a route adds its own in `config.limits`. */
  limits: readonly LimitRule[];
  /** The status for each kind of refusal: only those that the API's document lists, and those of transport. */
  status: Record<RefusalKind, number>;
  /** The body of a refusal. */
  errorBody(refusal: Refusal, request: FastifyRequest): unknown;
  routes(app: App): void;
  /** Writes what it still holds for the store. */
  flush?(): Promise<void>;
  /** Forgets what it knows of the store, whose rows were put back to what they were once. */
  forget?(): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered without a token. */
    public?: boolean;
    /** The ability that the token must hold (cohesion). */
    ability?: string;
    limits?: readonly LimitRule[];
    /** All limits that count for the route, and those looked at before its caller is known; `mount.ts` puts them together. */
    rules?: readonly LimitRule[];
    guards?: readonly LimitRule[];
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** The body as it came, for records and idempotency. */
    rawBody: string | null;
  }
}
