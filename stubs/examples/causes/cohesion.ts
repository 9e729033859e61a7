import type { Seed } from '../../seed/types.ts';
import { type Asked, type Cause, untilLimited, withBody, withHeaders, withQuery } from './cause.ts';
import { sharedCauses } from './shared.ts';

const token = '7|demo_token_of_the_examples';

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
  financings: [
    {
      id: 12,
      structure_id: 4,
      exercice: 2026,
      bailleur: 'Banque mondiale',
      type: 'bailleur',
      intitule: 'Appui aux comités de paix',
      montant: 25_000_000,
      statut: 'promis',
    },
  ],
  tokens: [{ token, name: 'Tableau de bord' }],
};

const get = (path: string): Asked => ({ method: 'GET', url: `/api/v1${path}`, headers: {} });
const financing = {
  structure_id: 4,
  exercice: 2026,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui aux comités de paix',
  montant: 25_000_000,
  devise: 'XOF',
  statut: 'promis',
};

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

const successes: Cause[] = [
  { name: 'me', operations: ['readMe'], cause: 'The token is valid.' },
  { name: 'listed', operations: lists, cause: 'There are rows.' },
  {
    name: 'no_rows',
    operations: lists,
    cause: 'No row matches.',
    ask: ({ correct }) => withQuery(correct, { q: 'introuvable' }),
  },
  { name: 'found', operations: ['readIndicator'], cause: 'The indicator is active.' },
  { name: 'stats', operations: ['readStats'], cause: 'The fiscal year has data.' },
  { name: 'created', operations: ['createFinancing'], cause: 'The financing is stored.' },
  { name: 'updated', operations: ['updateFinancing'], cause: 'The financing is changed.' },
];

const wrongFields: Cause[] = [
  {
    name: 'invalid_request',
    operations: lists,
    cause: 'A parameter has a wrong value.',
    ask: ({ correct }) => withQuery(correct, { per_page: '500' }),
  },
  {
    name: 'invalid_request',
    operations: ['readStats'],
    cause: 'A parameter has a wrong value.',
    ask: ({ correct }) => withQuery(correct, { annee: '26' }),
  },
  {
    name: 'invalid_request',
    operations: ['createFinancing'],
    cause: 'A required field is missing, or a value is wrong.',
    ask: ({ correct }) => ({ ...correct, body: { ...financing, montant: -1, bailleur: undefined } }),
  },
  {
    name: 'invalid_request',
    operations: ['updateFinancing'],
    cause: 'A value is wrong.',
    ask: ({ correct }) => withBody(correct, { montant: -1 }),
  },
  {
    name: 'nothing_to_change',
    operations: ['updateFinancing'],
    cause: 'The body has no field.',
    ask: ({ correct }) => ({ ...correct, body: {} }),
  },
  {
    name: 'unknown_field',
    operations: secured,
    cause: 'The query has a parameter that the document does not name.',
    ask: ({ correct }) => withQuery(correct, { sort: 'id' }),
  },
  {
    name: 'unknown_body_field',
    operations: writing,
    cause: 'The body has a field that the document does not name.',
    ask: ({ correct }) => withBody(correct, { note: 'urgent' }),
  },
  {
    name: 'structure_not_found',
    operations: writing,
    cause: 'There is no active structure with this id.',
    ask: ({ correct }) => withBody(correct, { structure_id: 99 }),
  },
];

const refusedCallers: Cause[] = [
  {
    name: 'token_unknown',
    cause: 'The token is not known.',
    ask: ({ correct }) => withHeaders(correct, { authorization: 'Bearer 8|another_token_of_the_examples' }),
  },
  {
    name: 'token_revoked',
    cause: 'The token was revoked.',
    ask: async ({ core }) => {
      await core.store.update('tokens', { id: 7 }, { revoked_at: core.services.clock.now() });
      return undefined;
    },
  },
  {
    name: 'token_expired',
    cause: 'The token has expired.',
    ask: async ({ core }) => {
      await core.store.update('tokens', { id: 7 }, { expires_at: core.services.clock.now() });
      return undefined;
    },
  },
  {
    name: 'ability_missing',
    operations: withAbility,
    cause: 'The token does not have the ability that the call needs.',
    ask: async ({ core }) => {
      await core.store.update('tokens', { id: 7 }, { abilities: [] });
      return undefined;
    },
  },
  {
    name: 'outside_perimeter',
    operations: writing,
    cause: 'The structure is outside the perimeter of the token.',
    ask: async ({ core }) => {
      await core.store.update('tokens', { id: 7 }, { structure_ids: [5] });
      return undefined;
    },
  },
  {
    name: 'user_inactive',
    cause: 'The user of the token is inactive.',
    ask: async ({ core }) => {
      await core.store.update('users', { id: 1 }, { active: false });
      return undefined;
    },
  },
];

const others: Cause[] = [
  {
    name: 'not_found',
    operations: ofOne,
    cause: 'There is no record with this id.',
    ask: ({ correct }) => ({ ...correct, url: correct.url.replace(/\d+$/, '999') }),
  },
  {
    name: 'invalid_id',
    operations: ofOne,
    cause: 'The id is not a number.',
    ask: ({ correct }) => ({ ...correct, url: correct.url.replace(/\d+$/, 'seven') }),
  },
  {
    name: 'rate_limited',
    operations: writing,
    cause: 'The token made more than 30 writes in a minute.',
    ask: (scene) => untilLimited(scene, scene.correct),
  },
  {
    name: 'rate_limited',
    operations: reading,
    cause: 'The operator limits this operation.',
    ask: (scene) => {
      scene.limitOperations();
      return untilLimited(scene, scene.correct);
    },
  },
];

const uncounted: Cause = {
  name: 'limits_unavailable',
  cause: 'The gateway cannot count calls against the limit.',
  ask: ({ limitOperations, loseCounters }) => {
    limitOperations();
    loseCounters();
    return undefined;
  },
};

/** Of the causes with one status, the first is the usual one: `code=422` gives its reply. */
export const causes: Cause[] = [
  ...[successes, wrongFields, refusedCallers, others].flat(),
  ...sharedCauses({ secured, withBody: writing }),
  uncounted,
];
