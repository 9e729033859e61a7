import { operationsOf } from '../../openapi/operations.ts';
import { listOf } from '../assumptions/values.ts';
import { fieldsOf } from '../json.ts';
import { choice, excludes, nothing, type Recogniser, type SeenCall, shows } from './finding.ts';
import { aboutRepeats, isNamed, isOn, isSame, isSuccess, isText, says, sentFields } from './look.ts';

/** What social cohesion accepts and refuses. */

const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];
const create = 'POST /financements';
const update = 'PUT /financements/{id}';
const writes = [create, update];

const isInvalid = ({ reply }: SeenCall) => reply.status === 422;
const metaOf = ({ reply }: SeenCall) => fieldsOf(fieldsOf(reply.body).meta);

/** A query parameter with one of these values: the service takes it or not. */
const filter =
  (operation: string, name: string, isAsked: (value: string) => boolean, gap: string, refused: string): Recogniser =>
  (call) => {
    const value = call.asked.query[name];
    if (!isOn(call, operation) || value === undefined || !isAsked(value)) return nothing;
    if (isSuccess(call)) return excludes(gap, [refused], `a value of ${name} is taken`);
    return isInvalid(call) && isNamed(call, name) ? shows(gap, refused, `a value of ${name} is refused`) : nothing;
  };

const statuses = ['en_cours', 'termine', 'approuve', 'suspendu', 'brouillon'];
const types = ['ong', 'ministere', 'partenaire', 'collectivite', 'association'];
const isUnknownStatus = (value: string) => value !== '' && !statuses.includes(value);

/** A refused type is about types only if other filters take unknown values. */
const structureTypes: Recogniser = (call, earlier) => {
  const { type } = call.asked.query;
  if (!isOn(call, 'GET /structures') || !isText(type) || types.includes(type)) return nothing;
  const gap = 'cohesion.structure-types';
  if (isSuccess(call)) return excludes(gap, ['422'], 'an unknown type of structure is taken');
  const isOpen = earlier.some(
    (one) =>
      isOn(one, 'GET /interventions') &&
      isSuccess(one) &&
      isUnknownStatus(one.asked.query.statut ?? '') &&
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
  // Any service may have a cursor beside its pages: it is the only way if page is refused.
  const hasCursor = Object.keys(fieldsOf(known && metaOf(known))).some((name) => /cursor/i.test(name));
  if (isInvalid(call) && isNamed(call, 'page') && hasCursor)
    return shows(gap, 'cursor', 'page is refused, and lists have cursors');
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

const bounds: Recogniser = (call) => {
  const gap = 'cohesion.per-page-bounds';
  // Structures may not take the parameter at all.
  if (!isOn(call, 'GET /indicateurs', 'GET /interventions')) return nothing;
  const { per_page: length = '1', page = '1' } = call.asked.query;
  if (!/^\d+$/.test(length) || !/^\d+$/.test(page)) return nothing;
  const [name] = Number(length) > 100 || length === '0' ? ['per_page'] : page === '0' ? ['page'] : [];
  if (name === undefined) return nothing;
  if (isSuccess(call)) return shows(gap, 'cut', `a ${name} out of bounds is cut`);
  return isInvalid(call) && isNamed(call, name) ? shows(gap, choice, `a ${name} out of bounds is refused`) : nothing;
};

const known: Readonly<Record<string, readonly string[]>> = {
  'GET /me': [],
  'GET /indicateurs': ['per_page', 'page', 'type', 'kpi', 'q'],
  'GET /indicateurs/{id}': [],
  'GET /interventions': ['statut', 'region', 'annee', 'q', 'per_page', 'page'],
  'GET /structures': ['type', 'region', 'q', 'per_page', 'page'],
  'GET /stats': ['annee'],
  [create]: ['structure_id', 'exercice', 'bailleur', 'type', 'intitule', 'montant', 'statut', 'devise'],
  [update]: ['structure_id', 'exercice', 'bailleur', 'type', 'intitule', 'montant', 'statut', 'devise'],
};

const surplus: Recogniser = (call) => {
  const isWrite = isOn(call, ...writes);
  const sent = Object.keys(isWrite ? sentFields(call) : call.asked.query);
  const unknown = sent.filter((name) => !(known[call.asked.operation] ?? sent).includes(name));
  if (unknown.length === 0) return nothing;
  const [gap, what] = isWrite ? ['cohesion.strict-bodies', 'a field'] : ['cohesion.strict-queries', 'a query parameter'];
  if (isSuccess(call)) return shows(gap, 'ignored', `${what} that the document does not show is ignored`);
  return isInvalid(call) && unknown.some((name) => name.length > 1 && isNamed(call, name))
    ? shows(gap, choice, `${what} that the document does not show is refused`)
    : nothing;
};

/** A value of a field of these operations: the service takes it or not. */
const value =
  (
    operations: readonly string[],
    name: string,
    isAsked: (value: unknown) => boolean,
    gap: string,
    ways: { taken?: string; refused?: string },
  ): Recogniser =>
  (call) => {
    if (!isOn(call, ...operations) || typeof call.asked.body !== 'object' || !isAsked(sentFields(call)[name])) return nothing;
    const { taken, refused } = ways;
    if (isSuccess(call))
      return taken
        ? shows(gap, taken, `a value of ${name} is taken`)
        : excludes(gap, [refused ?? ''], `a value of ${name} is taken`);
    if (!isInvalid(call) || !isNamed(call, name)) return nothing;
    return refused
      ? shows(gap, refused, `a value of ${name} is refused`)
      : excludes(gap, [taken ?? ''], `a value of ${name} is refused`);
  };

const isOneOf =
  (...all: string[]) =>
  (one: unknown) =>
    all.includes(String(one));

const updateFields: Recogniser = (call) => {
  const missing = (known[create] ?? []).filter((name) => name !== 'devise' && !(name in sentFields(call)));
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

/** What each type of financing that is sent says. A service that takes kinds may take any text. */
const kinds: Recogniser = (call) => {
  const { type } = sentFields(call);
  const gap = 'cohesion.financing-types';
  if (!isOn(call, create) || !isText(type)) return nothing;
  const [isOurs, isKind] = [
    ['etat', 'bailleur', 'collectivite', 'partenaire', 'prive'],
    ['don', 'pret', 'subvention'],
  ].map((one) => one.includes(type));
  if (isSuccess(call)) {
    // A service that takes kinds may take the types of our choice too.
    if (isOurs) return nothing;
    return isKind
      ? excludes(gap, [choice], 'a kind of financing is taken as its type')
      : shows(gap, 'any-text', 'a type that is neither of our choice nor a kind is taken');
  }
  // A refusal that names type may be about another field's type.
  if (!isInvalid(call) || !isNamed(call, 'type') || isOurs) return nothing;
  return isKind
    ? excludes(gap, ['any-text', 'kinds'], 'a kind of financing is refused as its type')
    : excludes(gap, ['any-text'], 'a type that is neither of our choice nor a kind is refused');
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

const lacks = (one: unknown) => one === undefined;
/** No plan is open so far ahead. */
const isFarYear = (one: unknown) => typeof one === 'number' && one >= new Date().getUTCFullYear() + 20 && one <= 2100;

export const cohesionRequests: readonly Recogniser[] = [
  filter('GET /interventions', 'statut', isUnknownStatus, 'cohesion.open-filters', '422'),
  filter('GET /interventions', 'statut', (one) => one === 'brouillon', 'cohesion.hidden-records', '422'),
  filter('GET /indicateurs', 'kpi', (one) => one === '0', 'cohesion.kpi-values', '0-refused'),
  value([create], 'statut', lacks, 'cohesion.financing-create-required', { taken: 'statut-optional' }),
  value([create], 'type', lacks, 'cohesion.financing-create-required', { taken: 'type-optional' }),
  value([create], 'statut', isOneOf('decaisse', 'annule'), 'cohesion.financing-statuses', { refused: 'two-only' }),
  value([create], 'statut', isOneOf('en_cours', 'cloture'), 'cohesion.financing-statuses', { taken: 'further' }),
  value([create], 'montant', (one) => one === 0, 'cohesion.financing-bounds', { refused: 'montant-above-zero' }),
  value([create], 'exercice', isFarYear, 'cohesion.financing-bounds', { refused: 'open-year-only' }),
  value([create], 'devise', isOneOf('XOF', 'EUR', 'USD'), 'cohesion.devise-sent', { refused: 'refused' }),
  ...[structureTypes, pages, perPage, bounds, surplus, updateFields, moves, method, malformed],
  ...[kinds, repeated, years, lastPage],
];
