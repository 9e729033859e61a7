/** Small changes of replies and messages, of which the alternatives are put together. */
import type { Asked, JsonMessage, JsonReply, MessageChange, ReplyChange } from './alternative.ts';

export type Json = Record<string, unknown>;
export type ValueChange = (value: unknown, asked?: Asked) => unknown;
export type Test = (asked: Asked, reply: JsonReply) => boolean;

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of what may be a record. */
export const fieldsOf = (value: unknown): Json => (isRecord(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const without = (record: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

export const only =
  (...names: string[]) =>
  (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) : value;

export const omit =
  (...names: string[]) =>
  (value: unknown): unknown =>
    isRecord(value) ? without(value, ...names) : value;

/** Adds fields, or gives those that are there other values. */
export const having =
  (fields: Json | ((record: Json, asked?: Asked) => Json)) =>
  (value: unknown, asked?: Asked): unknown =>
    isRecord(value) ? { ...value, ...(typeof fields === 'function' ? fields(value, asked) : fields) } : value;

export const renamed = (from: string, to: string) => (value: unknown) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, held]) => [name === from ? to : name, held])) : value;

/** All names as another convention writes them (`store_id` as `StoreId`): no name stays the same. */
export function otherNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherNames);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [pascalCase(name), otherNames(held)]));
}

const pascalCase = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Changes each field of one of these names, however deep it lies. */
export const everywhere =
  (names: readonly string[], change: (value: unknown) => unknown) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(everywhere(names, change));
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([name, held]) => [
      name,
      names.includes(name) && !isRecord(held) ? change(held) : everywhere(names, change)(held),
    ]);
    return Object.fromEntries(entries);
  };

/** Leaves out each field of this name, however deep it lies. */
export const nowhere =
  (name: string) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(nowhere(name));
    return isRecord(value)
      ? Object.fromEntries(Object.entries(without(value, name)).map(([key, held]) => [key, nowhere(name)(held)]))
      : value;
  };

/** Other words for some values; those not named stay. */
export const reworded = (words: Record<string, string>) => (value: unknown) =>
  typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value;

export const scaled = (factor: number) => (value: unknown) => (typeof value === 'number' ? value * factor : value);

// Replies.

export const whenever =
  (test: Test, change: ReplyChange): ReplyChange =>
  (reply, asked) =>
    test(asked, reply) ? change(reply, asked) : reply;

/** A success of one of these operations. */
export const on = (operations: string | readonly string[], change: ReplyChange): ReplyChange =>
  whenever((asked, { status }) => status < 400 && [operations].flat().includes(asked.operation), change);

export const inTurn =
  (...changes: ReplyChange[]): ReplyChange =>
  (reply, asked) =>
    changes.reduce((changed, change) => change(changed, asked), reply);

export const status =
  (code: number): ReplyChange =>
  (reply) => ({ ...reply, status: code });

export const body =
  (change: ValueChange): ReplyChange =>
  (reply, asked) => ({ ...reply, body: change(reply.body, asked) });

/** What is under `data`. */
export const data = (change: ValueChange): ReplyChange => body(inData(change));

const inData =
  (change: ValueChange) =>
  (value: unknown, asked?: Asked): unknown =>
    isRecord(value) && 'data' in value ? { ...value, data: change(value.data, asked) } : value;

/** The record under `data`, or each of the list. */
export const records = (change: ValueChange): ReplyChange =>
  data((held, asked) => (Array.isArray(held) ? held.map((one) => change(one, asked)) : change(held, asked)));

/** A list's rows; the pagination block follows. */
export const rows = (change: (list: unknown[], asked: Asked) => unknown[]): ReplyChange =>
  whenever(
    (_, reply) => Array.isArray(fieldsOf(reply.body).data),
    (reply, asked) => {
      const before = listOf(fieldsOf(reply.body).data);
      const after = change(before, asked);
      const meta = having(({ total }) => ({ total: Number(total) - before.length + after.length }));
      return body(having(({ meta: block }) => ({ data: after, meta: meta(block) })))(reply, asked);
    },
  );

export const noBody: ReplyChange = ({ status: code, headers }) => ({
  status: code,
  headers: without(headers, 'content-type') as Record<string, string>,
  body: undefined,
});

export const headers =
  (change: (before: Record<string, string>) => Record<string, string>): ReplyChange =>
  (reply) => ({ ...reply, headers: change(reply.headers) });

export const withoutHeaders = (...names: string[]): ReplyChange =>
  headers((before) => without(before, ...names) as Record<string, string>);

export const limitHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;

/** A body of RFC 9457 in place of an error's own. */
export const problemDetails: ReplyChange = (reply) => ({
  status: reply.status,
  headers: { ...reply.headers, 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', title: 'Refused', status: reply.status, detail: 'What was asked cannot be done.' },
});

// Messages.

/** Messages of these events; of all where none is named. */
export const of =
  (events: string | readonly string[], change: MessageChange): MessageChange =>
  (message) =>
    [events].flat().includes(message.event) ? change(message) : message;

export const content =
  (change: (value: unknown) => unknown): MessageChange =>
  (message) => ({ ...message, body: change(message.body) });

export const payload = (change: (value: unknown) => unknown): MessageChange => content(inData(change));

/** Without the headers whose names a test accepts; names are compared in lower case. */
export const unsigned =
  (isSignature: (name: string) => boolean): MessageChange =>
  (message) => ({
    ...message,
    metadata: Object.fromEntries(Object.entries(message.metadata).filter(([name]) => !isSignature(name.toLowerCase()))),
  });

export const withMetadata =
  (more: (message: JsonMessage) => Json): MessageChange =>
  (message) => ({ ...message, metadata: { ...message.metadata, ...more(message) } });
