import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../base/errors.ts';
import type { LimitRule, LimitRules } from '../api.ts';
import { siteKey } from './address-key.ts';
import { Turns } from './turns.ts';

/** How much of a limit a call has left. */
interface LimitState {
  name: string;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The limit with the fewest calls left, for the reply's headers and the record. */
    limitState: LimitState | null;
    /** Ends this call's turn to be evaluated as a login. */
    endTurn: (() => void) | null;
  }
}

/** What a rule counted; null when it does not apply. */
type Counted = { state: LimitState; exceeded: boolean } | null;

/** Counts a request against a rule, or only reads the count when `increment` is false. */
export type Count = (request: FastifyRequest, rule: LimitRule, increment: boolean) => Counted | Promise<Counted>;

/** Returns the calls that a rule allows this request's caller in a window; null if it has no limit. */
export function maxOf({ max, kindOf, holdsFor }: LimitRule, request: FastifyRequest): number | null {
  if (holdsFor?.(request) === false) return null;
  return typeof max === 'number' ? max : (max[kindOf?.(request) ?? ''] ?? null);
}

/** The accepted calls of a key in the last window, this one included. */
export interface Calls {
  /** The call is one too many, or the next one would be. It is not counted. */
  isFull: boolean;
  calls: number;
  /** The time until one more call is allowed. At that time, the oldest counted call is a whole window old. */
  freeInMs: number;
}

/**
 * What a rule says of a call. Seconds are rounded up: a caller who waits this long is not refused.
 */
export function countedOf({ name }: LimitRule, limit: number, { isFull, calls, freeInMs }: Calls): NonNullable<Counted> {
  const remaining = Math.max(0, limit - calls);
  return { state: { name, limit, remaining, resetSeconds: Math.ceil(freeInMs / 1000) }, exceeded: isFull };
}

/** True for a rule that counts failed logins only. */
export const isGuard = ({ counts }: LimitRule): boolean => counts === 'failed-logins';

export function limitRules(rules: readonly LimitRule[], isPublic = false): LimitRules {
  const guards = rules.filter(isGuard);
  return {
    'before-identity': rules.filter(({ when }) => when === 'before-identity'),
    'after-identity': rules.filter(({ when }) => when !== 'before-identity'),
    login: isPublic ? guards : [],
    'login-failed': guards,
  };
}

export interface Limiter {
  /**
   * Counts a call against rules and refuses it with 429 when it exceeds one. Headers and record show the rule with the
   * fewest calls left. Returns a promise only if it waits for a counter.
   */
  check(rules: readonly LimitRule[], request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /**
   * Waits until the logins before this one from its network are evaluated and counted, so that attempts at the same time do
   * not all find a count of 0. `endTurn` must follow.
   */
  takeTurn(rules: readonly LimitRule[], request: FastifyRequest): Promise<void>;
  /** Counts a refused call against these guards. */
  countRefused(rules: readonly LimitRule[], request: FastifyRequest): Promise<void>;
}

export const limiter = (count: Count, onRefused: (rule: string) => void, turns = new Turns()): Limiter => ({
  check(rules, request, reply) {
    let nearest: LimitRule | null = null;
    const judge = (rule: LimitRule, counted: Counted) => {
      if (!counted) return;
      const { state, exceeded } = counted;
      // `routeOptions` makes new objects, so it is read only for the few rules that depend on it.
      const shown = isShown(rule) || isShown(rule, request.routeOptions.config.public);
      if (exceeded || (shown && isNearer(state, request.limitState))) {
        request.limitState = state;
        nearest = rule;
      }
      if (!exceeded) return;
      onRefused(rule.name);
      throw overLimit(reply, rule, state);
    };
    const checkFrom = (first: number): void | Promise<void> => {
      for (let at = first; at < rules.length; at++) {
        const rule = rules[at] as LimitRule;
        const counted = count(request, rule, !isGuard(rule));
        if (counted instanceof Promise)
          return counted.then((known) => {
            judge(rule, known);
            return checkFrom(at + 1);
          });
        judge(rule, counted);
      }
      if (nearest && request.limitState) setLimitHeaders(reply, nearest, request.limitState);
    };
    return checkFrom(0);
  },
  async takeTurn(rules, request) {
    if (rules.some((rule) => isGuard(rule) && maxOf(rule, request) !== null))
      request.endTurn = await turns.take(siteKey(request));
  },
  async countRefused(rules, request) {
    for (const rule of rules) await count(request, rule, true);
  },
});

/** Routes that log in always show how many failed logins are left. Other calls show it only when they are refused. */
export const isShown = (rule: LimitRule, isPublic = false): boolean => !isGuard(rule) || isPublic;

const isNearer = (state: LimitState, other: LimitState | null): boolean => other === null || state.remaining < other.remaining;

function overLimit(reply: FastifyReply, rule: LimitRule, state: LimitState): Refusal {
  setLimitHeaders(reply, rule, state);
  const seconds = Math.max(1, state.resetSeconds);
  return new Refusal(
    'limited',
    'rate_limited',
    `The limit "${rule.name}" of ${state.limit} calls in ${rule.windowMs / 1000} s is reached. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers: three of version 6, which clients of today read, and the two structured
 * fields of version 11. A rule's name is printable ASCII, which JSON and structured fields (RFC 9651) quote alike.
 */
function setLimitHeaders(
  reply: FastifyReply,
  { windowMs }: LimitRule,
  { name, limit, remaining, resetSeconds }: LimitState,
): void {
  const policy = JSON.stringify(name);
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
  reply.header('ratelimit', `${policy};r=${remaining};t=${resetSeconds}`);
  reply.header('ratelimit-policy', `${policy};q=${limit};w=${windowMs / 1000}`);
}
