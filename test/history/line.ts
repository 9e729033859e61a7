import { z } from 'zod';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';

/** What may be wrong with the sending of webhooks. */
export const rules = ['lost', 'duplicated', 'reordered', 'altered', 'misdirected', 'over_limit', 'late'] as const;
export type Rule = (typeof rules)[number];
/** The rules that a request may break for a reason outside the history, for example because an operator asked for it. */
const excusable = ['duplicated', 'reordered', 'over_limit'] as const satisfies Rule[];

const name = z.string().min(1);
/** Milliseconds since 1970, or ISO 8601 with a zone. */
const time = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))], {
  error: 'It must be milliseconds since 1970, or a time in ISO 8601 with a zone, such as 2026-11-26T08:00:00Z',
});
const count = z.int().min(1);

const acknowledged = { event: name, at: time, endpoints: z.array(name).optional(), digest: name.optional() };
const received = {
  event: name,
  endpoint: name,
  at: time,
  ended: time.optional(),
  status: z.int().min(100).max(599).optional(),
  digest: name.optional(),
  sequence: z.union([z.number(), name]).optional(),
  excuses: z.array(z.enum(excusable)).optional(),
};
const endpoint = {
  endpoint: name,
  from: time.optional(),
  until: time.optional(),
  ordered: z.boolean().optional(),
  max_in_flight: count.optional(),
  max_per_second: count.optional(),
  within_ms: z.number().min(0).optional(),
};
const ledger = {
  event: name,
  endpoint: name,
  state: z.enum(['pending', 'delivered', 'failed', 'skipped']),
  at: time.optional(),
  reason: name.optional(),
};

const kinds = {
  acknowledged: z.object({ kind: z.literal('acknowledged'), ...acknowledged }),
  received: z.object({ kind: z.literal('received'), ...received }),
  endpoint: z.object({ kind: z.literal('endpoint'), ...endpoint }),
  ledger: z.object({ kind: z.literal('ledger'), ...ledger }),
};
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

type Of<K extends Kind> = z.output<(typeof kinds)[K]>;
/** A caller was told that its event was accepted for these endpoints. Default: all endpoints that are declared at this time. */
export type Acknowledged = Of<'acknowledged'>;
/** A receiver got a request, and answered it with `status`, unless it gave no answer. `excuses`: rules that it may break. */
export type Received = Of<'received'>;
/** What holds for an endpoint from a time until another one. */
export type Declared = Of<'endpoint'>;
/** What the sender's own records say of an event at an endpoint, and when that was recorded. */
export type Recorded = Of<'ledger'>;
export type Line = Acknowledged | Received | Declared | Recorded;

const quoted = (text: string) => `"${text}"`;

/** Reads one line of a history. Throws `CouldNotRun`, which says what is wrong with it. Fields that begin with `x-` are the writer's own. */
export function lineOf(value: unknown): Line {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CouldNotRun('It must be an object. Write each one on a line of its own, without a list around them.');
  const { kind } = value as { kind?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    const guess = typeof kind === 'string' ? didYouMean(kind, kindNames, quoted) : '';
    throw new CouldNotRun(`kind is ${JSON.stringify(kind) ?? 'missing'}. ${guess}It must be one of ${kindNames.join(', ')}.`);
  }
  const schema = kinds[kind as Kind];
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(value).find((field) => !known.includes(field) && !field.startsWith('x-'));
  if (unknown !== undefined)
    throw new CouldNotRun(
      `${quoted(unknown)} is no field of ${kind}. ${didYouMean(unknown, known, quoted)}Its fields are ${known.join(', ')}; names of your own begin with x-.`,
    );
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CouldNotRun(`${issue?.path.join('.')} of ${kind} is wrong: ${issue?.message}.`);
}
