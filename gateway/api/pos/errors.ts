import { z } from 'zod';
import type { Refusal, RefusalKind } from '../../base/errors.ts';

/** Only statuses the document lists, and those of transport and limits (gap pos.error-conditions, gap pos.transport-statuses). */
export const statusOfRefusal: Record<RefusalKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 401,
  not_found: 404,
  conflict: 400,
  too_large: 413,
  media_type: 415,
  limited: 429,
  unavailable: 503,
  internal: 500,
};

const failed = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string().describe('A stable reason.').meta({ example: 'invalid_request' }),
      message: z.string(),
      details: z.array(
        z.object({ field: z.string().meta({ example: 'items.0.quantity' }), rule: z.string(), message: z.string() }),
      ),
    }),
  })
  .meta({ 'x-gap': ['pos.error-body'] });

/** The refusals of an operation that needs no token, for its document. */
export const publicRefusals = {
  400: failed.describe('The request is wrong: `details` names each field and the reason, or the first 20 of them.'),
  401: failed.describe('No valid credentials or token: the message says what is wrong with them.'),
  413: failed.describe('The body is larger than the gateway accepts: 256 KiB, unless the operator has set another bound.'),
  415: failed.describe('The body is not JSON in UTF-8, or it is compressed.'),
  429: failed.describe('A limit is reached; `Retry-After` says for how many seconds.'),
  500: failed.describe('Internal server error.'),
  503: failed.describe(
    'The gateway cannot reach its database, or more calls arrive than it can handle. Nothing was done; try again.',
  ),
};
export const refusals = {
  ...publicRefusals,
  404: failed.describe('Something that the request names does not exist, or belongs to another account.'),
};

export const errorBody = ({ code, message, details }: Refusal): z.infer<typeof failed> => ({
  success: false,
  error: { code, message, details },
});
