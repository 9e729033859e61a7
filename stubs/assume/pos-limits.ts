import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { limitHeaders, withoutHeaders } from '../../contracts/tools/assumptions/changes.ts';
import { callerOf } from '../../gateway/api/pos/identity.ts';
import type { LimitRule } from '../../gateway/http/api.ts';
import { maxOf } from '../../gateway/http/limit/limit.ts';
import { largeBodies } from './large-bodies.ts';
import { mapIn } from './memory.ts';
import type { CountedCall, Counting, Memory, Variant, Variants } from './types.ts';

const isPlan = ({ per }: LimitRule) => per === 'account';
const isTokenGuard = ({ counts }: LimitRule) => counts === 'failed-logins';

type Counted = Awaited<ReturnType<Counting['count']>>;

/** What a stub has counted. It counts in memory, and so at once. */
const countedBy = ({ count }: Counting, { request, rule, increment }: CountedCall): Counted =>
  count(request, rule, increment) as Counted;

/** Each key has a limit of its own, as large as the plan's. */
const perKey: Variant = {
  count({ request, rule, increment }, { count }) {
    if (!isPlan(rule)) return count(request, rule, increment);
    const key = (one: FastifyRequest) => `${rule.key(one)} ${callerOf(one).keyId}`;
    return count(request, { ...rule, key }, increment);
  },
};

/** Counts the calls of the last minute. A refused call does not count. */
const sliding = (memory: Memory): Variant => ({
  count(call, by) {
    const { request, rule, increment } = call;
    if (!isPlan(rule)) return by.count(request, rule, increment);
    const limit = maxOf(rule, request);
    // A stub may have no limits.
    if (limit === null || by.count(request, rule, false) === null) return null;
    const now = by.clock.now();
    const times = mapIn<number[]>(memory, 'calls of the last minute');
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

/** How long a call waits at most, in real time: the clock of a stub may stand still. */
const longestDelayMs = 1000;

/** Lets a call wait until the window ends, and carries it out then. A call waits once. */
const delayed = (): Variant => {
  const waited = new WeakSet<FastifyRequest>();
  return {
    count(call, by) {
      const counted = countedBy(by, call);
      if (!counted?.exceeded) return counted;
      const passed = { ...counted, exceeded: false };
      const isCountOfFailure = isTokenGuard(call.rule) && call.increment;
      if (isCountOfFailure || waited.has(call.request)) return passed;
      waited.add(call.request);
      return untilReset(counted.state.resetSeconds * 1000, by.clock).then(() => passed);
    },
    reply: withoutHeaders(...limitHeaders),
  };
};

async function untilReset(resetMs: number, clock: Counting['clock']): Promise<void> {
  const over = Promise.withResolvers<void>();
  const cancel = clock.after(resetMs, over.resolve);
  const stop = new AbortController();
  await Promise.race([over.promise, pause(longestDelayMs, undefined, { signal: stop.signal }).catch(() => {})]);
  cancel();
  stop.abort();
}

/** Counts each attempt to obtain a token, and not only those that fail. */
const everyAttempt = (): Variant => {
  const attempts = new WeakSet<FastifyRequest>();
  return {
    count(call, by) {
      const { request, rule, increment } = call;
      if (!isTokenGuard(rule)) return by.count(request, rule, increment);
      const isNew = !increment && !attempts.has(request);
      if (isNew) attempts.add(request);
      const counted = countedBy(by, { request, rule, increment: isNew });
      // An attempt is looked at again when it is its turn, and when it has failed. It was counted before.
      return counted && { ...counted, exceeded: isNew && counted.exceeded };
    },
  };
};

/** A call counts once its reply is ready, unless validation has refused it. */
const refusedUncounted = (): Variant => {
  const pending = new WeakMap<FastifyRequest, { count: () => void; remaining: number }>();
  return {
    count(call, by) {
      const { request, rule, increment } = call;
      if (!isPlan(rule) || !increment) return by.count(request, rule, increment);
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
      if (isRefusedByValidation(request)) reply.header('ratelimit-remaining', held.remaining);
      else held.count();
    },
  };
};

const codesOfValidation: readonly string[] = [
  'invalid_request',
  'malformed_request',
  'empty_body',
  'invalid_content_length',
  'unsupported_media_type',
  'body_too_large',
  'forbidden_field',
];

/** True for a call whose form or fields are wrong, which no verb has seen. */
export const isRefusedByValidation = ({ refusal }: Pick<FastifyRequest, 'refusal'>): boolean =>
  refusal !== null && codesOfValidation.includes(refusal.code);

export const posLimitVariants: Variants = {
  'pos.plan-scope=per-key': perKey,
  'pos.plan-scope=sliding': sliding,
  'pos.limit-exceeded=delayed': delayed,
  'pos.token-guard=none': {
    count: ({ request, rule, increment }, { count }) => (isTokenGuard(rule) ? null : count(request, rule, increment)),
  },
  'pos.token-guard=every-attempt': everyAttempt,
  'pos.check-order=refused-uncounted': refusedUncounted,
  'pos.body-size=1-mb': { bodyLimit: largeBodies['1-mb'] },
  'pos.body-size=unlimited': { bodyLimit: largeBodies.unlimited },
};
