import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitRule } from '../../gateway/http/api.ts';
import { maxOf } from '../../gateway/http/limit/limit.ts';
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

/** Counts the calls of the last window. A refused call does not count. */
export const sliding =
  (holds: IsRule) =>
  (memory: Memory): Variant => ({
    count(call, by) {
      const { request, rule, increment } = call;
      if (!holds(rule)) return by.count(request, rule, increment);
      const limit = maxOf(rule, request);
      // A stub may have no limits.
      if (limit === null || by.count(request, rule, false) === null) return null;
      const now = by.clock.now();
      const times = mapIn<number[]>(memory, 'calls of the last window');
      const key = rule.key(request);
      const recent = (times.get(key) ?? []).filter((at) => at > now - rule.windowMs);
      const exceeded = recent.length >= limit;
      if (increment && !exceeded) recent.push(now);
      times.set(key, recent);
      const [oldest = now] = recent;
      const resetSeconds = Math.ceil((oldest + rule.windowMs - now) / 1000);
      return { state: { name: rule.name, limit, remaining: limit - recent.length, resetSeconds }, exceeded };
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
