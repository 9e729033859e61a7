import { fieldsOf, isRecord, type Json, type JsonReply } from '../../json.ts';
import {
  body,
  content,
  data,
  headers,
  limitHeaders,
  of,
  on,
  payload,
  records,
  sequence,
  status,
  withoutHeaders,
} from './changes.ts';
import { both, type Condition, has, isError, sent, when } from './conditions.ts';
import type { Is, Shape } from './is.ts';
import { textsIn, type ValueChange, without } from './values.ts';

/** What alternatives of both APIs do. */

export const recordOf = (operation: string | readonly string[], change: ValueChange): Is => ({
  at: 'names',
  reply: on(operation, records(change)),
});

export const valuesIn = (operation: string | readonly string[], change: (value: unknown) => unknown): Is => ({
  at: 'values',
  reply: on(operation, data(change)),
  message: payload(change),
});

export const bodyOf = (operation: string | readonly string[], change: ValueChange): Is => ({
  at: 'envelope',
  reply: on(operation, body(change)),
});

export const bare = (operation: string | readonly string[]): Is => bodyOf(operation, (held) => fieldsOf(held).data);

export const succeedsWith = (operation: string, code: number): Is => ({ at: 'status', reply: on(operation, status(code)) });

export const payloadOf = (event: string, change: (data: Json) => unknown): Is => ({
  at: 'names',
  message: of(
    event,
    payload((data) => change(fieldsOf(data))),
  ),
});

export const ignoresUnknownParameters: Is = {
  at: 'outcome',
  request: ({ query }, { parameters } = {}) =>
    parameters && { query: Object.fromEntries(Object.entries(query).filter(([name]) => parameters.includes(name))) },
};

/** Drops the body fields that the operation does not have, at any depth. */
export const ignoresUnknownFields: Is = {
  at: 'outcome',
  request: ({ body: fields }, { bodyShape } = {}) =>
    bodyShape && isRecord(fields) ? { body: knownFields(fields, bodyShape) } : undefined,
};

function knownFields(value: unknown, { properties, items }: Shape): unknown {
  if (Array.isArray(value) && items) return value.map((one) => knownFields(one, items));
  if (!isRecord(value) || !properties) return value;
  const kept = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(kept.map(([name, held]) => [name, knownFields(held, properties[name] as Shape)]));
}

/** Changes fields of the bodies of these operations before validation. */
export const sentOtherwise = (operation: string | readonly string[], change: (fields: Json) => Json | undefined): Is => ({
  at: 'outcome',
  request(asked) {
    const changed = [operation].flat().includes(asked.operation) ? change(sent(asked)) : undefined;
    return changed && { body: { ...sent(asked), ...changed } };
  },
});

export const says = (code: number, ...conditions: Condition[]): Is => ({
  at: 'status',
  reply: when(both(isError, ...conditions), status(code)),
});

/** A path that takes GET takes HEAD too. */
export const methodNotAllowed: Is = {
  at: 'status',
  reply(reply, { operation, methods = [] }) {
    const isTaken = methods.some((method) => operation.startsWith(`${method} `));
    if (reply.status !== 404 || methods.length === 0 || isTaken) return reply;
    const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    return { ...reply, status: 405, headers: { ...reply.headers, allow } };
  },
};

/** A limit is answered with this status, and no reply has its headers. */
export const overLimit = (code: number): Is => ({
  at: 'status',
  reply: sequence(withoutHeaders(...limitHeaders), when(has(429), sequence(status(code), withoutHeaders('retry-after')))),
});

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function timesIn(change: (time: string) => unknown): Is {
  const times = (held: unknown) => textsIn(held, (text) => (isTime.test(text) ? change(text) : text));
  return { at: 'values', reply: body(times), message: content(times) };
}

export const withoutMilliseconds = timesIn((time) => time.replace(/\.\d+/, ''));
export const withMicroseconds = timesIn((time) => time.replace(/\.(\d{3})(?=\D)/, '.$1000'));
export const withOffset = timesIn((time) => time.replace(/Z$/, '+00:00'));
export const inUnixSeconds = timesIn((time) => Math.floor(Date.parse(time) / 1000));

const sentToken: Condition = ({ headers: asked }) => (asked.authorization ?? '') !== '';

const withHeader = (name: string, value: string) => headers((before) => (name in before ? { ...before, [name]: value } : before));

export const withoutCacheControl: Is = { at: 'status', reply: withoutHeaders('cache-control') };
export const noCachePrivate: Is = { at: 'status', reply: withHeader('cache-control', 'no-cache, private') };

/** Before the status of a 401 becomes another. */
export const withoutChallenge: Is = { at: 'outcome', reply: when(has(401), withoutHeaders('www-authenticate')) };
export const challengeWithError: Is = {
  at: 'outcome',
  reply: when(both(has(401), sentToken), withHeader('www-authenticate', 'Bearer error="invalid_token"')),
};

export const withoutCharset: Is = {
  at: 'status',
  reply: (reply: JsonReply, asked) =>
    withHeader('content-type', (reply.headers['content-type'] ?? '').replace(/; *charset=.*$/i, ''))(reply, asked),
};

export const standardHeaders: readonly string[] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const isSignature = (name: string) => name.toLowerCase() === 'x-service-signature';

export const upperCaseSignature: Is = {
  at: 'status',
  message: (message) => {
    const name = Object.keys(message.metadata).find(isSignature);
    if (name === undefined) return message;
    const upper = String(message.metadata[name]).replace(/(?<=^sha256=)[0-9a-f]+$/, (hex) => hex.toUpperCase());
    return { ...message, metadata: { ...without(message.metadata, name), [name]: upper } };
  },
};
