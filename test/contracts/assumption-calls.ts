import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Call, States } from './assumption-samples.ts';

/** Accepted and refused calls of each operation. Each alternative changes the reply to at least one of them. */

type Fields = Record<string, unknown>;

const till: States = ['an access token', 'a store'];
const line = { product_id: 'PROD-1', quantity: 2, price: 4500 };
const saleFields = { store_id: 'STORE-1', items: [line], payment_method: 'cash', customer_phone: '+2250701020304', total: 9000 };
const sale = (changes: Fields = {}): Call => ({ states: till, request: 'POST /sales', body: { ...saleFields, ...changes } });
const payment = (changes: Fields = {}, states: States = [...till, 'a sale awaiting payment']): Call => ({
  states,
  request: 'POST /payment/mobile',
  body: ({ reference }: Fields) => ({ amount: 4500, phone: '+2250701020304', provider: 'mtn_momo', reference, ...changes }),
});
const inventory = (store: string, more: Partial<Call> = {}): Call => ({
  states: till,
  request: `GET /inventory?store_id=${store}`,
  ...more,
});
const report = (period = ''): Call => ({
  states: ['an access token', 'sales on a day'],
  request: `GET /reports/sales?store_id=STORE-1${period}`,
});
const login = (path: string, changes: Fields = {}): Call => ({
  states: ['an account with an API key'],
  request: `POST ${path}`,
  body: ({ api_key, api_secret }: Fields) => ({ api_key, api_secret, ...changes }),
});

const pos: Record<string, Call> = {
  'a token': login('/api/auth'),
  'a token below the base address': login('/auth'),
  'wrong credentials': login('/api/auth', { api_secret: 'wrong' }),
  'a sale': sale(),
  'a mobile-money sale without a phone': sale({ payment_method: 'mobile_money', customer_phone: undefined }),
  'a sale of one product twice': sale({ items: [line, line], total: 18_000 }),
  'a sale of half a sack': sale({ items: [{ ...line, quantity: 0.5 }], total: 2250 }),
  'a sale with a local phone': sale({ customer_phone: '0701020304' }),
  'a sale without a total': sale({ total: undefined }),
  'a sale paid by cheque': sale({ payment_method: 'cheque' }),
  'a sale below the sum of its lines': sale({ total: 8000 }),
  'a sale with a surplus field': sale({ note: 'x' }),
  'a sale of more than the stock': sale({ items: [{ ...line, quantity: 1000 }], total: 4_500_000 }),
  'a sale with an empty key': { ...sale(), headers: { 'idempotency-key': '' } },
  'a sale that is too large': sale({ note: 'x'.repeat(300_000) }),
  'a sale that is not JSON': { ...sale(), headers: { 'content-type': 'text/plain' }, body: 'x' },
  'sales read': { states: till, request: 'GET /sales' },
  'an unknown path': { states: till, request: 'GET /tills' },
  'a payment': payment(),
  'a payment with a local phone': payment({ phone: '0701020304' }),
  'a payment without a reference': payment({ reference: undefined }),
  'a payment without a phone': payment({ phone: undefined }),
  'a payment of an unknown sale': payment({ reference: 'S-20260101-000000' }),
  'a payment over the total': payment({ amount: 5000 }),
  'a payment of a paid sale': payment({}, [...till, 'a paid sale']),
  inventory: inventory('STORE-1'),
  'the inventory of an unknown store': inventory('STORE-9'),
  'an inventory with a surplus parameter': inventory('STORE-1&x=1'),
  'an inventory without a token': inventory('STORE-1', { headers: { authorization: '' } }),
  'an inventory with a wrong token': inventory('STORE-1', { states: [] }),
  'an inventory in HTML': inventory('STORE-1', { headers: { accept: 'text/html' } }),
  'an inventory over the limit': inventory('STORE-1', { states: ["the plan's limit is used up"] }),
  'an inventory of no store': { states: till, request: 'GET /inventory' },
  'a report': report(),
  'a report of a period': report('&start_date=2026-01-01&end_date=2026-01-31'),
};

const token: States = ['an access token'];
const reads = (request: string, ...states: States): Call => ({ states: [...token, ...states], request });
const financing = ({ structure_id }: Fields) => ({
  structure_id,
  exercice: 2026,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui',
  montant: 1_000_000,
  statut: 'obtenu',
});
const create = (changes: Fields = {}, more: Partial<Call> = {}): Call => ({
  states: token,
  request: 'POST /financements',
  body: (values: Fields) => ({ ...financing(values), ...changes }),
  ...more,
});
const update = (body: Fields, statut = 'promis'): Call => ({
  states: [...token, ['a financing', { statut }]],
  request: 'PUT /financements/:financing_id',
  body,
});
const inAlert = { valeur_courante: 10, cible_annuelle: 100 };

const cohesion: Record<string, Call> = {
  me: reads('GET /me'),
  'me as a reader': { states: [['an access token', { role: 'lecteur' }]], request: 'GET /me' },
  'me without a token': { states: token, request: 'GET /me', headers: { authorization: '' } },
  'me with a wrong token': { request: 'GET /me' },
  'me with a surplus parameter': reads('GET /me?x=1'),
  'me in HTML': { ...reads('GET /me'), headers: { accept: 'text/html' } },
  'me deleted': { states: token, request: 'DELETE /me' },
  indicators: reads('GET /indicateurs', ['an indicator', inAlert]),
  'the second page of indicators': reads('GET /indicateurs?page=2', 'indicators'),
  'indicators that are not KPIs': reads('GET /indicateurs?kpi=0', ['an indicator', { ...inAlert, is_kpi: false }]),
  'too many indicators': reads('GET /indicateurs?per_page=500'),
  'indicators without the ability': {
    states: [['an access token without the ability', { ability: 'read:indicators' }]],
    request: 'GET /indicateurs',
  },
  'an indicator': reads('GET /indicateurs/:indicator_id', ['an indicator', inAlert]),
  'an indicator without a target': reads('GET /indicateurs', ['an indicator', { cible_annuelle: 0, valeur_courante: 0 }]),
  'an unknown indicator': reads('GET /indicateurs/99999'),
  interventions: reads('GET /interventions', 'interventions'),
  'suspended interventions': reads('GET /interventions?statut=suspendu', ['interventions', { statut: 'suspendu' }]),
  drafts: reads('GET /interventions?statut=brouillon', 'interventions'),
  'interventions of an unknown region': reads('GET /interventions?region=Nulle', 'interventions'),
  structures: reads('GET /structures?per_page=50', ['structures', { nom: 'Zone' }], ['structures', { nom: 'Alliance' }]),
  'local authorities': reads('GET /structures', ['structures', { type: 'collectivite' }]),
  'structures of an unknown type': reads('GET /structures?type=club'),
  statistics: reads('GET /stats', 'statistics of a year'),
  'a new financing': create(),
  'a new financing with an invalid currency': create({ devise: 'euro' }),
  'a new financing that is paid out': create({ statut: 'decaisse' }),
  'a new financing with the amount 0': create({ montant: 0 }),
  'a new financing of an unknown type': create({ type: 'don' }),
  'a new financing of an unknown status': create({ statut: 'cloture' }),
  'a new financing without a status': create({ statut: undefined }),
  'a new financing without a type': create({ type: undefined }),
  'a new financing with a surplus field': create({ note: 'x' }),
  'a new financing of an unknown structure': create({ structure_id: 999_999 }),
  'a new financing of an unknown structure, with a token for all': create(
    { structure_id: 999_999 },
    {
      async before({ reference, values }) {
        const wanted = { name: 'outil', abilities: ['write:financements'], structure_ids: null };
        const { token } = await reference.manage('POST', `/cohesion/users/${values.user_id}/tokens`, wanted);
        values.token = token;
      },
    },
  ),
  'a new financing that is too large': create({ intitule: 'x'.repeat(300_000) }),
  'a new financing that is text': create({}, { headers: { 'content-type': 'text/plain' }, body: 'x' }),
  'a new financing with malformed JSON': create({}, { body: '{"structure_id":' }),
  'a new financing over the limit': create({}, { states: ['the write limit is used up'] }),
  'a financing that is back to a promise': update({ statut: 'promis' }, 'obtenu'),
  'a financing that is alive again': update({ statut: 'promis' }, 'annule'),
  'an unknown financing': { ...create({ statut: 'obtenu' }), request: 'PUT /financements/99999' },
};

export const calls: Record<ServiceName, Record<string, Call>> = { pos, cohesion };
