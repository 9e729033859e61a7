import { z } from 'zod';
import { type Answer, type AnswerContext, down, exampleReply, rateLimited, simulatedStatus, tokenExpired } from './answers.ts';
import {
  type BrokenReply,
  type CutCall,
  closeConnection,
  resetConnection,
  type Sent,
  sendAtRate,
  sendMalformed,
  sendMalformedChunk,
  sendSlowly,
  sendTruncated,
} from './broken-replies.ts';
import { number, type Option, time, word } from './options.ts';
import type { Fault } from './types.ts';

/** Five minutes: longer than the timeout of any client. */
export const longestDelayMs = 5 * 60_000;

const milliseconds = z
  .int('must be whole milliseconds')
  .min(0, 'must not be negative')
  .max(longestDelayMs, `must be at most ${longestDelayMs} ms (5 minutes)`);
const positiveMs = milliseconds.min(1, 'must be at least 1 ms');
const stage = z.enum(['request', 'reply'], 'must be "request" (before the work is done) or "reply" (after it)').optional();
export const count = (least: number, unit = '') =>
  z.int('must be a whole number').min(least, `must be at least ${least}${unit}`).max(1e9, 'is too large');
export const between = (low: number, high: number) => z.number(`must be a number from ${low} to ${high}`).min(low).max(high);

/** A field name (RFC 9110, section 5.1), other than those that frame the message. */
export const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'must be the name of a header')
  .refine((name) => !/^(content-length|transfer-encoding|connection)$/i.test(name), 'is set by the server');
const headerValue = z.string().regex(/^[\x20-\x7e]{0,1000}$/, 'must be visible ASCII characters and spaces');

function isJson(value: unknown): boolean {
  try {
    return value === undefined || JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** A delay is given by exactly one of these groups of fields. */
const distributions = [['ms'], ['fromMs', 'toMs'], ['meanMs', 'deviationMs'], ['medianMs', 'sigma']] as const;

const delay = z
  .strictObject({
    kind: z.literal('delay'),
    ms: milliseconds.optional(),
    fromMs: milliseconds.optional(),
    toMs: milliseconds.optional(),
    meanMs: milliseconds.optional(),
    deviationMs: milliseconds.optional(),
    medianMs: positiveMs.optional(),
    sigma: between(0, 10).optional(),
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

type Of<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** How one kind of fault is checked, written as text, and applied. */
export interface FaultKind<Kind extends Fault['kind'] = Fault['kind']> {
  schema: z.ZodType<Of<Kind>>;
  /** The options of its text form. The option named like the kind is its value: `status=503`. */
  options: Readonly<Record<string, Option>>;
  /** How its text form is written, if the name alone is not enough. */
  form?: string;
  /** True if its rules are about webhooks. By default they are about calls. */
  isOfWebhooks?: true;
  /** The reply that is sent instead of the API's. */
  answer?(fault: Of<Kind>, context: AnswerContext): Answer;
  /** Ends the connection in place of a reply, before the work or, with `stage: 'reply'`, after it. */
  cut?(fault: Of<Kind>, call: CutCall): void | Promise<void>;
  /** Changes the API's reply on its way out. Returns what the app still has to send; undefined if nothing. */
  breakReply?(fault: Of<Kind>, broken: BrokenReply): Sent | Promise<Sent>;
}

/**
 * Every kind of fault. A new one is an entry here and its public type in `types.ts`. `delay` and
 * `lost` have no effect here: one goes with another fault (`install.ts`), and the other ends a delivery (`lost-webhooks.ts`).
 */
export const faultKinds = {
  delay: {
    schema: delay,
    form: 'delay=2s or delay=200ms..2s, or give mean and deviation, or median and sigma',
    options: {
      delay: time('ms'),
      mean: time('meanMs'),
      deviation: time('deviationMs'),
      median: time('medianMs'),
      sigma: number('sigma'),
      stage: word('stage'),
    },
  },
  status: {
    schema: z.strictObject({
      kind: z.literal('status'),
      status: z.int('must be a whole number').min(200, 'must be 200 to 599').max(599, 'must be 200 to 599'),
      retryAfterMs: milliseconds.optional(),
      headers: z.record(headerName, headerValue).optional(),
      body: z.unknown().refine(isJson, 'must be a value that JSON can write').optional(),
      validate: z.boolean().optional(),
    }),
    form: 'status=503',
    options: { status: number('status'), retry: time('retryAfterMs') },
    answer: simulatedStatus,
  },
  example: {
    schema: z.strictObject({
      kind: z.literal('example'),
      name: z
        .string()
        .regex(/^\w{1,64}$/, 'must be the name of an example, such as insufficient_stock')
        .optional(),
      retryAfterMs: milliseconds.optional(),
    }),
    options: { example: word('name'), retry: time('retryAfterMs') },
    answer: exampleReply,
  },
  reset: {
    schema: z.strictObject({ kind: z.literal('reset'), stage }),
    options: { stage: word('stage') },
    cut: resetConnection,
  },
  empty: {
    schema: z.strictObject({ kind: z.literal('empty'), stage }),
    options: { stage: word('stage') },
    cut: closeConnection,
  },
  hang: {
    schema: z.strictObject({ kind: z.literal('hang'), ms: positiveMs, stage }),
    form: 'hang=30s',
    options: { hang: time('ms'), stage: word('stage') },
    cut: closeConnection,
  },
  truncated: {
    schema: z.strictObject({
      kind: z.literal('truncated'),
      share: between(0, 1).lt(1, 'must be less than 1').optional(),
    }),
    options: { share: number('share') },
    breakReply: sendTruncated,
  },
  malformed: {
    schema: z.strictObject({ kind: z.literal('malformed') }),
    options: {},
    breakReply: sendMalformed,
  },
  'malformed-chunk': {
    schema: z.strictObject({ kind: z.literal('malformed-chunk') }),
    options: {},
    breakReply: sendMalformedChunk,
  },
  slow: {
    schema: z.strictObject({
      kind: z.literal('slow'),
      overMs: positiveMs,
      pieces: count(2).max(1000, 'must be at most 1000').optional(),
    }),
    form: 'slow=3s',
    options: { slow: time('overMs'), pieces: number('pieces') },
    breakReply: sendSlowly,
  },
  bandwidth: {
    schema: z.strictObject({ kind: z.literal('bandwidth'), bytesPerSecond: count(1) }),
    form: 'bandwidth=1000',
    options: { bandwidth: number('bytesPerSecond') },
    breakReply: sendAtRate,
  },
  down: {
    schema: z.strictObject({ kind: z.literal('down') }),
    options: {},
    answer: down,
  },
  'rate-limit': {
    schema: z.strictObject({
      kind: z.literal('rate-limit'),
      limit: count(1).optional(),
      retryAfterMs: milliseconds.optional(),
    }),
    options: { limit: number('limit'), retry: time('retryAfterMs') },
    answer: rateLimited,
  },
  'token-expired': {
    schema: z.strictObject({ kind: z.literal('token-expired') }),
    options: {},
    answer: tokenExpired,
  },
  lost: {
    schema: z.strictObject({ kind: z.literal('lost') }),
    options: {},
    isOfWebhooks: true,
  },
} satisfies { readonly [Kind in Fault['kind']]: FaultKind<Kind> };

export const kindNames = Object.keys(faultKinds) as Fault['kind'][];

/** The register's entry for a fault, for calls with that fault. */
export const kindOf = ({ kind }: Pick<Fault, 'kind'>): FaultKind => faultKinds[kind];
