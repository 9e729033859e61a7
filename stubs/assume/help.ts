import type { Refused } from '../../contracts/gaps/is/is.ts';
import { listOf } from '../../contracts/gaps/is/values.ts';
import { wrongValue } from '../../contracts/gaps/is/wrong.ts';
import { fieldsOf, type JsonReply } from '../../contracts/json.ts';
import { Refusal, type RefusalKind } from '../../gateway/base/errors.ts';
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
 * Returns the help without what an active alternative makes wrong: the choice of its entry, and an example that might be refused. No
 * alternative is named, so the help of a refusal does not show which are active. `isRead`: requests are read otherwise, or a verb decides
 * otherwise, so that the example may be refused.
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

/** Under the choices of its fields, a refusal that only an alternative makes would not have been made. */
export const withoutFieldGaps = ({ fields, ...help }: Help): Help => ({
  ...help,
  ...(fields && { fields: fields.map(({ gap: _, ...field }) => field) }),
});

/** Leaves out what the hint says about the example. */
const withoutExample = (hint: string) =>
  hint
    .split(/(?<=\.) /)
    .map((sentence) => sentence.replace(/, as the example does\.$/, '.'))
    .filter((sentence) => !/\bexample\b/.test(sentence))
    .join(' ') || 'Get a token with POST /api/auth.';
