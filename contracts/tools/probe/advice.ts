import { isDeepStrictEqual } from 'node:util';
import { harmlessChanges } from '../../../spec/gaps/harmless.ts';
import { isRecord } from '../../../spec/json.ts';
import type { Candidate, Difference, Shown } from './types.ts';

/** Advice for more operations would be longer than anybody reads. */
const advised = 3;

/** Advice for code that depends on an alternative. Where operations differ in different ways, advice names them. */
export function adviceOf({ gap, settledBy, question }: Candidate, differences: readonly Difference[]): string {
  if (settledBy === 'owner') return `Ask the service's owner: ${question}`;
  const known = harmlessChanges[gap]?.why;
  if (known !== undefined) return known;
  const whole = differences.filter(({ before, after }) => before && after);
  const byText = Map.groupBy(whole.length > 0 ? whole : [differences[0] ?? { where: '' }], adviceFor);
  const named = [...byText].map(([text, own]) =>
    byText.size === 1 ? text : `${own.map(({ where }) => where).join(', ')}: ${text}`,
  );
  return named.slice(0, advised).join(' ');
}

/** Advice for code that depends on a choice: sentences about the first difference. */
export function adviceFor({ where, before, after }: Difference): string {
  if (before === undefined || after === undefined)
    return `Write ${where.startsWith('webhook') ? 'the receiver' : 'the client'} so that it works with either choice, or ask the service's owner which one holds.`;
  const whole = before.status === undefined ? 'the webhook' : 'the reply';
  const sentences = [...statusAdvice(before, after), ...headerAdvice(before, after, whole), ...bodyAdvice(before, after, whole)];
  return sentences.slice(0, 3).join(' ') || 'Do not rely on the exact text of the reply: compare the values that you need.';
}

const isSuccess = ({ status = 200 }: Shown) => status < 400;

function statusAdvice(before: Shown, after: Shown): string[] {
  const [one, other] = [before.status, after.status];
  if (one === other) return [];
  if (isSuccess(before))
    return isSuccess(after)
      ? [`Accept every status from 200 to 299 as a success, not ${one} only: the service may answer ${other}.`]
      : [
          `The service may refuse this request with ${other}: send it so that both readings of the document accept it, and handle the refusal.`,
        ];
  return isSuccess(after)
    ? [`Do not count on the refusal (${one}): the service may accept the request with ${other}. Check it before you send it.`]
    : [`Treat every status from 400 to 499 as a refusal, not ${one} only: the service may answer ${other}.`];
}

function headerAdvice(before: Shown, after: Shown, whole: string): string[] {
  return Object.keys(before.headers).flatMap((name) => {
    const [one, other] = [before.headers[name], after.headers[name]];
    if (other === undefined) return [`Do not require the header ${name}: ${whole} may come without it.`];
    if (one !== other && name === 'content-type')
      return [`Accept other media types than ${one}, such as ${other}: look at its first part, and ignore parameters.`];
    return one === other ? [] : [`Do not rely on the value of the header ${name}: it may have another form.`];
  });
}

function bodyAdvice(before: Shown, after: Shown, whole: string): string[] {
  const [one, other] = [before.body, after.body];
  if (isDeepStrictEqual(one, other)) return [];
  if (one !== undefined && other === undefined) return [`Do not require a body: ${whole} may have none.`];
  if (!isSuccess(before) || !isSuccess(after))
    return before.status === after.status
      ? ['Decide by the status of a refusal, not by the fields or the words of its body.']
      : [];
  if ((isRecord(one) && isDeepStrictEqual(one.data, other)) || (isRecord(other) && isDeepStrictEqual(other.data, one)))
    return ['Read the record from `data` if the body has it, and otherwise from the body itself.'];
  return [...differences(one, other, '')].slice(0, 3);
}

function* differences(one: unknown, other: unknown, path: string): Generator<string> {
  if (isDeepStrictEqual(one, other)) return;
  if (isRecord(one) && isRecord(other)) return yield* fieldDifferences(one, other, path);
  const named = path === '' ? 'the body' : `\`${path}\``;
  if (Array.isArray(one) && Array.isArray(other)) return yield* listDifferences(one, other, path, named);
  if (typeOf(one) !== typeOf(other))
    return yield `Expect that ${named} may be ${typeOf(other)} in place of ${typeOf(one)}, and read both.`;
  if (typeof one === 'string' && typeof other === 'string' && isTime(one) && isTime(other))
    return yield `Parse ${named} with a library that reads every form of ISO 8601, not by the positions of its characters.`;
  if (typeof one === 'number')
    return yield `Do not compare ${named} with an exact number: the service may count it otherwise, or in another unit.`;
  yield `Do not compare ${named} with an exact text: the service may use other words or forms.`;
}

function* fieldDifferences(one: Record<string, unknown>, other: Record<string, unknown>, path: string): Generator<string> {
  const missing = Object.keys(one).filter((name) => !Object.hasOwn(other, name));
  const added = Object.keys(other).filter((name) => !Object.hasOwn(one, name));
  const at = (names: readonly string[]) =>
    names
      .slice(0, 4)
      .map((name) => `\`${path === '' ? name : `${path}.${name}`}\``)
      .join(', ') + (names.length > 4 ? ` and ${names.length - 4} more` : '');
  if (missing.length > 0 && added.length > 0)
    yield `Read ${at(missing)} in one place of your code, where other names (such as ${at(added)}) can be added: the document shows none.`;
  else if (missing.length > 0) yield `Do without ${at(missing)}: read ${missing.length > 1 ? 'them' : 'it'} only if present.`;
  else if (added.length > 0) yield `Ignore fields that you do not know, such as ${at(added)}.`;
  for (const name of Object.keys(one))
    if (Object.hasOwn(other, name)) yield* differences(one[name], other[name], path === '' ? name : `${path}.${name}`);
}

function* listDifferences(one: unknown[], other: unknown[], path: string, named: string): Generator<string> {
  if (one.length !== other.length)
    yield `Do not take ${named} for the whole list, nor its length for a fixed number: follow the pages until there are no more.`;
  const [first, second] = [one[0], other[0]];
  if (isRecord(first) && isRecord(second)) yield* fieldDifferences(first, second, `${path}[]`);
}

const isTime = (text: string) => /^\d{4}-\d{2}-\d{2}/.test(text);

const typeNames: Readonly<Record<string, string>> = { undefined: 'absent', object: 'an object' };

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : (typeNames[typeof value] ?? `a ${typeof value}`);
