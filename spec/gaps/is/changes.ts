/** Building blocks for alternatives: changes of replies and messages. */

import { createRequire } from 'node:module';
import { fieldsOf, isRecord, type Json } from '../../json.ts';
import { both, isOperation, succeeds, when } from './conditions.ts';
import type { Asked, JsonMessage, MessageChange, ReplyChange } from './is.ts';
import { type ValueChange, without } from './values.ts';

/** Changes the successful replies of these operations. */
export const on = (operations: string | readonly string[], change: ReplyChange): ReplyChange =>
  when(both(succeeds, isOperation(...[operations].flat())), change);

export const sequence =
  (...changes: ReplyChange[]): ReplyChange =>
  (reply, asked) =>
    changes.reduce((changed, change) => change(changed, asked), reply);

// An `import` of node:http would load all of it, Node's own undici included, into every stub.
export const { STATUS_CODES } = createRequire(import.meta.url)('node:http') as typeof import('node:http');

export const status =
  (code: number): ReplyChange =>
  (reply) => ({ ...reply, status: code });

export const body =
  (change: ValueChange): ReplyChange =>
  (reply, asked) => ({ ...reply, body: change(reply.body, asked) });

export const data = (change: ValueChange): ReplyChange => body(inData(change));

const inData =
  (change: ValueChange) =>
  (value: unknown, asked?: Asked): unknown =>
    isRecord(value) && 'data' in value ? { ...value, data: change(value.data, asked) } : value;

/** Changes the record in `data`, or each record of the list. */
export const records = (change: ValueChange): ReplyChange =>
  data((held, asked) => (Array.isArray(held) ? held.map((one) => change(one, asked)) : change(held, asked)));

export const noBody: ReplyChange = ({ status: code, headers }) => ({
  status: code,
  headers: without(headers, 'content-type'),
  body: undefined,
});

export const headers =
  (change: (before: Record<string, string>) => Record<string, string>): ReplyChange =>
  (reply) => ({ ...reply, headers: change(reply.headers) });

export const withoutHeaders = (...names: string[]): ReplyChange => headers((before) => without(before, ...names));

export const limitHeaders = ['limit', 'remaining', 'reset', 'policy'].map((of) => `ratelimit-${of}`).concat('ratelimit');

/** Returns the message of an error body in the shape of either API. */
export function messageIn(held: unknown): string {
  const { message, error } = fieldsOf(held);
  return String(message ?? fieldsOf(error).message ?? '');
}

/** Replaces an error body by problem details (RFC 9457). */
export const problemDetails: ReplyChange = (reply) => ({
  status: reply.status,
  headers: { ...reply.headers, 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', title: STATUS_CODES[reply.status], status: reply.status, detail: messageIn(reply.body) },
});

export const of =
  (events: string | readonly string[], change: MessageChange): MessageChange =>
  (message) =>
    [events].flat().includes(message.event) ? change(message) : message;

export const content =
  (change: (value: unknown) => unknown): MessageChange =>
  (message) => ({ ...message, body: change(message.body) });

export const payload = (change: (value: unknown) => unknown): MessageChange => content(inData(change));

/** Removes the headers for whose lower-case name `isSignature` returns true. */
export const unsigned =
  (isSignature: (name: string) => boolean): MessageChange =>
  (message) => ({
    ...message,
    metadata: Object.fromEntries(Object.entries(message.metadata).filter(([name]) => !isSignature(name.toLowerCase()))),
  });

export const withMetadata =
  (more: (message: JsonMessage) => Json): MessageChange =>
  (message) => ({ ...message, metadata: { ...message.metadata, ...more(message) } });
