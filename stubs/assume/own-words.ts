import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import { wrong } from './refused.ts';
import type { Around, Refused, Variant } from './types.ts';

/** Refuses a value as the reference refuses one that it does not know. */
export const notTaken = (field: string, value: string, words: readonly string[]): Refused =>
  wrong(400, wrongValue(field, `must be one of ${words.join(', ')}, not ${JSON.stringify(value)}`));

/** The service's own values of a field. The reference's validation sees one of its own, and the verb what was sent. */
export const ownWords = (
  operation: string,
  field: string,
  { reference, wordsOf }: { reference: string; wordsOf: (around: Around) => readonly string[] },
): Variant => ({
  request(asked, around) {
    const value = sent(asked)[field];
    const words = wordsOf(around);
    if (asked.operation !== operation || typeof value !== 'string') return {};
    if (!words.includes(value)) return notTaken(field, value, words);
    return { body: { ...sent(asked), [field]: reference }, afterValidation: (valid) => ({ ...valid, [field]: value }) };
  },
});
