import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { limitHeaders, withoutHeaders } from '../../contracts/tools/assumptions/changes.ts';
import { callerOf } from '../../gateway/api/pos/identity.ts';
import { isGuard } from '../../gateway/http/limit/limit.ts';
import { largeBodies } from './large-bodies.ts';
import { countedBy, countedPer, fixed, type IsRule, refusedUncounted } from './limits.ts';
import type { Counting, Variant, Variants } from './types.ts';

const isPlan: IsRule = ({ per }) => per === 'account';
const isTokenGuard: IsRule = ({ counts }) => counts === 'failed-logins';

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
      const isCountOfFailure = isGuard(call.rule) && call.increment;
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

const codesOfValidation: readonly string[] = [
  'invalid_request',
  'malformed_request',
  'empty_body',
  'invalid_content_length',
  'unsupported_media_type',
  'body_too_large',
  'forbidden_field',
  'too_complex',
];

/** True for a call whose form or fields are wrong, which no verb has seen. */
export const isRefusedByValidation = ({ refusal }: Pick<FastifyRequest, 'refusal'>): boolean =>
  refusal !== null && codesOfValidation.includes(refusal.code);

export const posLimitVariants: Variants = {
  // Each key has a limit of its own, as large as the plan's.
  'pos.plan-scope=per-key': countedPer(isPlan, (request, rule) => `${rule.key(request)} ${callerOf(request).keyId}`),
  'pos.plan-scope=fixed': fixed(isPlan),
  'pos.limit-exceeded=delayed': delayed,
  'pos.token-guard=none': {
    count: ({ request, rule, increment }, { count }) => (isGuard(rule) ? null : count(request, rule, increment)),
  },
  'pos.token-guard=every-attempt': everyAttempt,
  'pos.check-order=refused-uncounted': refusedUncounted(isPlan, isRefusedByValidation),
  'pos.body-size=1-mb': { bodyLimit: largeBodies['1-mb'] },
  'pos.body-size=unlimited': { bodyLimit: largeBodies.unlimited },
};
