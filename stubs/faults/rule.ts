import { z } from 'zod';
import { didYouMean } from '../../gateway/base/nearest.ts';
import { setZodMessages } from '../../gateway/http/messages.ts';
import { FaultError } from './errors.ts';
import { between, count, faultKinds, headerName, kindNames, kindOf } from './kinds.ts';
import type { FaultRule } from './types.ts';
import { places } from './when.ts';

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type Schemas = { [Kind in keyof typeof faultKinds]: (typeof faultKinds)[Kind]['schema'] };
type AnySchema = Schemas[keyof Schemas];

function kindMessage(fault: unknown): string {
  const kind: unknown = typeof fault === 'object' && fault !== null && 'kind' in fault ? fault.kind : undefined;
  if (typeof kind !== 'string') return `must have a kind: one of ${kindNames.join(', ')}`;
  return `"${kind}" is not a kind. ${didYouMean(kind, kindNames)}The kinds are ${kindNames.join(', ')}`;
}

export const faultSchema = z.discriminatedUnion(
  'kind',
  Object.values(faultKinds).map(({ schema }) => schema) as [AnySchema, ...AnySchema[]],
  { error: ({ input }) => kindMessage(input) },
);

const ruleShape = {
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
    .optional(),
  operation: z
    .string()
    .regex(/^[A-Za-z][\w.]{0,99}$/, 'must be the name of an operation, such as createSale')
    .refine((name) => !(methods as readonly string[]).includes(name), 'is a method: give it as `method`')
    .optional(),
  method: z.enum(methods, `must be one of ${methods.join(', ')}`).optional(),
  path: z
    .string()
    .regex(/^\/[\x21-\x7e]{0,1000}$/, 'must begin with "/" and contain neither spaces nor characters that URLs escape')
    .optional(),
  when: z
    .strictObject({
      body: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
      query: z.record(z.string(), z.string()).optional(),
      header: z.record(headerName, z.string()).optional(),
    })
    .optional(),
  times: count(1).optional(),
  after: count(0).optional(),
  forMs: count(1, ' ms').optional(),
  probability: between(0, 1).optional(),
  per: z.enum(['operation', 'caller'], 'must be "operation" or "caller"').optional(),
  fault: faultSchema,
};

export const faultRuleSchema = z
  .strictObject(ruleShape)
  .refine(({ fault, method, path, when }) => !kindOf(fault).isOfWebhooks || !(method ?? path ?? when?.query ?? when?.header), {
    message: 'is about webhooks: name them by their event type, such as sale.completed, and by fields of their body',
    path: ['fault', 'kind'],
  });

/** Returns the value as a rule. Throws a `FaultError` that names each wrong field. */
export function checkRule(value: unknown): FaultRule {
  setZodMessages();
  const result = faultRuleSchema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => ({ field: issue.path.join('.'), message: messageOf(issue, value) }));
  throw new FaultError(details.map(({ field, message }) => [field, message].filter(Boolean).join(': ')).join('; '), details);
}

function messageOf(issue: z.core.$ZodIssue, rule: unknown): string {
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => message).join(' ');
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const [of] = issue.path;
  const ofRule = of === 'when' ? places : Object.keys(ruleShape);
  const known = of === 'fault' ? Object.keys(faultKinds[(rule as FaultRule).fault.kind].schema.shape) : ofRule;
  const hint = (key: string) => didYouMean(key, known).trim() || `Its fields: ${known.join(', ')}`;
  return issue.keys.map((key) => `"${key}" is not a field. ${hint(key)}`).join(' ');
}
