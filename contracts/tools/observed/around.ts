import type { ServiceName } from '../../documents/services.ts';
import { isRecord } from '../json.ts';
import { choice, excludes, type Finding, nothing, other, type Recogniser, type SeenCall, shows } from './finding.ts';
import { isOn, isSuccess, isText, tokenOf } from './look.ts';

/** What is around replies, which is the same for both APIs. */

/** Tokens may be forbidden to be cached whatever the rest of the API does (RFC 6749). */
const isOfToken = (call: SeenCall) => isOn(call, 'POST /auth');

const caching =
  (gap: string): Recogniser =>
  (call) => {
    if (!isSuccess(call) || isOfToken(call)) return nothing;
    const { 'cache-control': value, etag } = call.reply.headers;
    if (value === undefined) return etag === undefined ? shows(gap, 'none', 'a reply has no Cache-Control') : nothing;
    const said = value.toLowerCase().split(/\s*,\s*/);
    if (said.includes('no-store')) return shows(gap, choice, 'a reply has Cache-Control: no-store');
    return said.includes('no-cache') && said.includes('private')
      ? shows(gap, 'no-cache-private', 'a reply has Cache-Control: no-cache, private')
      : shows(gap, other, 'a reply has another Cache-Control');
  };

/** A service that takes its token in another header need not say Bearer, so a call with Bearer must have succeeded. */
const challenge =
  (gap: string): Recogniser =>
  (call, earlier) => {
    const token = tokenOf(call);
    if (call.reply.status !== 401 || isOfToken(call) || (token !== 'bearer' && token !== 'none')) return nothing;
    if (!earlier.some((one) => isSuccess(one) && tokenOf(one) === 'bearer')) return nothing;
    const value = call.reply.headers['www-authenticate']?.trim();
    if (value === undefined) return shows(gap, 'none', 'a 401 has no WWW-Authenticate');
    if (token === 'none')
      return /^Bearer$/i.test(value) ? excludes(gap, ['none'], 'a 401 has WWW-Authenticate: Bearer') : nothing;
    if (/^Bearer$/i.test(value)) return shows(gap, choice, 'a 401 to a token has WWW-Authenticate: Bearer, and nothing more');
    return /^Bearer\b.*\berror="?invalid_token/i.test(value)
      ? shows(gap, 'with-error', 'a 401 to a token has WWW-Authenticate with an error')
      : nothing;
  };

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
  const ways = timesIn(value).flatMap((time) => {
    const isNumber = api === 'pos' && Number.isInteger(time) && Number(time) > 1e9 && Number(time) < 1e10;
    if (isNumber) return 'unix-seconds';
    const way = isText(time) && forms.find(([, form]) => form.test(time))?.[0];
    return way ? [way] : [];
  });
  return [...new Set(ways)].flatMap((way) => shows(timestampGaps[api], way, 'a time has the form of this choice'));
}

const timestampGaps = { pos: 'pos.timestamps', cohesion: 'cohesion.timestamps' };

const timestamps =
  (api: ServiceName): Recogniser =>
  (call) =>
    isSuccess(call) ? timeFindings(api, call.reply.body) : nothing;

const accept =
  (gap: string): Recogniser =>
  (call) => {
    const { accept: wanted = '' } = call.asked.headers;
    if (wanted === '' || /json|\*\/\*/.test(wanted)) return nothing;
    if (call.reply.status === 406) return shows(gap, '406', 'another Accept is answered with 406');
    return isSuccess(call) ? excludes(gap, ['406'], 'another Accept is answered') : nothing;
  };

export const around: Readonly<Record<ServiceName, readonly Recogniser[]>> = {
  pos: [caching('pos.cache-control'), challenge('pos.www-authenticate'), timestamps('pos'), accept('pos.accept-header')],
  cohesion: [
    caching('cohesion.cache-control'),
    challenge('cohesion.www-authenticate'),
    timestamps('cohesion'),
    accept('cohesion.accept-header'),
  ],
};
