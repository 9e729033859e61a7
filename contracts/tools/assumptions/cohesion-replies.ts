import { type Alternative, otherwise, type ReplyChange } from './alternative.ts';
import { body, data, noBody, on, records, rows, status } from './changes.ts';
import { type Condition, not, sent, whenever } from './conditions.ts';
import { everywhere, fieldsOf, having, listOf, nowhere, only, otherNames, renamed, reworded, scaled, without } from './values.ts';

/** Social cohesion: what successful replies would have been. */

const me = 'GET /me';
const indicators = ['GET /indicateurs', 'GET /indicateurs/{id}'];
const detail = 'GET /indicateurs/{id}';
const interventions = 'GET /interventions';
const structures = 'GET /structures';
const lists = ['GET /indicateurs', interventions, structures];
const stats = 'GET /stats';
const create = 'POST /financements';
const update = 'PUT /financements/{id}';

const inReply = (operations: string | readonly string[], change: ReplyChange) => ({ reply: on(operations, change) });
const asking =
  (...names: string[]): Condition =>
  ({ query }) =>
    names.every((name) => (query[name] ?? '') !== '');

/** An indicator near its target, as it is where its own threshold has been crossed. */
const inAlert = having(({ taux_atteinte, alert_state }) => ({
  alert_state: alert_state === 'none' ? (Number(taux_atteinte) < 100 ? 'under' : 'over') : alert_state,
}));
/** Which indicators are in alert is not shown either: any of them may be. */
const alertWords = (under: string, over: string) => everywhere(['alert_state'], reworded({ none: under, under, over }));

const indicatorFields = [
  ...otherwise('cohesion.alert-states', {
    'Degrees: none, warning, critical.': inReply(indicators, data(alertWords('warning', 'critical'))),
    'under_performance and over_performance.': inReply(indicators, data(alertWords('under_performance', 'over_performance'))),
  }),
  ...otherwise('cohesion.attainment-rate', {
    'A fraction, 0 to 1.': [
      inReply(indicators, data(everywhere(['taux_atteinte'], scaled(0.01)))),
      inReply(stats, data(everywhere(['taux_atteinte_moyen'], scaled(0.01)))),
    ],
    'null where the target is 0.': inReply(
      indicators,
      records(having(({ cible_annuelle, taux_atteinte }) => ({ taux_atteinte: cible_annuelle === 0 ? null : taux_atteinte }))),
    ),
  }),
  ...otherwise('cohesion.indicator-alert-condition', {
    'Thresholds of each indicator.': inReply(indicators, records(inAlert)),
    'Thresholds that rise over the year.': inReply(indicators, records(inAlert)),
  }),
  ...otherwise('cohesion.indicator-detail', {
    'Further fields: a history of values, a description.': inReply(
      detail,
      data(having({ description: 'Part des ménages', historique: [] })),
    ),
    'The bare record.': inReply(
      detail,
      body((value) => fieldsOf(value).data),
    ),
  }),
];

const otherRecords = [
  ...otherwise('cohesion.intervention-fields', {
    'The structure as an object.': inReply(
      interventions,
      records((held) => ({
        ...without(fieldsOf(held), 'structure_id'),
        structure: { id: fieldsOf(held).structure_id, nom: 'Comité de paix' },
      })),
    ),
    'Descriptions, places, beneficiaries.': inReply(
      interventions,
      records(having({ description: 'Rencontres', lieu: 'Bouaké', beneficiaires: 120 })),
    ),
    'Other names for its fields.': inReply(interventions, records(otherNames)),
  }),
  ...otherwise('cohesion.intervention-statuses', {
    // Without a filter any of them may be in the list.
    'planifie, soumis, rejete, annule.': [
      inReply(
        interventions,
        whenever(
          not(asking('statut')),
          rows((list) => list.map((one, at) => (at === list.length - 1 ? having({ statut: 'soumis' })(one) : one))),
        ),
      ),
      inReply(interventions, records(having(({ statut }) => ({ statut: reworded({ suspendu: 'annule' })(statut) })))),
      inReply(
        stats,
        data(
          having(({ interventions: counted }) => ({
            interventions: having(({ par_statut }) => ({ par_statut: renamed('suspendu', 'annule')(par_statut) }))(counted),
          })),
        ),
      ),
    ],
  }),
  ...otherwise('cohesion.structure-fields', {
    'intitule instead of nom.': inReply(structures, records(renamed('nom', 'intitule'))),
    'Addresses and contacts.': inReply(structures, records(having({ adresse: 'BP 12, Bouaké', contacts: [] }))),
    'Other names for its fields.': inReply(structures, records(otherNames)),
  }),
  ...otherwise('cohesion.structure-types', {
    'Only the three examples.': inReply(
      structures,
      records(having(({ type }) => ({ type: reworded({ collectivite: 'partenaire', association: 'partenaire' })(type) }))),
    ),
  }),
  ...otherwise('cohesion.stats-fields', {
    'Breakdowns by region.': inReply(stats, data(having({ par_region: {} }))),
    'Amounts converted to one currency.': inReply(stats, data(nowhere('devise'))),
    'Other names for its fields.': inReply(stats, data(otherNames)),
    'The bare record.': inReply(
      stats,
      body((value) => fieldsOf(value).data),
    ),
  }),
  ...otherwise('cohesion.user-roles', {
    'A role narrows the abilities that a token may hold.': inReply(
      me,
      data(
        having(({ user, token }) => ({
          token: fieldsOf(user).role === 'lecteur' ? having({ abilities: readAbilities(token) })(token) : token,
        })),
      ),
    ),
    'Other roles, such as editor and viewer.': inReply(
      me,
      data(having(({ user }) => ({ user: having({ role: 'editor' })(user) }))),
    ),
  }),
  ...otherwise('cohesion.token-last-used', {
    '/me shows the call before.': inReply(
      me,
      data(having(({ token }) => ({ token: having({ last_used_at: '2026-01-05T08:00:00.000Z' })(token) }))),
    ),
  }),
];

function readAbilities(token: unknown): unknown[] {
  return listOf(fieldsOf(token).abilities).filter((ability) => String(ability).startsWith('read:'));
}

const financings = [
  ...otherwise('cohesion.devise-sent', {
    'It is ignored.': inReply(
      [create, update],
      data(having((_, asked) => (asked && 'devise' in sent(asked) ? { devise: 'XOF' } : {}))),
    ),
    'Another currency than XOF where it is not sent.': inReply(
      [create, update],
      data(having((_, asked) => (asked && 'devise' in sent(asked) ? {} : { devise: 'EUR' }))),
    ),
  }),
  ...otherwise('cohesion.financing-update-required', {
    'Fields not sent are emptied.': inReply(
      update,
      data(
        having((record, asked) =>
          Object.fromEntries(
            Object.keys(record)
              .filter((name) => name !== 'id' && asked && !(name in sent(asked)))
              .map((name) => [name, null]),
          ),
        ),
      ),
    ),
  }),
  ...otherwise('cohesion.financing-create-status', { '200.': inReply(create, status(200)) }),
  ...otherwise('cohesion.financing-update-status', {
    '204, without a body.': inReply(update, (reply, asked) => noBody(status(204)(reply, asked), asked)),
  }),
  ...otherwise('cohesion.financing-update-response', {
    'No body.': inReply(update, noBody),
    'Only the changed fields.': inReply(
      update,
      data((record, asked) => only(...Object.keys(asked ? sent(asked) : {}))(record)),
    ),
  }),
];

const titleOf = (record: unknown) => String(fieldsOf(record).intitule ?? fieldsOf(record).nom ?? '').toLowerCase();
const nameOf = (record: unknown) => {
  const { code, nom, reference } = fieldsOf(record);
  return String(code ?? nom ?? reference ?? '');
};
const words = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

const order = [
  ...otherwise('cohesion.list-order', {
    'Newest first.': inReply(
      lists,
      rows((list) => list.toReversed()),
    ),
    'By code, name or reference.': inReply(
      lists,
      rows((list) => list.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0))),
    ),
  }),
  ...otherwise('cohesion.search', {
    'Whole words.': inReply(
      lists,
      whenever(
        asking('q'),
        rows((list, { query }) =>
          list.filter((record) => words(query.q ?? '').every((word) => words(titleOf(record)).includes(word))),
        ),
      ),
    ),
    'Exact accents.': inReply(
      lists,
      whenever(
        asking('q'),
        rows((list, { query }) => list.filter((record) => titleOf(record).includes((query.q ?? '').toLowerCase()))),
      ),
    ),
  }),
  ...otherwise('cohesion.structures-per-page', {
    'No: always 25.': inReply(
      structures,
      whenever(asking('per_page'), body(having(({ meta }) => ({ meta: having({ per_page: 25 })(meta) })))),
    ),
  }),
  // The token of a state has one structure in its perimeter.
  ...otherwise('cohesion.perimeter', {
    'It limits reads as well.': inReply(
      structures,
      rows((list) => list.slice(0, 1)),
    ),
  }),
];

export const cohesionReplies: Alternative[] = [...indicatorFields, ...otherRecords, ...financings, ...order];
