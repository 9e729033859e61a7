import type { z } from 'zod';

let last: { schema: z.ZodType; value: unknown; text: string } | undefined;

/**
 * Returns a value as JSON, with what its schema keeps of it. Throws a `ZodError` if it does not fit. A change often sends the same
 * value as its event and as its reply: the last text is kept, so the value must not be changed afterwards.
 */
export function checkedText<S extends z.ZodType>(schema: S, value: z.input<S>): string {
  if (last?.value !== value || last.schema !== schema) last = { schema, value, text: JSON.stringify(schema.parse(value)) };
  return last.text;
}
