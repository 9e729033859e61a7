import { messageOf } from '../../contracts/tools/assumptions/wrong.ts';
import type { Detail } from '../../gateway/base/errors.ts';
import type { Refused } from './types.ts';

/** A refusal that looks as the reference's of wrong fields. */
export const wrong = (status: number, details: Detail[]): Refused => ({
  status,
  code: 'invalid_request',
  message: messageOf(details),
  details,
});

/** A refusal that looks as the reference's of a record that does not exist. */
export const notFound = (field: string, message: string): Refused => ({
  status: 404,
  code: 'not_found',
  message,
  details: [{ field, rule: 'not_found', message }],
});
