/**
 * Delays the call by `ms`, or by a time drawn between `fromMs` and `toMs`, around `meanMs` with `deviationMs`, or around
 * `medianMs` with `sigma`. Whole milliseconds, at most five minutes.
 */
export interface DelayFault {
  kind: 'delay';
  /** A constant delay. */
  ms?: number | undefined;
  /** Lower bound of a uniform distribution. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** Mean of a normal distribution, cut off at 0 and at five minutes. */
  meanMs?: number | undefined;
  deviationMs?: number | undefined;
  /** Median of a lognormal distribution, as real latencies have. `sigma`, 0 to 10, sets the weight of its tail. */
  medianMs?: number | undefined;
  sigma?: number | undefined;
  /** `request` (default) delays the work. `reply` delays the reply: the work is done even if the client gives up. */
  stage?: 'request' | 'reply' | undefined;
}

/** Sends the reference implementation's usual reply with this status, instead of the API's reply. */
export interface StatusFault {
  kind: 'status';
  /** 200 to 599. */
  status: number;
  /** Sent as `Retry-After`, rounded up to whole seconds. Default: that of the usual reply. */
  retryAfterMs?: number | undefined;
  /** Headers of the reply, beside those of the usual reply. */
  headers?: Record<string, string> | undefined;
  /** The body, in place of the usual one: a value, sent as JSON. It must be valid for the operation and status. */
  body?: unknown;
  /** False sends any body. Default true. */
  validate?: boolean | undefined;
}

/** Sends a reply that the reference implementation gave, instead of the API's reply. `GET /_stub/examples` lists them. */
export interface ExampleFault {
  kind: 'example';
  /** The example's name, such as `insufficient_stock`, or its status. Default: the operation's success. */
  name?: string | undefined;
  /** Sent as `Retry-After`, rounded up to whole seconds. Default: the example's. */
  retryAfterMs?: number | undefined;
}

/** Resets the TCP connection instead of replying. */
export interface ResetFault {
  kind: 'reset';
  /** `request` (default) resets before the work is done, `reply` after it. */
  stage?: 'request' | 'reply' | undefined;
}

/** Closes the connection without a reply. */
export interface EmptyFault {
  kind: 'empty';
  /** `request` (default) closes before the work is done, `reply` after it. */
  stage?: 'request' | 'reply' | undefined;
}

/** Sends nothing for this time of the machine's clock, then closes the connection. At most five minutes. */
export interface HangFault {
  kind: 'hang';
  ms: number;
  /** `request` (default) hangs before the work is done, `reply` after it. */
  stage?: 'request' | 'reply' | undefined;
}

/** Announces the whole body in `Content-Length`, sends a share of it and ends the connection. */
export interface TruncatedFault {
  kind: 'truncated';
  /** From 0 to less than 1. Default 0.5. */
  share?: number | undefined;
}

/** Sends a complete reply whose body is not valid JSON. */
export interface MalformedFault {
  kind: 'malformed';
}

/** Sends the body in chunks, of which the second one is malformed, and closes the connection. */
export interface MalformedChunkFault {
  kind: 'malformed-chunk';
}

/** Sends the body in pieces, spread over `overMs`. */
export interface SlowFault {
  kind: 'slow';
  overMs: number;
  /** 2 to 1000. Default 10. */
  pieces?: number | undefined;
}

/** Sends the body at this rate. */
export interface BandwidthFault {
  kind: 'bandwidth';
  bytesPerSecond: number;
}

/** Answers 503, as the API does when it is down. `Retry-After` says how many seconds of the rule's `forMs` remain. */
export interface DownFault {
  kind: 'down';
}

/** Answers 429, as the API does when a rate limit is reached. */
export interface RateLimitFault {
  kind: 'rate-limit';
  /** The limit that the reply names, in calls per 60 seconds. Default: the API's. */
  limit?: number | undefined;
  /** Sent as `Retry-After`, rounded up to whole seconds. Default 60000. */
  retryAfterMs?: number | undefined;
}

/** Answers 401, as the API does for an expired token. */
export interface TokenExpiredFault {
  kind: 'token-expired';
}

/** Never sends a webhook: its delivery is skipped, with the reason `lost`. The rule names an event type in place of an operation. */
export interface LostFault {
  kind: 'lost';
}

/** A fault. Times are in milliseconds. */
export type Fault =
  | DelayFault
  | StatusFault
  | ExampleFault
  | ResetFault
  | EmptyFault
  | HangFault
  | TruncatedFault
  | MalformedFault
  | MalformedChunkFault
  | SlowFault
  | BandwidthFault
  | DownFault
  | RateLimitFault
  | TokenExpiredFault
  | LostFault;

/** What a request must have for a rule to apply. Values are compared as text. */
export interface FaultCondition {
  /** Fields of the body by dotted path, such as `items.0.product_id`. The rule then applies after the token is checked. */
  body?: Record<string, string | number | boolean | null> | undefined;
  query?: Record<string, string> | undefined;
  /** Names ignore case. */
  header?: Record<string, string> | undefined;
}

/**
 * A fault and its conditions `operation`, `method`, `path` and `when`. It affects the calls, or webhooks, that meet all given
 * conditions.
 */
export interface FaultRule<Operation extends string = string> {
  /** 1 to 64 letters, digits, `_` or `-`. Default: `fault-1`, `fault-2` and so on. */
  id?: string | undefined;
  /** The operationId, such as `createSale`. If a webhook is lost, its event type, such as `sale.completed`. */
  operation?: Operation | undefined;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | undefined;
  /** The whole path. `{id}` matches one segment, `*` any text. */
  path?: string | undefined;
  when?: FaultCondition | undefined;
  /** The number of calls that fail before calls work again. Default: all. */
  times?: number | undefined;
  /** The number of calls that work before the first one fails. Default 0. */
  after?: number | undefined;
  /** How long calls fail, in milliseconds of the stub's clock from the first call that fails. Default: until the rule is removed. */
  forMs?: number | undefined;
  /** The share of the remaining calls that fail, 0 to 1. Default 1. */
  probability?: number | undefined;
  /** Counts `times`, `after` and `forMs` separately for each operation or each caller, or for each event type or endpoint. Default: all calls together. */
  per?: 'operation' | 'caller' | undefined;
  fault: Fault;
}
