import type { ServiceName } from '../../../spec/documents/services.ts';
import type { GapAlternative } from '../../../spec/gaps/gap.ts';
import { findGap } from '../../../spec/gaps/gaps.ts';
import { create } from '../../../spec/gaps/is/cohesion.ts';
import { sales, token } from '../../../spec/gaps/is/pos.ts';
import { isRecord } from '../../../spec/json.ts';
import { operationsOf } from '../../../spec/openapi/operations.ts';
import { aboutRepeats, type SeenCall } from './call.ts';
import { asked, choice, type Finding, finding, not, nothing, other, type Recogniser, rule } from './finding.ts';
import { refusal, refused } from './refused.ts';

/** What both APIs leave open in the same form. */

/** RFC 6749 forbids the caching of tokens, so their replies say nothing about the rest of the API. */
const isOfToken = (call: SeenCall) => call.isOn(token);

/** The form of a time: its digits are zeros. */
const formOf = (time: unknown) => JSON.stringify(time)?.replace(/\d/g, '0');
const ours = '2026-11-21T08:53:00.000Z';

/** The values of a reply's fields that are times by their names: created_at, lastUsedAt. */
function timesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(timesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => (/(_at|[a-z]At)$/.test(name) ? [held] : timesIn(held)));
}

export function timeFindings(api: ServiceName, value: unknown): Finding[] {
  const gap = `${api}.timestamps`;
  const under = ({ id, is = [] }: GapAlternative) =>
    [is].flat().map(({ message }) => [formOf(message?.({ event: '', metadata: {}, body: ours }).body), id] as const);
  const ways = new Map([[formOf(ours), choice], ...(findGap(gap)?.alternatives ?? []).flatMap(under)]);
  const seen = new Set(timesIn(value).map((time) => ways.get(formOf(time))));
  return [...seen].flatMap((way) => (way ? finding(gap, way, 'a time is written in this form') : nothing));
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
  // A service that takes its token in another header need not say Bearer. So a call with Bearer must have succeeded before.
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
    if (/\bno-store\b/i.test(value)) return [choice, 'a reply has Cache-Control: no-store'];
    return /\bno-cache\b/i.test(value) && /\bprivate\b/i.test(value)
      ? ['no-cache-private', 'a reply has Cache-Control: no-cache, private']
      : [other, 'a reply has another Cache-Control'];
  }),
];
