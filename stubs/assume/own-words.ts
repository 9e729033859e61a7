import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import { wrong } from './refused.ts';
import type { Around, Refused, Variant } from './types.ts';

/** Refuses a value as the reference refuses one that it does not know. */
export const notTaken = (field: string, value: string, words: readonly string[]): Refused =>
  wrong(400, wrongValue(field, `must be one of ${words.join(', ')}, not ${JSON.stringify(value)}`));

interface Words {
  /** A value that the reference takes. */
  reference: string;
  /** Returns why the service does not take a value; undefined if it takes it. */
  refusal(value: string, around: Around): Refused | undefined;
}

/** The service's own values of a field. The reference's validation sees one of its own, and the verb what was sent. */
export const ownWords = (operations: readonly string[], field: string, { reference, refusal }: Words): Variant => ({
  request(asked, around) {
    const value = sent(asked)[field];
    if (!operations.includes(asked.operation) || typeof value !== 'string') return {};
    const refused = refusal(value, around);
    if (refused) return refused;
    return { body: { ...sent(asked), [field]: reference }, afterValidation: (valid) => ({ ...valid, [field]: value }) };
  },
});
