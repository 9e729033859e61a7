import { beforeAll, describe, expect, test } from 'vitest';
import { otherMessages } from '../../contracts/tools/assumptions/check.ts';
import { states } from '../../contracts/tools/states/register.ts';
import { documented } from '../../spec/documents/documented.ts';
import { type ServiceName, serviceNames } from '../../spec/documents/services.ts';
import { findAlternative, gaps } from '../../spec/gaps/gaps.ts';
import type { JsonMessage } from '../../spec/gaps/is/is.ts';
import { sessions } from './assumption-calls.ts';
import { type Exchange, exchangesOf, messageOf } from './assumption-samples.ts';
import { namedGaps } from './named-gaps.ts';

describe.each(serviceNames)('the alternatives of %s', (provider) => {
  const entries = gaps.filter(({ api }) => api === provider);
  const replies: Exchange[] = [];
  const messages: JsonMessage[] = [];

  beforeAll(async () => {
    for (const session of sessions[provider]) replies.push(...(await exchangesOf(provider, session)));
    for (const { name, event } of states[provider]) if (event) messages.push(await messageOf(provider, name));
  });

  /** The alternatives that change a reply or a message, and what they change. */
  const shown = () => [
    ...replies.flatMap(({ asked, others }) => Object.keys(others).map((name) => [name, asked.operation] as const)),
    ...messages.flatMap((message) => otherMessages(provider, message).map(([name]) => [name, message.event] as const)),
  ];

  test('each change a reply or a message, or have a reason why one cannot show them', () => {
    const changing = new Set(shown().map(([name]) => name));
    const missing = entries.flatMap(({ id, alternatives: choices, untestable }) =>
      choices.flatMap(({ id: alternative, notPlayed }) => {
        const name = `${id}=${alternative}`;
        return changing.has(name) || (untestable ?? notPlayed) !== undefined ? [] : name;
      }),
    );
    expect(missing).toEqual([]);
    const needless = entries.filter(
      ({ id, alternatives: choices, untestable }) =>
        untestable !== undefined && choices.every((one) => changing.has(`${id}=${one.id}`) && one.requestsDiffer === undefined),
    );
    // Except for these gaps, which also affect the client's request.
    const left = needless.filter(({ untestable = '' }) => !/client/.test(untestable));
    expect(left.map(({ id }) => id)).toEqual([]);
  });

  test('are named by the operation or event that they change, in its part of the OpenAPI document', () => {
    const named = namedGaps(provider);
    const missing = shown()
      .map(([name, subject]) => [subject, name.split('=')[0] ?? ''] as const)
      .filter(([subject, gap]) => named.has(subject) && !named.get(subject)?.has(gap));
    expect([...new Set(missing.map((pair) => pair.join(': ')))]).toEqual([]);
  });

  test('reach every status and every field that the document does not show', () => {
    const inReplies = replies.flatMap(({ reply, asked, others }) => {
      const subject = reply.status < 400 ? asked.operation : `${reply.status}: ${asked.operation}`;
      const changed = Object.entries(others).flatMap(([id, other]) => (findAlternative(id)?.requestsDiffer ? [] : other));
      return unchanged(reply, changed, ['status', 'body']).map((place) => [subject, place] as const);
    });
    const inMessages = messages.flatMap((message) => {
      const others = otherMessages(provider, message).map(([, other]) => other);
      return unchanged(message, others, ['body']).map((place) => [message.event, place] as const);
    });
    const untouched = [...inReplies, ...inMessages];
    expect(untouched.filter(([subject, place]) => !isDocumented(provider, subject, place))).toEqual([]);
  });
});

/** Returns the places of values below these fields that are the same under every alternative. */
const unchanged = <T extends object>(reply: T, others: readonly T[], names: readonly (keyof T & string)[]): string[] =>
  names
    .flatMap((name) => [...valuesIn(reply[name], [name])])
    .filter(([path, value]) => others.every((other) => valueAt(other, path) === value))
    .map(([path]) => path.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('.'));

/** Returns true if the document shows the place: it has a row for the field, or lists the status of the operation or refusal. */
function isDocumented(provider: ServiceName, subject: string, place: string): boolean {
  if (place === 'status')
    return /^(GET |POST \/auth|40[134]:)/.test(subject) || (provider === 'cohesion' && subject.startsWith('422:'));
  const name = place.replaceAll('.*', '').split('.').at(-1);
  return documented[provider].some(({ says }) => new RegExp(`(^|\\.)${name}(, [\\w.]+)* \\|`).test(says));
}

/** Yields every value that is no record and no list, with its path. */
function* valuesIn(value: unknown, path: readonly string[]): Generator<[readonly string[], unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value];
  else for (const [name, held] of Object.entries(value)) yield* valuesIn(held, [...path, name]);
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((held, name) => (held as Record<string, unknown> | undefined | null)?.[name], value);
