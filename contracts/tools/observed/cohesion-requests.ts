import { operationsOf } from '../../openapi/operations.ts';
import { listOf } from '../assumptions/values.ts';
import { fieldsOf } from '../json.ts';
import { type Ask, isMissing, isOneOf, parameter, recogniserOf, surplus, value } from './asks.ts';
import { fieldsOfRequest } from './fields.ts';
import { choice, excludes, nothing, type Recogniser, type SeenCall, shows } from './finding.ts';
import { aboutRepeats, isInvalid, isNamed, isOn, isSame, isSuccess, isText, says, sentFields } from './look.ts';

/** What social cohesion accepts and refuses. */

const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];
const create = 'POST /financements';
const update = 'PUT /financements/{id}';
const writes = [create, update];

const metaOf = ({ reply }: SeenCall) => fieldsOf(fieldsOf(reply.body).meta);

const interventionStatuses = ['en_cours', 'termine', 'approuve', 'suspendu', 'brouillon'];
const structureTypeNames = ['ong', 'ministere', 'partenaire', 'collectivite', 'association'];
const isUnknownStatus = (value: string | undefined) => isText(value) && !interventionStatuses.includes(value);

/** A refused type is about types only if other filters take unknown values. */
const structureTypes: Recogniser = (call, earlier) => {
  const { type } = call.asked.query;
  if (!isOn(call, 'GET /structures') || !isText(type) || structureTypeNames.includes(type)) return nothing;
  const gap = 'cohesion.structure-types';
  if (isSuccess(call)) return excludes(gap, ['422'], 'an unknown type of structure is taken');
  const isOpen = earlier.some(
    (one) =>
      isOn(one, 'GET /interventions') &&
      isSuccess(one) &&
      isUnknownStatus(one.asked.query.statut) &&
      // A status that some intervention has is known to the service.
      listOf(fieldsOf(one.reply.body).data).length === 0,
  );
  return isInvalid(call) && isNamed(call, 'type') && isOpen
    ? shows(gap, '422', 'an unknown type of structure is refused')
    : nothing;
};

const pages: Recogniser = (call, earlier) => {
  const { page, per_page: length } = call.asked.query;
  if (!isOn(call, ...lists) || !/^[1-9]\d*$/.test(page ?? '')) return nothing;
  const gap = 'cohesion.page-parameter';
  const meta = metaOf(call);
  if (isSuccess(call) && Number(page) > Number(meta.last_page) && listOf(fieldsOf(call.reply.body).data).length === 0)
    return excludes(gap, ['404-past-last', 'cursor'], 'a page after the last is empty');
  if (isSuccess(call) && Number(page) > 1 && String(meta.page) === page)
    return excludes(gap, ['cursor'], 'a page is asked for by page');
  const known = earlier.findLast(
    (one) => isOn(one, call.asked.operation) && isSuccess(one) && one.asked.query.per_page === length,
  );
  return call.reply.status === 404 && known && Number(page) > Number(metaOf(known).last_page)
    ? shows(gap, '404-past-last', 'a page after the last is answered with 404')
    : nothing;
};

const perPage: Recogniser = (call) => {
  const { per_page: length } = call.asked.query;
  if (!isOn(call, 'GET /structures') || !/^\d+$/.test(length ?? '') || length === '25') return nothing;
  if (Number(length) < 1 || Number(length) > 100 || !isSuccess(call)) return nothing;
  const gap = 'cohesion.structures-per-page';
  const shown = String(metaOf(call).per_page);
  if (shown === length) return shows(gap, choice, 'structures take per_page');
  return shown === '25' ? shows(gap, 'always-25', 'structures are always 25 on a page') : nothing;
};

const isCut = (value: string | undefined, most: number) => /^\d+$/.test(value ?? '') && (value === '0' || Number(value) > most);
const bounds = { gap: 'cohesion.per-page-bounds', taken: 'cut', refused: choice };
/** Structures may not take `per_page` at all. */
const boundLists = ['GET /indicateurs', 'GET /interventions'];

const updateFields: Recogniser = (call) => {
  const missing = fieldsOfRequest('cohesion', create).filter((name) => name !== 'devise' && !(name in sentFields(call)));
  if (!isOn(call, update) || missing.length === 0 || missing.length === 7) return nothing;
  const gap = 'cohesion.financing-update-required';
  if (isSuccess(call)) return excludes(gap, ['all-fields'], 'an update with some fields is taken');
  return isInvalid(call) && missing.some((name) => isNamed(call, name))
    ? shows(gap, 'all-fields', 'an update with some fields is refused')
    : nothing;
};

/** The moves of a financing whose state was seen in this run. */
const moves: Recogniser = (call, earlier) => {
  const { statut: after } = sentFields(call);
  if (!isOn(call, update) || !isText(after)) return nothing;
  const id = call.asked.path.split('/').at(-1);
  const last = earlier.findLast(
    (one) =>
      isSuccess(one) &&
      isOn(one, ...writes) &&
      String(fieldsOf(fieldsOf(one.reply.body).data).id ?? one.asked.path.split('/').at(-1)) === id,
  );
  const before = fieldsOf(fieldsOf(last?.reply.body).data).statut ?? (last && sentFields(last).statut);
  const gap = 'cohesion.financing-moves';
  const isRefused = isInvalid(call) && isNamed(call, 'statut');
  const forward = ['promis', 'obtenu', 'decaisse'];
  const isBack =
    forward.includes(String(before)) && forward.indexOf(after) >= 0 && forward.indexOf(after) < forward.indexOf(String(before));
  if (isBack && isSuccess(call)) return excludes(gap, ['forward-only'], 'a financing goes back');
  if (isBack && isRefused) return excludes(gap, [choice, 'annule-final'], 'a financing cannot go back');
  if (before !== 'annule' || !forward.includes(after)) return nothing;
  if (isSuccess(call)) return excludes(gap, ['annule-final'], 'a cancelled financing is taken up again');
  return isRefused ? excludes(gap, [choice], 'a cancelled financing cannot be taken up again') : nothing;
};

const method: Recogniser = (call) => {
  const [asked = ''] = call.asked.operation.split(' ');
  const isKnownPath = operationsOf('cohesion').some(({ path }) => path === call.asked.path);
  const isServed = operationsOf('cohesion').some((one) => one.path === call.asked.path && one.method === asked);
  if (!isKnownPath || isServed) return nothing;
  const gap = 'cohesion.unknown-method';
  if (call.reply.status === 405) return shows(gap, '405', 'a known path with another method is answered with 405');
  return call.reply.status === 404 ? shows(gap, choice, 'a known path with another method is answered with 404') : nothing;
};

const malformed: Recogniser = (call) => {
  const { body, headers } = call.asked;
  if (!isOn(call, ...writes) || typeof body !== 'string' || !headers['content-type']?.startsWith('application/json'))
    return nothing;
  const gap = 'cohesion.malformed-json';
  if (call.reply.status === 400) return shows(gap, '400', 'a body that is not JSON is answered with 400');
  return isInvalid(call) ? shows(gap, choice, 'a body that is not JSON is answered with 422') : nothing;
};

const repeated: Recogniser = (call, earlier) => {
  const gap = 'cohesion.repeated-post';
  if (!isOn(call, create)) return nothing;
  const stored = earlier.filter((one) => isOn(one, create) && isSuccess(one));
  if (isSuccess(call) && stored.some((one) => isSame(one.asked.body, call.asked.body)))
    return excludes(gap, ['refused'], 'a financing that equals one already stored is taken');
  // A service may compare some of the fields only.
  const isAlike = stored.some((one) =>
    ['structure_id', 'montant'].every((name) => sentFields(one)[name] === sentFields(call)[name]),
  );
  return isInvalid(call) && isAlike && says(call, aboutRepeats)
    ? shows(gap, 'refused', 'a financing that equals one already stored is refused')
    : nothing;
};

const years: Recogniser = (call, earlier) => {
  const { annee } = call.asked.query;
  const gap = 'cohesion.annee-values';
  if (!isOn(call, 'GET /stats') || !/^\d{4}$/.test(annee ?? '') || Number(annee) < new Date().getUTCFullYear() + 20)
    return nothing;
  if (isSuccess(call)) return excludes(gap, ['past-or-current', 'unknown-404'], 'statistics of a far year are answered');
  if (isInvalid(call) && isNamed(call, 'annee')) return shows(gap, 'past-or-current', 'a far year is refused');
  return call.reply.status === 404 && earlier.some((one) => isOn(one, 'GET /stats') && isSuccess(one))
    ? shows(gap, 'unknown-404', 'statistics of a far year are answered with 404')
    : nothing;
};

const lastPage: Recogniser = (call) => {
  const { total, last_page: last } = metaOf(call);
  const { data } = fieldsOf(call.reply.body);
  if (!isOn(call, ...lists) || !isSuccess(call) || total !== 0 || !Array.isArray(data) || data.length > 0) return nothing;
  const gap = 'cohesion.empty-last-page';
  if (last === 0) return shows(gap, '0', 'last_page of an empty list is 0');
  return last === 1 ? shows(gap, choice, 'last_page of an empty list is 1') : nothing;
};

/** No plan is open so far ahead. */
const isFarYear = (one: unknown) => typeof one === 'number' && one >= new Date().getUTCFullYear() + 20 && one <= 2100;

const ourTypes = ['etat', 'bailleur', 'collectivite', 'partenaire', 'prive'];
const isKind = isOneOf('don', 'pret', 'subvention');
const types = { gap: 'cohesion.financing-types' };

const asked: readonly Ask[] = [
  parameter('GET /interventions', 'statut', isUnknownStatus, { gap: 'cohesion.open-filters', refused: '422' }),
  parameter('GET /interventions', 'statut', isOneOf('brouillon'), { gap: 'cohesion.hidden-records', refused: '422' }),
  parameter('GET /indicateurs', 'kpi', isOneOf('0'), { gap: 'cohesion.kpi-values', refused: '0-refused' }),
  parameter(boundLists, 'per_page', (one) => isCut(one, 100), bounds),
  parameter(boundLists, 'page', (one) => isCut(one, Number.POSITIVE_INFINITY), bounds),
  value(create, 'statut', isMissing, { gap: 'cohesion.financing-create-required', taken: 'statut-optional' }),
  value(create, 'type', isMissing, { gap: 'cohesion.financing-create-required', taken: 'type-optional' }),
  value(create, 'statut', isOneOf('decaisse', 'annule'), { gap: 'cohesion.financing-statuses', refused: 'two-only' }),
  value(create, 'statut', isOneOf('en_cours', 'cloture'), { gap: 'cohesion.financing-statuses', taken: 'further' }),
  value(create, 'montant', (one) => one === 0, { gap: 'cohesion.financing-bounds', refused: 'montant-above-zero' }),
  value(create, 'exercice', isFarYear, { gap: 'cohesion.financing-bounds', refused: 'open-year-only' }),
  value(create, 'devise', isOneOf('XOF', 'EUR', 'USD'), { gap: 'cohesion.devise-sent', refused: 'refused' }),
  // A service that takes kinds may take any text, and may take the types of our choice too.
  value(create, 'type', isKind, { ...types, taken: { not: [choice] }, refused: { not: ['any-text', 'kinds'] } }),
  value(create, 'type', (one) => isText(one) && !isKind(one) && !ourTypes.includes(one), { ...types, taken: 'any-text' }),
];

export const cohesionRequests: readonly Recogniser[] = [
  ...asked.map(recogniserOf),
  surplus('cohesion', { bodies: 'cohesion.strict-bodies', queries: 'cohesion.strict-queries' }),
  ...[structureTypes, pages, perPage, updateFields, moves, method, malformed, repeated, years, lastPage],
];
