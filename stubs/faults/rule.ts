import { z } from 'zod';
import { FaultError } from './errors.ts';
import { between, count, faultKinds, kindNames } from './kinds.ts';
import type { Fault, FaultRule } from './types.ts';

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type Schemas = { [Kind in keyof typeof faultKinds]: (typeof faultKinds)[Kind]['schema'] };
type AnySchema = Schemas[keyof Schemas];

export const faultSchema = z.discriminatedUnion(
  'kind',
  Object.values(faultKinds).map(({ schema }) => schema) as [AnySchema, ...AnySchema[]],
  { error: `must have a kind: one of ${kindNames.join(', ')}` },
);

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
    .regex(/^\/[\x21-\x7e]{0,1000}$/, 'must begin with "/" and contain neither spaces nor characters that URLs escape')
    .optional(),
  times: count(1).optional(),
  after: count(0).optional(),
  probability: between(0, 1).optional(),
  per: z.enum(['operation', 'caller'], 'must be "operation" or "caller"').optional(),
  fault: faultSchema,
});

/** Returns the value as a rule. Throws a `FaultError` that names each wrong field. */
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
