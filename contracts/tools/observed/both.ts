import type { ServiceName } from '../../documents/services.ts';
import { findGap } from '../../gaps/gaps.ts';
import { token } from '../../gaps/is/pos.ts';
import { isRecord } from '../../json.ts';
import { operationsOf } from '../../openapi/operations.ts';
import { isText, type SeenCall } from './call.ts';
import { choice, type Finding, finding, not, nothing, other, type Recogniser, rule } from './finding.ts';

/** What both APIs leave open in the same form. */

/** Tokens may be forbidden to be cached whatever the rest of the API does (RFC 6749). */
const isOfToken = (call: SeenCall) => call.isOn(token);

const forms: readonly [way: string, form: RegExp][] = [
  [choice, /T\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['no-milliseconds', /T\d\d:\d\d:\d\dZ$/],
  ['microseconds', /T\d\d:\d\d:\d\d\.\d{6}Z$/],
  ['offset', /T\d\d:\d\d:\d\d\.\d{3}\+00:00$/],
];

/** The values of a reply's fields that are times by their names: created_at, lastUsedAt. */
function timesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(timesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => (/(_at|[a-z]At)$/.test(name) ? [held] : timesIn(held)));
}

/** What the times in a reply or in the payload of a webhook say. */
export function timeFindings(api: ServiceName, value: unknown): Finding[] {
  const ways = timesIn(value).map((time) => {
    const isNumber = api === 'pos' && Number.isInteger(time) && Number(time) > 1e9 && Number(time) < 1e10;
    return isNumber ? 'unix-seconds' : isText(time) && forms.find(([, form]) => form.test(time))?.[0];
  });
  return [...new Set(ways)].flatMap((way) =>
    way ? finding(`${api}.timestamps`, way, 'a time has the form of this choice') : nothing,
  );
}

/** The ids of an entry's alternatives. */
const waysOf = (gap: string): string[] => (findGap(gap)?.alternatives ?? []).map(({ id }) => id);

const refusalsOf = (api: ServiceName): Recogniser[] => [
  rule(`${api}.unknown-method`, (call) => {
    const isKnownPath = operationsOf(api).some(({ path }) => path === call.asked.path) && !call.servedBy(api);
    if (!isKnownPath || ['HEAD', 'OPTIONS', 'TRACE'].includes(call.method)) return undefined;
    if (call.status === 405) return ['405', 'a known path with another method is answered with 405'];
    return call.status === 404 && [choice, 'a known path with another method is answered with 404'];
  }),
  rule(`${api}.transport-statuses`, (call) => {
    const isOfTransport = [413, 415].includes(call.status) && call.servedBy(api) !== undefined;
    return isOfTransport && [not(...waysOf(`${api}.transport-statuses`)), `a call is answered with ${call.status}`];
  }),
  // A service that takes its token in another header need not say Bearer, so a call with Bearer must have succeeded.
  rule(`${api}.www-authenticate`, (call, earlier) => {
    const { token, status } = call;
    if (status !== 401 || isOfToken(call) || (token !== 'bearer' && token !== 'none')) return undefined;
    if (!earlier.some((one) => one.isSuccess && one.token === 'bearer')) return undefined;
    const value = call.reply.headers['www-authenticate']?.trim();
    if (value === undefined) return ['none', 'a 401 has no WWW-Authenticate'];
    const isPlain = /^Bearer$/i.test(value);
    if (token === 'none') return isPlain && [not('none'), 'a 401 has WWW-Authenticate: Bearer'];
    if (isPlain) return [choice, 'a 401 to a token has WWW-Authenticate: Bearer, and nothing more'];
    const hasError = /^Bearer\b.*\berror="?invalid_token/i.test(value);
    return hasError && ['with-error', 'a 401 to a token has WWW-Authenticate with an error'];
  }),
];

export const bothOf = (api: ServiceName): Recogniser[] => [
  ...refusalsOf(api),
  (call) => (call.isSuccess ? timeFindings(api, call.reply.body) : nothing),
  rule(`${api}.cache-control`, (call) => {
    const { 'cache-control': value, etag } = call.reply.headers;
    if (!call.isSuccess || isOfToken(call)) return undefined;
    if (value === undefined) return etag === undefined && ['none', 'a reply has no Cache-Control'];
    const said = value.toLowerCase().split(/\s*,\s*/);
    if (said.includes('no-store')) return [choice, 'a reply has Cache-Control: no-store'];
    return said.includes('no-cache') && said.includes('private')
      ? ['no-cache-private', 'a reply has Cache-Control: no-cache, private']
      : [other, 'a reply has another Cache-Control'];
  }),
];
