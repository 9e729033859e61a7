import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

/**
 * Compiles a schema of a route to its validator. Headers are checked, but their values are not replaced: otherwise Fastify would
 * merge both sets of values at each later access.
 */
export const validatorOf: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  if (route.httpPart !== 'headers') return validate;
  const optional = namesOf(route.schema);
  return (headers: Record<string, unknown>) => {
    if (optional?.every((name) => headers[name] === undefined)) return true;
    const { error } = validate(headers) as { error?: Error };
    return error ? { error } : true;
  };
};

/** The names of headers that may all be absent, beside any others; undefined for any other schema. */
function namesOf(schema: z.ZodType): string[] | undefined {
  if (!(schema instanceof z.ZodObject) || !schema.safeParse({}).success || !schema.safeParse({ other: '' }).success)
    return undefined;
  return Object.keys(schema.shape);
}
