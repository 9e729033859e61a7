import type { Seed } from '../../seed/types.ts';
import {
  type Asked,
  atMs,
  body,
  type Cause,
  changing,
  everywhere,
  headers,
  query,
  reply,
  request,
  untilLimited,
} from './cause.ts';
import { sharedCauses } from './shared.ts';

const token = '7|demo_token_of_the_examples';

const financing = {
  structure_id: 4,
  exercice: 2026,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui aux comités de paix',
  montant: 25_000_000,
  devise: 'XOF',
  statut: 'promis',
} as const;

export const seed: Exclude<Seed<'cohesion'>, string> = {
  users: [{ id: 1, name: 'Aya Kouassi', email: 'aya.kouassi@example.org', role: 'admin' }],
  structures: [
    { id: 4, nom: 'Association Paix et Développement du Gbêkê', sigle: 'APDG', type: 'association', region: 'Gbêkê' },
    { id: 5, nom: 'Réseau des femmes du Poro', type: 'ong', region: 'Poro' },
  ],
  indicators: [
    {
      id: 7,
      code: 'IND-007',
      intitule: 'Nombre de comités de paix opérationnels',
      type: 'resultat',
      unite: 'comités',
      cible_annuelle: 60,
      valeur_courante: 42,
      is_kpi: true,
    },
  ],
  interventions: [
    {
      id: 31,
      reference: 'INT-2026-0031',
      intitule: 'Dialogue intercommunautaire à Bouaké',
      structure_id: 4,
      annee: 2026,
      date_debut: '2026-03-02',
      date_fin: '2026-09-30',
      budget: 12_500_000,
    },
  ],
  financings: [{ id: 12, ...financing }],
  tokens: [{ token, name: 'Tableau de bord' }],
};

const get = (path: string): Asked => ({ method: 'GET', url: `/api/v1${path}`, headers: {} });
/** The correct request of each operation. */
export const requests: Readonly<Record<string, Asked>> = {
  readMe: get('/me'),
  listIndicators: get('/indicateurs'),
  readIndicator: get('/indicateurs/7'),
  listInterventions: get('/interventions'),
  listStructures: get('/structures'),
  readStats: get('/stats?annee=2026'),
  createFinancing: { method: 'POST', url: '/api/v1/financements', headers: {}, body: financing },
  updateFinancing: {
    method: 'PUT',
    url: '/api/v1/financements/12',
    headers: {},
    body: { statut: 'obtenu', montant: 24_500_000 },
  },
};

export const signedIn = async (): Promise<Record<string, string>> => ({ authorization: `Bearer ${token}` });

const secured = Object.keys(requests);
const lists = ['listIndicators', 'listInterventions', 'listStructures'];
const writing = ['createFinancing', 'updateFinancing'];
const reading = secured.filter((name) => !writing.includes(name));
const ofOne = ['readIndicator', 'updateFinancing'];
const withAbility = secured.filter((name) => name !== 'readMe');

/** Of the causes with one status, the first is the usual one: `code=422` gives its reply. */
export const causes: Cause[] = [
  reply('me', ['readMe'], 'The token is valid.'),
  reply('listed', lists, 'There are rows.'),
  reply('no_rows', lists, 'No row matches.', query({ q: 'introuvable' })),
  reply('found', ['readIndicator'], 'The indicator is active.'),
  reply('stats', ['readStats'], 'The fiscal year has data.'),
  reply('created', ['createFinancing'], 'The financing is stored.'),
  reply('updated', ['updateFinancing'], 'The financing is changed.'),
  reply('invalid_request', lists, 'A parameter has a wrong value.', query({ per_page: '500' })),
  reply('invalid_request', ['readStats'], 'A parameter has a wrong value.', query({ annee: '26' })),
  reply(
    'invalid_request',
    ['createFinancing'],
    'A required field is missing, or a value is wrong.',
    request({ body: { ...financing, montant: -1, bailleur: undefined } }),
  ),
  reply('invalid_request', ['updateFinancing'], 'A value is wrong.', body({ montant: -1 })),
  reply('nothing_to_change', ['updateFinancing'], 'The body has no field.', request({ body: {} })),
  reply('unknown_field', secured, 'The query has a parameter that the document does not name.', query({ sort: 'id' })),
  reply('unknown_body_field', writing, 'The body has a field that the document does not name.', body({ note: 'urgent' })),
  reply('structure_not_found', writing, 'There is no active structure with this id.', body({ structure_id: 99 })),
  reply(
    'token_unknown',
    everywhere,
    'The token is not known.',
    headers({ authorization: 'Bearer 8|another_token_of_the_examples' }),
  ),
  reply('token_revoked', everywhere, 'The token was revoked.', changing('tokens', { id: 7 }, { revoked_at: atMs })),
  reply('token_expired', everywhere, 'The token has expired.', changing('tokens', { id: 7 }, { expires_at: atMs })),
  reply(
    'ability_missing',
    withAbility,
    'The token does not have the ability that the call needs.',
    changing('tokens', { id: 7 }, { abilities: [] }),
  ),
  reply(
    'outside_perimeter',
    writing,
    'The structure is outside the perimeter of the token.',
    changing('tokens', { id: 7 }, { structure_ids: [5] }),
  ),
  reply('user_inactive', everywhere, 'The user of the token is inactive.', changing('users', { id: 1 }, { active: false })),
  reply('not_found', ofOne, 'There is no record with this id.', ({ correct }) => ({
    ...correct,
    url: correct.url.replace(/\d+$/, '999'),
  })),
  reply('invalid_id', ofOne, 'The id is not a number.', ({ correct }) => ({
    ...correct,
    url: correct.url.replace(/\d+$/, 'seven'),
  })),
  reply('rate_limited', writing, 'The token made more than 30 writes in a minute.', untilLimited),
  reply('rate_limited', reading, 'The operator limits this operation.', (scene) => {
    scene.limitOperations();
    return untilLimited(scene);
  }),
  ...sharedCauses({ secured, withBody: writing }),
];
