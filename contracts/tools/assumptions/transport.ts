import type { ServiceName } from '../../documents/services.ts';
import { isRecord, type JsonReply } from '../json.ts';
import { type Alternative, alternativesOf } from './alternative.ts';
import { body, content, headers, withoutHeaders } from './changes.ts';
import { both, type Condition, has, when } from './conditions.ts';
import { without } from './values.ts';

/** Alternatives for what is around replies and webhooks, which are the same for both APIs. */

/** Changes each text in a value that is a time and nothing else. */
const times =
  (change: (time: string) => unknown) =>
  (value: unknown): unknown => {
    if (typeof value === 'string') return isTime.test(value) ? change(value) : value;
    if (Array.isArray(value)) return value.map(times(change));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, times(change)(held)]));
  };

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const timesIn = (change: (time: string) => unknown) => ({ reply: body(times(change)), message: content(times(change)) });

/** The only form of time that differs between the documents: cohesion's says that its times are ISO 8601. */
const numbers = { 'unix-seconds': timesIn((time) => Math.floor(Date.parse(time) / 1000)) };

const sentToken: Condition = ({ headers: asked }) => (asked.authorization ?? '') !== '';

const withHeader = (name: string, value: string) => headers((before) => (name in before ? { ...before, [name]: value } : before));

const withoutCharset = (reply: JsonReply): JsonReply =>
  withHeader('content-type', (reply.headers['content-type'] ?? '').replace(/; *charset=.*$/i, ''))(reply, {} as never);

const isSignature = (name: string) => name.toLowerCase() === 'x-service-signature';

/** Returns the alternatives for the gaps that both registers have. */
export const transportOf = (api: ServiceName): Alternative[] => [
  ...alternativesOf(`${api}.timestamps`, {
    'no-milliseconds': timesIn((time) => time.replace(/\.\d+/, '')),
    microseconds: timesIn((time) => time.replace(/\.(\d{3})(?=\D)/, '.$1000')),
    offset: timesIn((time) => time.replace(/Z$/, '+00:00')),
    ...(api === 'pos' && numbers),
  }),
  ...alternativesOf(`${api}.cache-control`, {
    none: { reply: withoutHeaders('cache-control') },
    'no-cache-private': { reply: withHeader('cache-control', 'no-cache, private') },
  }),
  ...alternativesOf(`${api}.www-authenticate`, {
    none: { reply: when(has(401), withoutHeaders('www-authenticate')) },
    'with-error': { reply: when(both(has(401), sentToken), withHeader('www-authenticate', 'Bearer error="invalid_token"')) },
  }),
  ...alternativesOf(`${api}.reply-charset`, { none: { reply: withoutCharset } }),
  ...alternativesOf(`${api}.signature-hex`, {
    'upper-case': {
      message: (message) => {
        const name = Object.keys(message.metadata).find(isSignature);
        if (name === undefined) return message;
        const upper = String(message.metadata[name]).replace(/(?<=^sha256=)[0-9a-f]+$/, (hex) => hex.toUpperCase());
        return { ...message, metadata: { ...without(message.metadata, name), [name]: upper } };
      },
    },
  }),
];
