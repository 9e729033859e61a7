import type { ServiceName } from '../../contracts/documents/services.ts';

type Places = Record<string, string[]>;

const below = (path: string, names: string) => names.split(' ').map((name) => `${path}.${name}`);
const list = ['status', 'body.data', 'body.data.*'];
const meta = ['body.meta', ...below('body.meta', 'page per_page total last_page')];
const status = ['status'];

/** The places in replies and messages that no alternative changes, because the documents show them. */
export const documented: Record<ServiceName, { replies: Places; messages: Places }> = {
  pos: {
    replies: {
      'POST /auth': [...status, ...below('body', 'success token_type')],
      'GET /inventory': status,
      'GET /reports/sales': status,
      '401: an inventory with a wrong token': status,
      '401: an inventory without a token': status,
      '404: an unknown path': status,
    },
    messages: {},
  },
  cohesion: {
    replies: {
      'GET /me': [
        ...status,
        'body.data',
        'body.data.user',
        ...below('body.data.user', 'id name email'),
        'body.data.token',
        ...below('body.data.token', 'name abilities abilities.*'),
      ],
      'GET /indicateurs': [
        ...list,
        ...below('body.data.*', 'id code intitule type unite valeur_courante cible_annuelle is_kpi'),
        ...meta,
      ],
      'GET /indicateurs/{id}': status,
      'GET /interventions': [...list, ...meta],
      'GET /structures': [...list, ...below('body.meta', 'page per_page last_page'), 'body.meta'],
      'GET /stats': status,
      'POST /financements': [
        'body.data',
        ...below('body.data', 'id structure_id exercice bailleur type intitule montant statut'),
      ],
      '401: me with a wrong token': status,
      '401: me without a token': status,
      '403: indicators without the ability': status,
      '403: a new financing of an unknown structure': status,
      '404: an unknown indicator': status,
      '404: an unknown financing': status,
    },
    messages: {
      'intervention.validated': [
        'body.event',
        'body.delivered_at',
        'body.data',
        ...below('body.data', 'intervention_id reference intitule structure_id region validated_by'),
      ],
    },
  },
};
