import type { Detail } from '../../../gateway/base/errors.ts';
import type { Asked } from './alternative.ts';

/** What is wrong with a request under an alternative, in the words that the reference has for the same kind of refusal. */
export type WrongIn = (asked: Asked) => Detail[];

const wrongField =
  (rule: string, message: string) =>
  (...fields: string[]): Detail[] =>
    fields.map((field) => ({ field, rule, message }));

export const isRequired = wrongField('invalid_type', 'is required');
export const notAField = wrongField('unknown_field', 'is not a field of this request');
export const wrongValue = (field: string, message: string): Detail[] => wrongField('invalid_value', message)(field);
export const notOneOf = (field: string, known: readonly string[]): Detail[] =>
  wrongValue(field, `must be one of ${known.join(', ')}`);

/** The message above the fields: the first one's, and how many more there are. */
export function messageOf([first, ...more]: readonly Detail[]): string {
  if (!first) return 'The request is not valid.';
  return `${first.field}: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
}
