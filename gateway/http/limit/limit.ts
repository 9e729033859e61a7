import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../base/errors.ts';
import type { LimitRule } from '../api.ts';

/** Where a call stands against one limit. */
export interface LimitState {
  name: string;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The limit nearest to its end, for the reply's headers and the record. */
    limitState: LimitState | null;
  }
}

/** Counts a call of this request against one rule, or only looks. */
export type Count = (
  request: FastifyRequest,
  rule: LimitRule,
  increment: boolean,
) => Promise<{ state: LimitState; exceeded: boolean } | null>;

/** What is done with a call that cannot be counted, since the counters that all processes share do not answer. */
export interface Uncounted {
  refuse: boolean;
  /** Told of each. */
  tell(error: unknown): void;
}

/**
 * Counts calls with @fastify/rate-limit's counters: each rule has windows of its own, one for each key, that begin
 * with the first call in them. Counters in this process always answer; `uncounted` is for those elsewhere.
 */
export function counterOn(app: FastifyInstance, uncounted?: Uncounted): Count {
  const counters = new Map<string, ReturnType<FastifyInstance['createRateLimit']>>();
  const counterOf = (rule: LimitRule) => {
    const known = counters.get(rule.name);
    if (known) return known;
    const counter = app.createRateLimit({
      timeWindow: rule.windowMs,
      max: (request) => rule.max(request) ?? Number.MAX_SAFE_INTEGER,
      keyGenerator: (request) => `${rule.name}:${rule.key(request)}`,
    });
    counters.set(rule.name, counter);
    return counter;
  };
  return async (request, rule, increment) => {
    const limit = rule.max(request);
    if (limit === null) return null;
    const result = await counterOf(rule)(request, { increment }).catch((error: unknown) => {
      if (!uncounted) throw error;
      uncounted.tell(error);
      // A login that failed is refused already; only its count is lost.
      if (uncounted.refuse && !rule.passUncounted && !(increment && rule.counts === 'failed-logins')) throw cannotCount();
      return null;
    });
    if (!result || result.isAllowed) return null;
    // A look at a full window is what one more call would meet.
    const exceeded = increment ? result.isExceeded : result.remaining === 0;
    const resetSeconds = result.ttlInSeconds || Math.ceil(rule.windowMs / 1000);
    return { state: { name: rule.name, limit, remaining: result.remaining, resetSeconds }, exceeded };
  };
}

/**
 * Counts the call against every rule and refuses it with 429 where one is exceeded. Headers and record tell of the
 * rule that leaves the fewest calls (RateLimit header fields: draft-ietf-httpapi-ratelimit-headers, version 6).
 */
export async function limitCall(
  request: FastifyRequest,
  reply: FastifyReply,
  rules: readonly LimitRule[],
  count: Count,
  refused: (rule: string) => void,
): Promise<void> {
  for (const rule of rules) {
    const counted = await count(request, rule, rule.counts !== 'failed-logins');
    if (!counted) continue;
    const { state, exceeded } = counted;
    if (exceeded || !request.limitState || state.remaining < request.limitState.remaining) request.limitState = state;
    if (!exceeded) continue;
    refused(rule.name);
    throw overLimit(reply, rule, state);
  }
  if (request.limitState) setLimitHeaders(reply, request.limitState);
}

/** Refuses who failed to log in too often; of these limits nobody else is told. */
export async function refuseLockedOut(
  request: FastifyRequest,
  reply: FastifyReply,
  guards: readonly LimitRule[],
  count: Count,
  refused: (rule: string) => void,
): Promise<void> {
  for (const rule of guards) {
    const counted = await count(request, rule, false);
    if (!counted?.exceeded) continue;
    request.limitState = counted.state;
    refused(rule.name);
    throw overLimit(reply, rule, counted.state);
  }
}

/** Counts a login that failed against the rules that guard it. */
export async function countFailedLogin(request: FastifyRequest, rules: readonly LimitRule[], count: Count): Promise<void> {
  for (const rule of rules) if (rule.counts === 'failed-logins') await count(request, rule, true);
}

function overLimit(reply: FastifyReply, rule: LimitRule, state: LimitState): Refusal {
  setLimitHeaders(reply, state);
  const seconds = Math.max(1, state.resetSeconds);
  return new Refusal(
    'limited',
    'rate_limited',
    `The limit "${rule.name}" of ${state.limit} calls in ${rule.windowMs / 1000} s is reached. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

function cannotCount(): Refusal {
  const message = 'The counters of the limits do not answer, and this gateway serves no limited call uncounted. Try again.';
  return new Refusal('unavailable', 'limits_unavailable', message, { headers: { 'retry-after': '5' } });
}

function setLimitHeaders(reply: FastifyReply, state: LimitState): void {
  reply.header('ratelimit-limit', state.limit);
  reply.header('ratelimit-remaining', state.remaining);
  reply.header('ratelimit-reset', state.resetSeconds);
}
