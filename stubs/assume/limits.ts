import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitRule } from '../../gateway/http/api.ts';
import { countedOf, maxOf } from '../../gateway/http/limit/limit.ts';
import { mapIn } from './memory.ts';
import type { CountedCall, Counting, Memory, Variant } from './types.ts';

/** Variants that count the calls of some rules in another way. Other rules count as ever. */

export type IsRule = (rule: LimitRule) => boolean;

export type Counted = Awaited<ReturnType<Counting['count']>>;

/** What a stub has counted. It counts in memory, and so at once. */
export const countedBy = ({ count }: Counting, { request, rule, increment }: CountedCall): Counted =>
  count(request, rule, increment) as Counted;

/** Counts the calls with the same key together. */
export const countedPer = (holds: IsRule, keyOf: (request: FastifyRequest, rule: LimitRule) => string): Variant => ({
  count({ request, rule, increment }, { count }) {
    if (!holds(rule)) return count(request, rule, increment);
    return count(request, { ...rule, key: (one) => keyOf(one, rule) }, increment);
  },
});

/** Counts calls in windows that begin with the first call in them. */
export const fixed =
  (holds: IsRule) =>
  (memory: Memory): Variant => ({
    count(call, by) {
      const { request, rule, increment } = call;
      if (!holds(rule)) return by.count(request, rule, increment);
      const limit = maxOf(rule, request);
      // A stub may have no limits.
      if (limit === null || by.count(request, rule, false) === null) return null;
      const now = by.clock.now();
      const windows = mapIn<{ calls: number; endMs: number }>(memory, 'windows that begin with a call');
      const key = rule.key(request);
      const running = windows.get(key);
      const window = running && running.endMs > now ? running : { calls: 0, endMs: now + rule.windowMs };
      const isFull = window.calls >= limit;
      if (increment && !isFull) window.calls += 1;
      if (increment) windows.set(key, window);
      return countedOf(rule, limit, { isFull, calls: window.calls, freeInMs: window.endMs - now });
    },
  });

/** Counts a call once its reply is ready, unless validation has refused it. */
export const refusedUncounted =
  (holds: IsRule, isRefused: (request: FastifyRequest, reply: FastifyReply) => boolean) => (): Variant => {
    const pending = new WeakMap<FastifyRequest, { count: () => void; remaining: number }>();
    return {
      count(call, by) {
        const { request, rule, increment } = call;
        if (!holds(rule) || !increment) return by.count(request, rule, increment);
        const counted = countedBy(by, { request, rule, increment: false });
        if (!counted || counted.exceeded) return counted;
        const { state } = counted;
        pending.set(request, { count: () => by.count(request, rule, true), remaining: state.remaining });
        return { ...counted, state: { ...state, remaining: state.remaining - 1 } };
      },
      ended(request, reply) {
        const held = pending.get(request);
        pending.delete(request);
        if (held === undefined) return;
        if (isRefused(request, reply)) reply.header('ratelimit-remaining', held.remaining);
        else held.count();
      },
    };
  };
