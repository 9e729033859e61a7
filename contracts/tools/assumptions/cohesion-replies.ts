import { fieldsOf } from '../json.ts';
import { type Alternative, alternativesOf, type ReplyChange } from './alternative.ts';
import { body, data, noBody, on, records, rows, status } from './changes.ts';
import { type Condition, not, sent, when } from './conditions.ts';
import {
  everywhere,
  listOf,
  mappedValues,
  only,
  otherNames,
  removeEverywhere,
  renamed,
  scaled,
  withFields,
  without,
} from './values.ts';

/** Alternatives for the successful replies of social cohesion. */

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

/** The document does not show which indicators are in alert, so this puts all of them in alert. */
const alertWords = (under: string, over: string) => everywhere(['alert_state'], mappedValues({ none: under, under, over }));

const indicatorFields = [
  ...alternativesOf('cohesion.alert-states', {
    degrees: inReply(indicators, data(alertWords('warning', 'critical'))),
    performance: inReply(indicators, data(alertWords('under_performance', 'over_performance'))),
  }),
  ...alternativesOf('cohesion.attainment-rate', {
    fraction: [
      inReply(indicators, data(everywhere(['taux_atteinte'], scaled(0.01)))),
      inReply(stats, data(everywhere(['taux_atteinte_moyen'], scaled(0.01)))),
    ],
    'null-without-target': inReply(
      indicators,
      records(
        withFields(({ cible_annuelle, taux_atteinte }) => ({ taux_atteinte: cible_annuelle === 0 ? null : taux_atteinte })),
      ),
    ),
  }),
  ...alternativesOf('cohesion.indicator-detail', {
    further: inReply(detail, data(withFields({ description: 'Part des ménages', historique: [] }))),
    bare: inReply(
      detail,
      body((value) => fieldsOf(value).data),
    ),
  }),
];

const otherRecords = [
  ...alternativesOf('cohesion.intervention-fields', {
    'structure-object': inReply(
      interventions,
      records((held) => ({
        ...without(fieldsOf(held), 'structure_id'),
        structure: { id: fieldsOf(held).structure_id, nom: 'Comité de paix' },
      })),
    ),
    further: inReply(interventions, records(withFields({ description: 'Rencontres', lieu: 'Bouaké', beneficiaires: 120 }))),
    'other-names': inReply(interventions, records(otherNames)),
  }),
  ...alternativesOf('cohesion.intervention-statuses', {
    // Without a filter, the list may contain any status.
    further: [
      inReply(
        interventions,
        when(
          not(asking('statut')),
          rows((list) => list.map((one, at) => (at === list.length - 1 ? withFields({ statut: 'soumis' })(one) : one))),
        ),
      ),
      inReply(interventions, records(withFields(({ statut }) => ({ statut: mappedValues({ suspendu: 'annule' })(statut) })))),
      inReply(
        stats,
        data(
          withFields(({ interventions: counted }) => ({
            interventions: withFields(({ par_statut }) => ({ par_statut: renamed('suspendu', 'annule')(par_statut) }))(counted),
          })),
        ),
      ),
    ],
  }),
  ...alternativesOf('cohesion.structure-fields', {
    intitule: inReply(structures, records(renamed('nom', 'intitule'))),
    contacts: inReply(structures, records(withFields({ adresse: 'BP 12, Bouaké', contacts: [] }))),
    'other-names': inReply(structures, records(otherNames)),
  }),
  ...alternativesOf('cohesion.stats-fields', {
    'by-region': inReply(stats, data(withFields({ par_region: {} }))),
    'one-currency': inReply(stats, data(removeEverywhere('devise'))),
    'other-names': inReply(stats, data(otherNames)),
    bare: inReply(
      stats,
      body((value) => fieldsOf(value).data),
    ),
  }),
  ...alternativesOf('cohesion.user-roles', {
    'narrows-abilities': inReply(
      me,
      data(
        withFields(({ user, token }) => ({
          token: fieldsOf(user).role === 'lecteur' ? withFields({ abilities: readAbilities(token) })(token) : token,
        })),
      ),
    ),
    'other-roles': inReply(me, data(withFields(({ user }) => ({ user: withFields({ role: 'editor' })(user) })))),
  }),
];

function readAbilities(token: unknown): unknown[] {
  return listOf(fieldsOf(token).abilities).filter((ability) => String(ability).startsWith('read:'));
}

const financings = [
  ...alternativesOf('cohesion.devise-sent', {
    ignored: inReply(
      [create, update],
      data(withFields((_, asked) => (asked && 'devise' in sent(asked) ? { devise: 'XOF' } : {}))),
    ),
    'other-default': inReply(
      [create, update],
      data(withFields((_, asked) => (asked && 'devise' in sent(asked) ? {} : { devise: 'EUR' }))),
    ),
  }),
  ...alternativesOf('cohesion.financing-update-required', {
    emptied: inReply(
      update,
      data(
        withFields((record, asked) =>
          Object.fromEntries(
            Object.keys(record)
              .filter((name) => name !== 'id' && asked && !(name in sent(asked)))
              .map((name) => [name, null]),
          ),
        ),
      ),
    ),
  }),
  ...alternativesOf('cohesion.financing-create-status', { '200': inReply(create, status(200)) }),
  ...alternativesOf('cohesion.financing-update-status', {
    '204': inReply(update, (reply, asked) => noBody(status(204)(reply, asked), asked)),
  }),
  ...alternativesOf('cohesion.financing-update-response', {
    'no-body': inReply(update, noBody),
    'changed-only': inReply(
      update,
      data((record, asked) => only(...Object.keys(asked ? sent(asked) : {}))(record)),
    ),
  }),
];

const nameOf = (record: unknown) => {
  const { code, nom, reference } = fieldsOf(record);
  return String(code ?? nom ?? reference ?? '');
};
const order = [
  ...alternativesOf('cohesion.empty-last-page', {
    '0': inReply(
      lists,
      when(
        (_, reply) => fieldsOf(fieldsOf(reply.body).meta).total === 0,
        body(withFields(({ meta }) => ({ meta: withFields({ last_page: 0 })(meta) }))),
      ),
    ),
  }),
  ...alternativesOf('cohesion.list-order', {
    'newest-first': inReply(
      lists,
      rows((list) => list.toReversed()),
    ),
    'by-name': inReply(
      lists,
      rows((list) => list.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0))),
    ),
  }),
  ...alternativesOf('cohesion.structures-per-page', {
    'always-25': inReply(
      structures,
      when(asking('per_page'), body(withFields(({ meta }) => ({ meta: withFields({ per_page: 25 })(meta) })))),
    ),
  }),
  // A state's token has one structure in its perimeter.
  ...alternativesOf('cohesion.perimeter', {
    'reads-too': inReply(
      structures,
      rows((list) => list.slice(0, 1)),
    ),
  }),
];

export const cohesionReplies: Alternative[] = [...indicatorFields, ...otherRecords, ...financings, ...order];
