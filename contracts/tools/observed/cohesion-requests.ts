import { create, lists, structures, update, writes } from '../../../spec/gaps/is/cohesion.ts';
import { fieldsOf } from '../../../spec/json.ts';
import { aboutUnknown, isText, type SeenCall } from './call.ts';
import { asked, choice, not, other, type Recogniser, rule, taken } from './finding.ts';
import { refusal, refused } from './refused.ts';

/** What social cohesion accepts and refuses, and how often. */

const metaOf = ({ reply }: SeenCall) => fieldsOf(fieldsOf(reply.body).meta);
const emptyPage = { status: 200, headers: {}, body: { data: [], meta: { last_page: 0 } } };
const isAfterLast = (call: SeenCall, earlier: readonly SeenCall[]) => {
  const isLike = (one: SeenCall) => one.isOn(call.asked.operation) && one.query.per_page === call.query.per_page;
  const known = call.isSuccess ? call : earlier.findLast((one) => one.isSuccess && isLike(one));
  return call.isOn(...lists) && known !== undefined && Number(call.query.page) > Number(metaOf(known).last_page);
};
const idIn = ({ asked: { path } }: SeenCall) => path.split('/').at(-1);
const forward = ['promis', 'obtenu', 'decaisse'];

export const cohesionRequests: readonly Recogniser[] = [
  refused('cohesion.page-parameter', ['a page after the last is', emptyPage, isAfterLast]),
  taken(lists, 'cohesion.page-parameter', (call) => {
    const { page } = call.query;
    return page !== '1' && String(metaOf(call).page) === page && [not('cursor'), 'a page is asked for by page'];
  }),
  taken(structures, 'cohesion.structures-per-page', (call) => {
    const { per_page: length = '' } = call.query;
    const shown = String(metaOf(call).per_page);
    if (!/^([1-9]\d?|100)$/.test(length) || length === '25') return undefined;
    if (shown === length) return [choice, 'structures take per_page'];
    return shown === '25' && ['always-25', 'structures are always 25 on a page'];
  }),
  taken(lists, 'cohesion.empty-last-page', (call) => {
    const { total, last_page: last } = metaOf(call);
    if (total !== 0) return undefined;
    if (last === 0) return ['0', 'last_page of an empty list is 0'];
    return last === 1 && [choice, 'last_page of an empty list is 1'];
  }),
  // Only moves of a financing whose earlier state was seen in this run are judged.
  asked(update, 'cohesion.financing-moves', (call, earlier) => {
    const { statut: after } = call.sent;
    const isOfSame = (one: SeenCall) => one.isOn(...writes) && String(fieldsOf(one.record).id ?? idIn(one)) === idIn(call);
    const last = earlier.findLast((one) => one.isSuccess && isOfSame(one));
    const before = last && (fieldsOf(last.record).statut ?? last.sent.statut);
    const isRefused = call.isRefusedFor('statut');
    if (!isText(after) || !forward.includes(after)) return undefined;
    if (before === 'annule' && call.isSuccess) return [not('annule-final'), 'a cancelled financing is taken up again'];
    if (before === 'annule') return isRefused && [not(choice), 'a cancelled financing cannot be taken up again'];
    if (forward.indexOf(after) >= forward.indexOf(String(before))) return undefined;
    if (call.isSuccess) return [not('forward-only'), 'a financing goes back'];
    return isRefused && [not(choice, 'annule-final'), 'a financing cannot go back'];
  }),
  refused('cohesion.malformed-json', [
    'a body that is not JSON is',
    refusal(422),
    (call) => call.isOn(...writes) && typeof call.asked.body === 'string' && call.typeSent === 'application/json',
  ]),
  refused('cohesion.unknown-structure', [
    'a financing for an unknown structure is',
    { ...refusal(422), body: { errors: { structure_id: ['There is no active structure 9.'] } } },
    (call) => call.isOn(create) && (call.status === 404 || (call.isRefusedFor('structure_id') && call.says(aboutUnknown))),
  ]),
  asked(writes, 'cohesion.plan-closed-condition', (call) => {
    const isClosed = call.isNamed('exercice') && call.says(/\b(closed|clos|close|cl[oô]tur[eé]e?)\b/i);
    const isRefused = [403, 409, 422].includes(call.status) && isClosed;
    return isRefused && ['writes-refused', 'a financing of a closed year is refused'];
  }),
  rule('cohesion.read-throttle', (call) => {
    const { headers } = call.reply;
    const limit = Number.parseInt(headers['ratelimit-limit'] ?? headers['x-ratelimit-limit'] ?? '', 10);
    if (call.method !== 'GET' || !call.servedBy('cohesion')) return undefined;
    if (limit === 60) return ['60-per-minute', 'a read has a limit of 60'];
    const isLimited = !Number.isNaN(limit) || call.status === 429;
    return isLimited && [other, 'reads have a limit, and not that of 60'];
  }),
];
