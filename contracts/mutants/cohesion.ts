import { cohesionBehaviours } from '../documents/cohesion-behaviours.ts';
import { spoiltThroughout, withAnotherValue } from '../documents/spoil.ts';
import { body, data, messageIn, on } from '../gaps/is/changes.ts';
import { create, indicator, indicators, interventions, lists, stats, structures, update } from '../gaps/is/cohesion.ts';
import { both, type Condition, has, isOperation, sent } from '../gaps/is/conditions.ts';
import { listOf, textsIn, withFields, without } from '../gaps/is/values.ts';
import { fieldsOf, type Json } from '../json.ts';
import * as kinds from './kinds.ts';
import { type Mutant, type Mutated, takesAway } from './mutant.ts';

const me = 'GET /me';

const accepted = kinds.accepted((asked) =>
  lists.includes(asked.operation)
    ? { data: [], meta: { page: 1, per_page: 25, total: 0, last_page: 1 } }
    : { data: { id: 1, ...sent(asked) } },
);

const hasToken: Condition = ({ headers }) => (headers.authorization ?? '') !== '';
const hasNoToken: Condition = ({ headers }) => (headers.authorization ?? '') === '';
/** The reasons of a 403 differ in their words only. */
const says =
  (words: RegExp): Condition =>
  (_, { body: held }) =>
    words.test(messageIn(held));

/** A list has a row more that it must leave out. */
const oneMore = (operation: string, what: string, fields: Json): Mutant => ({
  id: 'listed',
  text: `${operation} lists ${what}.`,
  test: `Have ${what} in the stub's data, and see that ${operation} does not list it.`,
  is: {
    at: 'subject',
    reply: on(
      operation,
      body(
        withFields(({ data: rows, meta }) => ({
          data: [...listOf(rows), { ...fieldsOf(listOf(rows)[0]), id: 999_999, ...fields }],
          meta: { ...fieldsOf(meta), total: Number(fieldsOf(meta).total) + 1 },
        })),
      ),
    ),
  },
});

const events = cohesionBehaviours.filter(
  ({ section, on: [place = ''], id }) => section.startsWith('6.') && id === `cohesion/${place.replace('.', '-')}`,
);

const upperCase = (held: unknown) =>
  textsIn(held, (text) => (['en_cours', 'termine', 'approuve'].includes(text) ? text.toUpperCase() : text));

const lastYear = String(new Date().getUTCFullYear() - 1);

/** What takes documented behaviours of social cohesion away. */
export const cohesionMutants: readonly Mutated[] = [
  takesAway('cohesion/me', [kinds.absent(me)]),
  takesAway('cohesion/indicator-detail', [kinds.absent(indicator)]),
  takesAway('cohesion/create-financing', [kinds.absent(create)]),
  takesAway('cohesion/update-financing', [kinds.absent(update)]),
  takesAway('cohesion/json', [kinds.pagesInPlaceOfJson]),
  takesAway('cohesion/utf-8', [
    {
      id: 'ascii',
      text: 'Letters outside of ASCII come as question marks.',
      test: 'Compare a text with accents, such as a title, with the one in the stub.',
      is: {
        at: 'values',
        reply: body((held) => textsIn(held, (text) => text.replace(/[^\x00-\x7f]/g, '?'))),
      },
    },
  ]),

  takesAway('cohesion/active-indicators', [oneMore(indicators, 'an indicator that is not active', { code: 'IND-INACTIVE' })]),
  takesAway('cohesion/no-drafts', [oneMore(interventions, 'a draft', { statut: 'brouillon' })]),
  takesAway('cohesion/active-structures', [oneMore(structures, 'a structure that is not active', { nom: 'Inactive' })]),
  takesAway('cohesion/intervention-statuses', [
    {
      id: 'other-names',
      text: `${interventions}: statuses are in capitals.`,
      test: 'Compare the statut of interventions with the words of the document.',
      is: { at: 'values', reply: on(interventions, data(upperCase)) },
    },
  ]),
  takesAway('cohesion/paginated', [
    {
      ...kinds.ignored(lists, 'page'),
      text: `${lists.join(', ')}: every page is the first.`,
      test: 'Read a list of several pages to its end, and compare the rows with those of the stub.',
    },
  ]),
  takesAway('cohesion/per-page', [kinds.ignored(lists, 'per_page')], ['indicators-per-page', 'interventions-per-page']),
  takesAway('cohesion/indicators-type', [kinds.ignored(indicators, 'type')]),
  takesAway('cohesion/indicators-kpi', [kinds.ignored(indicators, 'kpi', (value) => value !== '1')]),
  takesAway('cohesion/indicators-kpi-1', [kinds.ignored(indicators, 'kpi', (value) => value === '1')]),
  takesAway('cohesion/indicators-search', [kinds.ignored(indicators, 'q')]),
  takesAway('cohesion/interventions-status', [kinds.ignored(interventions, 'statut')]),
  takesAway('cohesion/interventions-region', [kinds.ignored(interventions, 'region')]),
  takesAway('cohesion/interventions-year', [kinds.ignored(interventions, 'annee')]),
  takesAway('cohesion/interventions-search', [kinds.ignored(interventions, 'q')]),
  takesAway('cohesion/structures-type', [kinds.ignored(structures, 'type')]),
  takesAway('cohesion/structures-region', [kinds.ignored(structures, 'region')]),
  takesAway('cohesion/structures-search', [kinds.ignored(structures, 'q')]),
  takesAway('cohesion/stats-year', [kinds.ignored(stats, 'annee')]),
  takesAway('cohesion/stats-current-year', [
    {
      id: 'last-year',
      text: `${stats} without annee is of last year.`,
      test: `Compare ${stats} without annee with the figures of this year.`,
      is: {
        at: 'outcome',
        request: ({ operation, query }) =>
          operation === stats && query.annee === undefined ? { query: { ...query, annee: lastYear } } : undefined,
      },
    },
  ]),
  takesAway('cohesion/stats', [
    {
      id: 'other-figures',
      text: `${stats}: every figure is another one.`,
      test: `Compare the figures of ${stats} that you show with those of the stub.`,
      is: {
        at: 'values',
        reply: on(
          stats,
          data((held) => spoiltThroughout(held, (one) => (typeof one === 'number' ? withAnotherValue(one) : one))),
        ),
      },
    },
  ]),
  takesAway('cohesion/status-given', [
    kinds.readOtherwise(update, 'statut', 'the statut that was sent is not stored.', (fields) =>
      Object.keys(fields).length > 1 && fields.statut !== undefined ? without(fields, 'statut') : undefined,
    ),
  ]),

  takesAway(
    'cohesion/ability-missing',
    [accepted('A token without the ability', both(has(403), says(/needs the ability/)))],
    ['indicators', 'indicator', 'interventions', 'structures', 'stats', 'create', 'update'].map((one) => `ability-${one}`),
  ),
  takesAway('cohesion/user-inactive', [accepted('A token of an inactive user', both(has(403), says(/is inactive/)))]),
  takesAway('cohesion/perimeter-create', [
    accepted('A structure outside the perimeter', both(has(403), isOperation(create), says(/which covers/))),
  ]),
  takesAway(
    'cohesion/perimeter-target',
    [accepted('A financing or structure outside the perimeter', both(has(403), isOperation(update), says(/which covers/)))],
    ['perimeter-sent'],
  ),
  takesAway('cohesion/token-missing', [accepted('A missing token', both(has(401), hasNoToken))]),
  takesAway('cohesion/token-invalid', [accepted('An invalid token', both(has(401), hasToken))], ['bearer', 'status-401']),
  takesAway('cohesion/status-404', [accepted('An id that does not exist', has(404))]),
  takesAway('cohesion/status-422', [accepted('An invalid request', has(422))]),
  takesAway('cohesion/write-throttle', [kinds.noLimits], ['write-throttle-minute', 'write-throttle-dedicated']),

  ...events.map(({ id, on: [type = ''] }) =>
    takesAway(id, [kinds.lost(type)], type === 'intervention.validated' ? ['validation'] : []),
  ),
  takesAway('cohesion/signature-body', kinds.wrongSignatures, ['signature-form']),
  ...kinds.spoiltFields('cohesion'),
];

/** Why a behaviour has no mutant, as a sentence. */
export const cohesionWithoutMutant: Readonly<Record<string, string>> = {
  'cohesion/https-only': 'A stub for tests serves HTTP.',
  'cohesion/base-path': 'Each operation is taken away by itself.',
  'cohesion/no-caching': 'Only a client with a cache does something with it.',
  'cohesion/last-use': 'The field token.last_used_at is taken away.',
  'cohesion/last-address': 'No reply shows it.',
  'cohesion/status-403': 'Each reason for 403 is taken away by itself.',
};
