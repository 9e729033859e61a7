/**
 * The call takes longer: by `ms`, or drawn from one of `fromMs` and `toMs`, `meanMs` and `deviationMs`, `medianMs` and
 * `sigma`. Whole milliseconds, at most five minutes.
 */
export interface DelayFault {
  kind: 'delay';
  /** Always the same. */
  ms?: number | undefined;
  /** Uniform, from here to `toMs`. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** Normal; what would be negative or over the maximum is cut there. */
  meanMs?: number | undefined;
  deviationMs?: number | undefined;
  /** Lognormal, as real latencies are: half the calls wait longer than the median; `sigma` is the tail's weight, 0 to 10. */
  medianMs?: number | undefined;
  sigma?: number | undefined;
  /** Before the work is done (`request`, the default), or after it: then it is done although the client may no longer wait. */
  stage?: 'request' | 'reply' | undefined;
}

/** A reply with this status in place of the real one. */
export interface StatusFault {
  kind: 'status';
  /** 200 to 599. */
  status: number;
  /** Sent as Retry-After, in whole seconds. There is no such header by default. */
  retryAfterMs?: number | undefined;
}

/** A TCP reset in place of a reply. */
export interface ResetFault {
  kind: 'reset';
  /** Before the work is done (`request`, the default), or after it. */
  stage?: 'request' | 'reply' | undefined;
}

/** Content-Length promises the whole body; a share of it is sent, then the connection ends. */
export interface TruncatedFault {
  kind: 'truncated';
  /** From 0 to less than 1. Default 0.5. */
  share?: number | undefined;
}

/** The whole reply arrives, with a body that is not JSON. */
export interface MalformedFault {
  kind: 'malformed';
}

/** The body comes in pieces, spread over a time. */
export interface SlowFault {
  kind: 'slow';
  overMs: number;
  /** 2 to 1000. Default 10. */
  pieces?: number | undefined;
}

/** 429, as the API says it when a limit is reached. */
export interface RateLimitFault {
  kind: 'rate-limit';
  /** Calls in 60 seconds that the reply names. Default 100. */
  limit?: number | undefined;
  /** Sent as Retry-After, in whole seconds. Default 60 000. */
  retryAfterMs?: number | undefined;
}

/** 401, as the API says it of a token that has expired. */
export interface TokenExpiredFault {
  kind: 'token-expired';
}

/** What goes wrong. Times in milliseconds. */
export type Fault =
  | DelayFault
  | StatusFault
  | ResetFault
  | TruncatedFault
  | MalformedFault
  | SlowFault
  | RateLimitFault
  | TokenExpiredFault;

/** What goes wrong, and when: with every call that fits all of `operation`, `method` and `path` that are given. */
export interface FaultRule {
  /** 1 to 64 letters, digits, `_` or `-`. By default `fault-1` and so on. */
  id?: string | undefined;
  /** The operationId, such as `createSale`; without it, every call that `method` and `path` fit. */
  operation?: string | undefined;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | undefined;
  /** The whole path; `{id}` stands for one segment, `*` for any text. */
  path?: string | undefined;
  /** How often it applies; then calls work again. Without end by default. */
  times?: number | undefined;
  /** How many calls work before it applies. Default 0. */
  after?: number | undefined;
  /** Of the calls that are left, the share that it applies to, 0 to 1. Default 1. */
  probability?: number | undefined;
  /** `times` and `after` are counted for each operation, or each caller, on its own. All calls together by default. */
  per?: 'operation' | 'caller' | undefined;
  fault: Fault;
}
