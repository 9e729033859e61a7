import { z } from 'zod';
import { FaultError } from './errors.ts';
import type { Fault, FaultRule } from './types.ts';

/** Nothing waits longer than this: five minutes, past every client's own time-out. */
export const longestDelayMs = 5 * 60_000;
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const time = z
  .int('must be whole milliseconds')
  .min(0, 'must not be negative')
  .max(longestDelayMs, `must be at most ${longestDelayMs} ms (5 minutes)`);
const positiveTime = time.min(1, 'must be at least 1 ms');
const stage = z.enum(['request', 'reply'], 'must be "request" (before the work is done) or "reply" (after it)').optional();
const count = (least: number) => z.int('must be a whole number').min(least, `must be at least ${least}`).max(1e9, 'is too large');
const number = (low: number, high: number) => z.number(`must be a number from ${low} to ${high}`).min(low).max(high);

/** One of these groups of fields says how long a delay is. */
const distributions = [['ms'], ['fromMs', 'toMs'], ['meanMs', 'deviationMs'], ['medianMs', 'sigma']] as const;

// What each field means stands in types.ts, which is public.
const delay = z
  .strictObject({
    kind: z.literal('delay'),
    ms: time.optional(),
    fromMs: time.optional(),
    toMs: time.optional(),
    meanMs: time.optional(),
    deviationMs: time.optional(),
    medianMs: positiveTime.optional(),
    sigma: number(0, 10).optional(),
    stage,
  })
  .refine(
    (fault) => {
      const given = distributions.flat().filter((name) => fault[name] !== undefined);
      return distributions.some((names) => names.length === given.length && names.every((name) => given.includes(name)));
    },
    { message: `must have one of: ${distributions.map((names) => names.join(' and ')).join('; ')}` },
  )
  .refine(({ fromMs = 0, toMs = fromMs }) => fromMs <= toMs, { message: 'must not be longer than toMs', path: ['fromMs'] });

const status = z.strictObject({
  kind: z.literal('status'),
  status: z.int('must be a whole number').min(200, 'must be 200 to 599').max(599, 'must be 200 to 599'),
  retryAfterMs: positiveTime.optional(),
});
const reset = z.strictObject({ kind: z.literal('reset'), stage });
const truncated = z.strictObject({ kind: z.literal('truncated'), share: number(0, 1).lt(1, 'must be less than 1').optional() });
const malformed = z.strictObject({ kind: z.literal('malformed') });
const slow = z.strictObject({
  kind: z.literal('slow'),
  overMs: positiveTime,
  pieces: count(2).max(1000, 'must be at most 1000').optional(),
});
const rateLimit = z.strictObject({
  kind: z.literal('rate-limit'),
  limit: count(1).optional(),
  retryAfterMs: positiveTime.optional(),
});
const tokenExpired = z.strictObject({ kind: z.literal('token-expired') });

const faults = [delay, status, reset, truncated, malformed, slow, rateLimit, tokenExpired] as const;
export const kinds = ['delay', 'status', 'reset', 'truncated', 'malformed', 'slow', 'rate-limit', 'token-expired'] as const;

export const faultSchema = z.discriminatedUnion('kind', faults, { error: `must have a kind: one of ${kinds.join(', ')}` });

export const faultRuleSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
    .optional(),
  operation: z
    .string()
    .regex(/^[A-Za-z]\w{0,99}$/, 'must be the name of an operation, such as createSale')
    .refine((name) => !(methods as readonly string[]).includes(name), 'is a method: give it as `method`')
    .optional(),
  method: z.enum(methods, `must be one of ${methods.join(', ')}`).optional(),
  path: z
    .string()
    .regex(/^\/[\x21-\x7e]{0,1000}$/, 'must begin with "/" and have neither spaces nor what URLs escape')
    .optional(),
  times: count(1).optional(),
  after: count(0).optional(),
  probability: number(0, 1).optional(),
  per: z.enum(['operation', 'caller'], 'must be "operation" or "caller"').optional(),
  fault: faultSchema,
});

/** The value as a rule, or a `FaultError` that says what is wrong with it. */
export function checkRule(value: unknown): FaultRule {
  return checked(faultRuleSchema, value);
}

export function checkFault(value: unknown): Fault {
  return checked(faultSchema, value);
}

function checked<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new FaultError(
    result.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': ')).join('; '),
  );
}
