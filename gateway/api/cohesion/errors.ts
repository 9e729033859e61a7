import { z } from 'zod';
import type { Refusal, RefusalKind } from '../../base/errors.ts';

/** The statuses of the document's section 7, and those of transport and limits. */
export const statusOfRefusal: Record<RefusalKind, number> = {
  invalid: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 422,
  too_large: 413,
  media_type: 415,
  limited: 429,
  unavailable: 503,
  internal: 500,
};

const problem = z.object({
  message: z.string().meta({ example: 'per_page: must be at most 100' }),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('The messages of each wrong field, or of the first 20. Absent if no field is wrong.'),
});

/** The refusals of every operation, and of operations on one record (document section 7). */
export const refusals = {
  401: problem.describe('Token missing or invalid.'),
  403: problem.describe('Ability missing, user inactive, or outside the perimeter of the token.'),
  422: problem.describe('Validation failure.').meta({ 'x-gap': ['cohesion.error-body'] }),
  429: problem
    .describe('Limit reached. `Retry-After` is the number of seconds to wait.')
    .meta({ 'x-gap': ['cohesion.throttle-exceeded'] }),
  500: problem.describe('Internal server error.').meta({ 'x-gap': ['cohesion.transport-statuses'] }),
  503: problem
    .describe('The gateway cannot reach its database, or more calls arrive than it can handle. Nothing was done; try again.')
    .meta({ 'x-gap': ['cohesion.transport-statuses'] }),
};
export const refusalsOfOne = { ...refusals, 404: problem.describe('Resource not found.') };
/** The refusals of a body, before it is validated. */
export const refusalsOfBody = {
  413: problem
    .describe('The body is larger than the gateway accepts: 256 KiB, unless the operator has set another bound.')
    .meta({ 'x-gap': ['cohesion.transport-statuses'] }),
  415: problem.describe('The body is not JSON in UTF-8, or it is compressed.').meta({ 'x-gap': ['cohesion.transport-statuses'] }),
};

/** Laravel's error body: a message, and the messages of each wrong field if there are any (gap cohesion.error-body). */
export function errorBody(refusal: Refusal): z.infer<typeof problem> {
  if (refusal.details.length === 0) return { message: refusal.message };
  // A Map, because a caller may send a field named `__proto__`.
  const messages = Map.groupBy(refusal.details, ({ field }) => field);
  const errors = Object.fromEntries([...messages].map(([field, details]) => [field, details.map(({ message }) => message)]));
  return { message: refusal.message, errors };
}
