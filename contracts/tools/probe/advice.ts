import { isDeepStrictEqual } from 'node:util';
import { harmlessChanges } from '../../../spec/gaps/harmless.ts';
import { fieldsOf } from '../../../spec/json.ts';
import { firstOf } from '../reports/plain.ts';
import { placesOf } from './differences.ts';
import type { Candidate, Difference, Shown } from './types.ts';

/** More sentences would be longer than anybody reads. */
const advised = 3;

/** What to do about an alternative under which tests fail, by its first difference that shows both sides. */
export function adviceOf({ gap, settledBy, question }: Candidate, differences: readonly Difference[]): string {
  if (settledBy === 'owner') return `Ask the service's owner: ${question}`;
  const known = harmlessChanges[gap]?.why;
  if (known !== undefined) return known;
  const { where = '', before, after } = differences.find((one) => one.before) ?? differences[0] ?? {};
  const [whole, reader] = where.startsWith('webhook') ? ['the webhook', 'the receiver'] : ['the reply', 'the client'];
  if (before === undefined || after === undefined)
    return `Write ${reader} so that it works with either choice, or ask the service's owner which one holds.`;
  const headers = Object.entries(before.headers).map(([name, value]) => {
    const other = after.headers[name];
    if (other === undefined) return `Do not require the header ${name}: ${whole} may come without it.`;
    return `Do not compare the header ${name} with ${value}: it may be ${other}.`;
  });
  return [...statusAdvice(before, after), ...headers, ...bodyAdvice(before, after, whole)].slice(0, advised).join(' ');
}

const isSuccess = ({ status = 200 }: Shown) => status < 400;

function statusAdvice(before: Shown, after: Shown): string[] {
  const [one, other] = [before.status, after.status];
  if (one === other) return [];
  if (isSuccess(before) && isSuccess(after))
    return [`Accept every status from 200 to 299 as a success, not ${one} only: the service may answer ${other}.`];
  if (isSuccess(before))
    return [`Send the request so that both readings of the document accept it: the service may refuse it with ${other}.`];
  if (isSuccess(after)) return [`Do not count on the refusal (${one}): the service may accept the request with ${other}.`];
  return [`Treat every status from 400 to 499 as a refusal, not ${one} only: the service may answer ${other}.`];
}

function bodyAdvice(before: Shown, after: Shown, whole: string): string[] {
  const [one, other] = [before.body, after.body];
  if (isDeepStrictEqual(one, other)) return [];
  if (other === undefined) return [`Do not require a body: ${whole} may have none.`];
  if (!isSuccess(before) || !isSuccess(after))
    return before.status === after.status
      ? ['Decide by the status of a refusal, not by the fields or the words of its body.']
      : [];
  if (isDeepStrictEqual(fieldsOf(one).data, other) || isDeepStrictEqual(fieldsOf(other).data, one))
    return ['Read the record from `data` if the body has it, and otherwise from the body itself.'];
  const byKind = Map.groupBy(placesOf(one, other), ({ before: own, after: its }) => {
    if (own === undefined || its === undefined) return its === undefined ? 'missing' : 'added';
    return typeof own === 'string' && /^\d{4}-\d\d-\d\dT/.test(own) ? 'time' : 'changed';
  });
  // Rows of a list are alike, so that a place in one stands for the place in all.
  const named = (kind: 'missing' | 'added' | 'time' | 'changed') => {
    const paths = byKind.get(kind)?.map(({ path }) => (path === '' ? 'the body' : `\`${path.replaceAll(/\d+(?=\])/g, '')}\``));
    return firstOf([...new Set(paths)], 4);
  };
  return [
    ...(byKind.has('missing') ? [`Do without ${named('missing')}: read only what is present.`] : []),
    ...(byKind.has('added') ? [`Ignore fields that you do not know, such as ${named('added')}.`] : []),
    ...(byKind.has('time') ? [`Parse ${named('time')} with a library that reads every form of ISO 8601.`] : []),
    ...(byKind.has('changed') ? [`Expect another form or value of ${named('changed')}.`] : []),
  ];
}
