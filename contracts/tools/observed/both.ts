import type { ServiceName } from '../../documents/services.ts';
import { create } from '../../gaps/is/cohesion.ts';
import { sales, token } from '../../gaps/is/pos.ts';
import { isRecord } from '../../json.ts';
import { operationsOf } from '../../openapi/operations.ts';
import { aboutRepeats, isText, type SeenCall } from './call.ts';
import { asked, choice, type Finding, finding, not, nothing, other, type Recogniser, rule } from './finding.ts';
import { refusal, refused } from './refused.ts';

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

export const bothOf = (api: ServiceName): Recogniser[] => [
  refused(`${api}.unknown-method`, [
    'a known path with another method is',
    refusal(404, 'unknown_operation', 'This path takes GET.'),
    (call) => !call.servedBy(api) && operationsOf(api).some(({ path }) => path === call.asked.path),
  ]),
  ...[413, 415].map((status) =>
    refused(`${api}.transport-statuses`, ['a call is', refusal(status), (call) => call.status === status && call.servedBy(api)]),
  ),
  // A service that takes its token in another header need not say Bearer, so a call with Bearer must have succeeded.
  rule(`${api}.www-authenticate`, (call, earlier) => {
    const { token, status } = call;
    if (status !== 401 || isOfToken(call) || (token !== 'bearer' && token !== 'none')) return undefined;
    if (!earlier.some((one) => one.isSuccess && one.token === 'bearer')) return undefined;
    const value = call.reply.headers['www-authenticate']?.trim();
    if (value === undefined) return ['none', 'a 401 has no WWW-Authenticate'];
    if (token === 'none') return [not('none'), 'a 401 has WWW-Authenticate'];
    if (/^Bearer$/i.test(value)) return [choice, 'a 401 to a token has WWW-Authenticate: Bearer, and nothing more'];
    const hasError = /^Bearer\b.*\berror="?invalid_token/i.test(value);
    return hasError && ['with-error', 'a 401 to a token has WWW-Authenticate with an error'];
  }),
  (call) => (call.isSuccess ? timeFindings(api, call.reply.body) : nothing),
  // A sale or financing that is sent again without a key, soon after the first.
  asked([sales, create], `${api}.repeated-post`, (call, earlier) => {
    const isAgain = earlier.slice(-3).some((one) => one.isSuccess && call.isLike(one));
    if (!isAgain || call.idempotencyKey !== undefined) return undefined;
    if (call.isSuccess) return [not('refused'), 'a call that is sent again is carried out again'];
    return call.isInvalid && call.says(aboutRepeats) && ['refused', 'a call that is sent again is refused'];
  }),
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
