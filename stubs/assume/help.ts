import type { ServiceName } from '../../contracts/documents/services.ts';
import { listOf } from '../../contracts/gaps/is/values.ts';
import { fieldsOf, type JsonReply } from '../../contracts/json.ts';
import { type Detail, Refusal, type RefusalKind } from '../../gateway/base/errors.ts';
import type { Help } from '../help/help.ts';

const kinds: Readonly<Record<number, RefusalKind>> = { 401: 'unauthorized', 403: 'forbidden', 404: 'not_found', 409: 'conflict' };

const kindOf = (status: number): RefusalKind => kinds[status] ?? 'invalid';

/** Returns the refusal that an alternative's reply shows; undefined if its body has not the reference's shape. */
export function refusalIn(api: ServiceName, { status, body }: JsonReply): Refusal | undefined {
  const { error, message, errors } = fieldsOf(body);
  const { code, message: text, details } = fieldsOf(error);
  if (api === 'pos') {
    if (typeof text !== 'string' || typeof code !== 'string') return undefined;
    return new Refusal(kindOf(status), code, text, { details: listOf(details) as Detail[] });
  }
  if (typeof message !== 'string') return undefined;
  const named = Object.entries(fieldsOf(errors)).map(([field, texts]) => ({
    field,
    rule: 'invalid_value',
    message: String(listOf(texts)[0]),
  }));
  return new Refusal(kindOf(status), 'invalid_request', message, { details: named });
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
