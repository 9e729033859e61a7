import { sent, wantsJson } from './conditions.ts';
import type { Asked, Detail, Is, Refused } from './is.ts';

/** What is wrong with a request under an alternative, in the words that the reference has for the same kind of refusal; empty if nothing is. */
export type WrongIn = (asked: Asked) => Detail[];

const wrongField =
  (rule: string, message: string) =>
  (...fields: string[]): Detail[] =>
    fields.map((field) => ({ field, rule, message }));

export const isRequired = wrongField('invalid_type', 'is required');
export const notAField = wrongField('refused_field', 'is not a field of this request');
export const wrongValue = (field: string, message: string): Detail[] => wrongField('invalid_value', message)(field);
export const notOneOf = (field: string, known: readonly string[]): Detail[] =>
  wrongValue(field, `must be one of ${known.join(', ')}`);

/** The message above the fields: the first one's, and how many more there are. */
export function messageOf([first, ...more]: readonly Detail[]): string {
  if (!first) return 'The request is not valid.';
  return `${first.field}: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
}

/** A refusal that looks as the reference's of wrong fields. */
export const wrong = (status: number, details: Detail[]): Refused => ({
  status,
  code: 'invalid_request',
  message: messageOf(details),
  details,
});

/** Refuses a value as the reference refuses one that it does not know. */
export const notTaken = (status: number, field: string, value: string, words: readonly string[]): Refused =>
  wrong(status, wrongValue(field, `must be one of ${words.join(', ')}, not ${JSON.stringify(value)}`));

export const refuses = (status: number, operations: string | readonly string[], wrongIn: WrongIn): Is => ({
  at: 'outcome',
  request(asked) {
    const details = [operations].flat().includes(asked.operation) ? wrongIn(asked) : [];
    return details.length > 0 ? wrong(status, details) : undefined;
  },
});

const notAcceptable: Refused = {
  status: 406,
  code: 'not_acceptable',
  message: 'Replies are JSON. Send Accept: application/json.',
  details: [],
};
export const acceptsJsonOnly: Is = { at: 'outcome', request: (asked) => (wantsJson(asked) ? undefined : notAcceptable) };

/** Validation sees a value of the reference, and the verb what was sent. `refusal`: of a value that the service does not take. */
export const ownWords = (
  operations: readonly string[],
  field: string,
  reference: string,
  refusal: (value: string) => Refused | undefined,
): Is => ({
  at: 'validation',
  request(asked) {
    const { [field]: value } = sent(asked);
    if (!operations.includes(asked.operation) || typeof value !== 'string') return {};
    return (
      refusal(value) ?? {
        body: { ...sent(asked), [field]: reference },
        afterValidation: (valid) => ({ ...valid, [field]: value }),
      }
    );
  },
});
