import { fieldsOf } from '../json.ts';
import { type Alternative, alternativesOf, type ReplyChange } from './alternative.ts';
import { body, data, noBody, on, records, status } from './changes.ts';
import { sent, when } from './conditions.ts';
import { everywhere, only, otherNames, renamed, scaled, withFields } from './values.ts';

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
const indicatorFields = [
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
    bare: inReply(
      detail,
      body((value) => fieldsOf(value).data),
    ),
  }),
];

const otherRecords = [
  ...alternativesOf('cohesion.intervention-fields', {
    'other-names': inReply(interventions, records(otherNames)),
  }),

  ...alternativesOf('cohesion.structure-fields', {
    intitule: inReply(structures, records(renamed('nom', 'intitule'))),
    'other-names': inReply(structures, records(otherNames)),
  }),
  ...alternativesOf('cohesion.stats-fields', {
    'other-names': inReply(stats, data(otherNames)),
    bare: inReply(
      stats,
      body((value) => fieldsOf(value).data),
    ),
  }),
  ...alternativesOf('cohesion.user-roles', {
    'other-roles': inReply(me, data(withFields(({ user }) => ({ user: withFields({ role: 'editor' })(user) })))),
  }),
];

const financings = [
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

  // A state's token has one structure in its perimeter.
];

export const cohesionReplies: Alternative[] = [...indicatorFields, ...otherRecords, ...financings, ...order];
