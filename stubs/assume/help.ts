import { Refusal, type RefusalKind } from '../../gateway/base/errors.ts';
import type { Refused } from '../../spec/gaps/is/is.ts';
import { listOf } from '../../spec/gaps/is/values.ts';
import { wrongValue } from '../../spec/gaps/is/wrong.ts';
import { fieldsOf, type JsonReply } from '../../spec/json.ts';
import type { Help } from '../help/help.ts';

const kinds: Readonly<Record<number, RefusalKind>> = { 401: 'unauthorized', 403: 'forbidden', 404: 'not_found', 409: 'conflict' };

/** Returns the refusal for which help is looked up. */
export const refusalOf = ({ status, code, message, details }: Refused): Refusal =>
  new Refusal(kinds[status] ?? 'invalid', code, message, { details });

/** Returns the refusal that an alternative of cohesion makes of a reply; undefined if its body has not the reference's shape. */
export function refusalIn({ status, body }: JsonReply): Refusal | undefined {
  const { message, errors } = fieldsOf(body);
  if (typeof message !== 'string') return undefined;
  const details = Object.entries(fieldsOf(errors)).flatMap(([field, texts]) => wrongValue(field, String(listOf(texts)[0])));
  return refusalOf({ status, code: 'invalid_request', message, details });
}

/**
 * Returns a refusal's help without the parts that an active alternative makes wrong. It does not show which alternative this is.
 * `isRead`: the example may be refused.
 */
export function trueHelp(help: Help, { isChosen, isRead }: { isChosen(gap: string): boolean; isRead: boolean }): Help {
  const { gap, example, fields, hint, ...others } = help;
  const isTaken = example !== undefined && !isRead;
  return {
    hint: isTaken ? hint : withoutExample(hint),
    ...others,
    ...(fields && {
      fields: fields.map(({ gap: own, ...field }) => (own && !isChosen(own.id) ? { ...field, gap: own } : field)),
    }),
    ...(gap && !isChosen(gap.id) && { gap }),
    ...(isTaken && { example }),
  };
}

/**
 * Removes the gaps of the fields. For a refusal that only an alternative makes they would be wrong, because our choices would not
 * have refused.
 */
export const withoutFieldGaps = ({ fields, ...help }: Help): Help => ({
  ...help,
  ...(fields && { fields: fields.map(({ gap: _, ...field }) => field) }),
});

const withoutExample = (hint: string) =>
  hint
    .split(/(?<=\.) /)
    .map((sentence) => sentence.replace(/, as the example does\.$/, '.'))
    .filter((sentence) => !/\bexample\b/.test(sentence))
    .join(' ') || 'Get a token with POST /api/auth.';
