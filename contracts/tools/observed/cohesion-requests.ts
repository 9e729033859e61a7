import { isDeepStrictEqual } from 'node:util';
import { create, lists, stats, structures, update, writes } from '../../gaps/is/cohesion.ts';
import { listOf } from '../../gaps/is/values.ts';
import { fieldsOf } from '../../json.ts';
import { aboutRepeats, aboutUnknown, isText, type SeenCall } from './call.ts';
import { asked, choice, not, other, type Recogniser, rule, taken } from './finding.ts';
import { isFar } from './request-ways.ts';

/** What social cohesion accepts and refuses, and how often. */

const metaOf = ({ reply }: SeenCall) => fieldsOf(fieldsOf(reply.body).meta);
const isEmpty = ({ reply }: SeenCall) => listOf(fieldsOf(reply.body).data).length === 0;

const isCut = (value: string | undefined, most: number) => /^\d+$/.test(value ?? '') && (value === '0' || Number(value) > most);
const reading = [
  asked(lists, 'cohesion.page-parameter', (call, earlier) => {
    const { page = '', per_page: length } = call.query;
    if (!/^[1-9]\d*$/.test(page)) return undefined;
    const isAfter = (known: SeenCall) => Number(page) > Number(metaOf(known).last_page);
    if (call.isSuccess && isAfter(call) && isEmpty(call))
      return [not('404-past-last', 'cursor'), 'a page after the last is empty'];
    if (call.isSuccess)
      return page !== '1' && String(metaOf(call).page) === page && [not('cursor'), 'a page is asked for by page'];
    const known = earlier.findLast((one) => one.isOn(call.asked.operation) && one.isSuccess && one.query.per_page === length);
    const isMissing = call.status === 404 && known !== undefined && isAfter(known);
    return isMissing && ['404-past-last', 'a page after the last is answered with 404'];
  }),
  taken(structures, 'cohesion.structures-per-page', (call) => {
    const { per_page: length = '' } = call.query;
    const shown = String(metaOf(call).per_page);
    if (!/^[1-9]\d*$/.test(length) || isCut(length, 100) || length === '25') return undefined;
    if (shown === length) return [choice, 'structures take per_page'];
    return shown === '25' && ['always-25', 'structures are always 25 on a page'];
  }),
  asked(stats, 'cohesion.annee-values', (call, earlier) => {
    const { annee = '' } = call.query;
    if (!/^\d{4}$/.test(annee) || !isFar(Number(annee))) return undefined;
    if (call.isSuccess) return [not('past-or-current', 'unknown-404'), 'statistics of a far year are answered'];
    if (call.isRefusedFor('annee')) return ['past-or-current', 'a far year is refused'];
    const isServed = earlier.some((one) => one.isOn(stats) && one.isSuccess);
    return call.status === 404 && isServed && ['unknown-404', 'statistics of a far year are answered with 404'];
  }),
  taken(lists, 'cohesion.empty-last-page', (call) => {
    const { total, last_page: last } = metaOf(call);
    if (total !== 0 || !Array.isArray(fieldsOf(call.reply.body).data) || !isEmpty(call)) return undefined;
    if (last === 0) return ['0', 'last_page of an empty list is 0'];
    return last === 1 && [choice, 'last_page of an empty list is 1'];
  }),
];

const dataIn = ({ reply }: SeenCall) => fieldsOf(fieldsOf(reply.body).data);
const idIn = ({ asked: { path } }: SeenCall) => path.split('/').at(-1);
const forward = ['promis', 'obtenu', 'decaisse'];
const stored = (earlier: readonly SeenCall[]) => earlier.filter((one) => one.isOn(create) && one.isSuccess);

const financings = [
  // The moves of a financing whose state was seen in this run.
  asked(update, 'cohesion.financing-moves', (call, earlier) => {
    const { statut: after } = call.sent;
    const isOfSame = (one: SeenCall) => one.isOn(...writes) && String(dataIn(one).id ?? idIn(one)) === idIn(call);
    const last = earlier.findLast((one) => one.isSuccess && isOfSame(one));
    const before = last && (dataIn(last).statut ?? last.sent.statut);
    const isRefused = call.isRefusedFor('statut');
    if (!isText(after) || !forward.includes(after)) return undefined;
    if (before === 'annule' && call.isSuccess) return [not('annule-final'), 'a cancelled financing is taken up again'];
    if (before === 'annule') return isRefused && [not(choice), 'a cancelled financing cannot be taken up again'];
    if (forward.indexOf(after) >= forward.indexOf(String(before))) return undefined;
    if (call.isSuccess) return [not('forward-only'), 'a financing goes back'];
    return isRefused && [not(choice, 'annule-final'), 'a financing cannot go back'];
  }),
  asked(writes, 'cohesion.malformed-json', (call) => {
    const { body, headers } = call.asked;
    if (typeof body !== 'string' || !headers['content-type']?.startsWith('application/json')) return undefined;
    if (call.status === 400) return ['400', 'a body that is not JSON is answered with 400'];
    return call.status === 422 && [choice, 'a body that is not JSON is answered with 422'];
  }),
  asked(create, 'cohesion.repeated-post', (call, earlier) => {
    if (call.isSuccess && stored(earlier).some((one) => isDeepStrictEqual(one.asked.body, call.asked.body)))
      return [not('refused'), 'a financing that equals one already stored is taken'];
    // A service may compare some of the fields only.
    const isAlike = (one: SeenCall) => ['structure_id', 'montant'].every((name) => one.sent[name] === call.sent[name]);
    const isForIt = call.isInvalid && stored(earlier).some(isAlike) && call.says(aboutRepeats);
    return isForIt && ['refused', 'a financing that equals one already stored is refused'];
  }),
  asked(create, 'cohesion.unknown-structure', (call) => {
    const { status } = call.reply;
    if (!(Number(call.sent.structure_id) > 0)) return undefined;
    if (status === 404) return ['404', 'a financing for an unknown structure is answered with 404'];
    const isForIt = status === 422 && call.isNamed('structure_id') && call.says(aboutUnknown);
    return isForIt && [not('403', '404'), 'a financing for an unknown structure is answered with 422'];
  }),
  asked(writes, 'cohesion.plan-closed-condition', (call) => {
    const isClosed = call.isNamed('exercice') && call.says(/\b(closed|clos|close|cl[oô]tur[eé]e?)\b/i);
    const isRefused = [403, 409, 422].includes(call.status) && isClosed;
    return isRefused && ['writes-refused', 'a financing of a closed year is refused'];
  }),
];

/** The limit that a reply names, in a header whose name differs. */
const limitOf = ({ reply: { headers } }: SeenCall): string | undefined =>
  /^\d+/.exec(headers['ratelimit-limit'] ?? headers['x-ratelimit-limit'] ?? '')?.[0];

const throttles = [
  rule('cohesion.read-throttle', (call) => {
    const limit = limitOf(call);
    if (call.method !== 'GET' || !call.servedBy('cohesion')) return undefined;
    if (limit === '60') return ['60-per-minute', 'a read has a limit of 60'];
    const isLimited = limit !== undefined || call.status === 429;
    return isLimited && [other, 'reads have a limit, and not that of 60'];
  }),
];

export const cohesionRequests: readonly Recogniser[] = [...reading, ...financings, ...throttles];
