/** Changes of replies and messages, of which the alternatives are put together. */
import type { Asked, JsonMessage, MessageChange, ReplyChange } from './alternative.ts';
import { asks, both, succeeds, whenever } from './conditions.ts';
import { fieldsOf, having, isRecord, type Json, listOf, type ValueChange, without } from './values.ts';

/** A success of one of these operations. */
export const on = (operations: string | readonly string[], change: ReplyChange): ReplyChange =>
  whenever(both(succeeds, asks(...[operations].flat())), change);

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
