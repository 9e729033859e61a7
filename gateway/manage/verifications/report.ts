import { z } from 'zod';
import { serviceNames } from '../../../spec/documents/services.ts';

/**
 * The report that `passerelle verify --json` writes (contracts/tools/verification/result.ts), with bounds. Fields that a later
 * version adds are dropped. Free-form values have a maximum depth, because JSON.stringify overflows the stack on deep ones.
 */
const deepest = 40;

const words = (max: number) => z.string().max(max);
const anyRecord = z.record(words(500), z.unknown()).refine((value) => isShallow(value), {
  message: `must not be nested deeper than ${deepest}`,
  params: { rule: 'nested_too_deep' },
});

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= deepest; depth++) {
    level = level.flatMap((one) => (one !== null && typeof one === 'object' ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}

const stringRecord = z.record(words(500), words(20_000));
const body = words(1_000_000);

const problem = z.object({
  kind: z.enum(['status', 'header', 'body', 'metadata', 'state', 'provider']),
  path: words(2000).optional(),
  expected: words(100_000).optional(),
  actual: words(100_000).optional(),
  message: words(20_000),
  documented: z.object({ document: words(200), section: words(500), says: words(5000) }).optional(),
  gap: z.object({ id: words(200), question: words(5000), choice: words(5000) }).optional(),
});

const interaction = z.object({
  consumer: words(500),
  provider: words(500),
  source: words(2000),
  kind: z.enum(['http', 'message']),
  description: words(5000),
  states: z.array(z.object({ name: words(2000), params: anyRecord })).max(100),
  outcome: z.enum(['verified', 'failed', 'pending']),
  couldNotRun: z.boolean().optional(),
  durationMs: z.number(),
  problems: z.array(problem).max(1000),
  restsOn: z.array(words(200)).max(200),
  exchange: z
    .object({
      request: z.object({ method: words(20), path: words(20_000), query: words(20_000), headers: stringRecord, body }).optional(),
      reply: z.object({ status: z.int(), headers: stringRecord, body }).optional(),
      message: z.object({ metadata: anyRecord, body }).optional(),
    })
    .optional(),
});

export const verificationReport = z.object({
  verifications: z
    .array(
      z.object({
        provider: z.enum([...serviceNames, 'webhook-receiver']),
        target: z.union([z.object({ kind: z.literal('reference') }), z.object({ kind: z.literal('address'), url: words(2000) })]),
        startedAt: words(50),
        durationMs: z.number(),
        interactions: z.array(interaction).max(10_000),
        notices: z.array(words(20_000)).max(1000),
        unfinished: z.array(words(20_000)).max(1000).optional(),
      }),
    )
    .min(1)
    .max(20),
});
