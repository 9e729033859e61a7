import { pactOf } from '../../contracts/tools/recording/pact.ts';
import type { RecordedCall, Recording } from '../../contracts/tools/recording/recorded.ts';
import { pactText } from '../../contracts/tools/recording/settle.ts';

export const recorded = (call: Partial<RecordedCall>): RecordedCall => ({
  method: 'GET',
  url: '/',
  requestHeaders: {},
  requestBody: '',
  status: 200,
  responseHeaders: { 'content-type': 'application/json; charset=utf-8' },
  responseBody: '{}',
  at: 0,
  ...call,
});

/** What differs between two runs of one suite. */
export interface Run {
  token: string;
  key: string;
  secret: string;
  reference: string;
  store: string;
  phone: string;
  price: number;
  id: number;
  year: number;
  search: string;
  name: string;
}

const json = JSON.stringify;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export function tillRun({ token, key, secret, reference, store, phone, price, id }: Run): Recording {
  const sale = { store_id: store, items: [{ product_id: `P-${id}`, quantity: 1, price }], payment_method: 'cash', total: price };
  const post = (url: string, body: unknown, more: Partial<RecordedCall> = {}) =>
    recorded({ method: 'POST', url, requestHeaders: bearer(token), requestBody: json(body), ...more });
  const payment = { amount: price, phone, provider: 'orange_money', reference };
  const calls = [
    post(
      '/api/auth',
      { api_key: key, api_secret: secret },
      { responseBody: json({ success: true, token, expires_in: id, token_type: 'Bearer' }) },
    ),
    post('/api/auth', { api_key: key, api_secret: `${secret}!` }, { status: 401 }),
    post(
      '/api/v1/sales',
      { ...sale, customer_phone: phone },
      { status: 201, responseBody: json({ success: true, data: { id: `sale_${id}`, reference } }) },
    ),
    post('/api/v1/sales', { ...sale, total: price + id }, { status: 400 }),
    post('/api/v1/sales', { ...sale, store_id: `${store}-2` }, { status: 404 }),
    post('/api/v1/payment/mobile', payment, { status: 201 }),
    post('/api/v1/sales', sale, { status: 401, requestHeaders: bearer(`${token}.x`) }),
    recorded({ url: `/api/v1/inventory?store_id=${encodeURIComponent(store)}`, requestHeaders: bearer(token) }),
  ];
  return { service: 'pos', calls, deliveries: [] };
}

export function dashboardRun({ token, id, year, search, name }: Run): Recording {
  const requestHeaders = { ...bearer(token), accept: 'application/json' };
  const row = { id, code: `IND-${id}`, intitule: name, type: 'impact', unite: '%', valeur_courante: id, cible_annuelle: 80 };
  const page = (data: object[]) => json({ data, meta: { page: 1, per_page: 25, total: data.length, last_page: 1 } });
  const financing = {
    structure_id: id,
    exercice: year,
    bailleur: name,
    type: 'etat',
    intitule: name,
    montant: id,
    statut: 'promis',
  };
  const calls = [
    recorded({ url: '/api/v1/indicateurs', requestHeaders, responseBody: page([row]) }),
    recorded({ url: `/api/v1/indicateurs?q=${encodeURIComponent(search)}`, requestHeaders, responseBody: page([row, row]) }),
    recorded({ url: '/api/v1/indicateurs?type=impact&per_page=7', requestHeaders, responseBody: page([row]) }),
    recorded({ url: `/api/v1/indicateurs/${id}`, requestHeaders, responseBody: json({ data: row }) }),
    recorded({ url: `/api/v1/indicateurs/${id + 1}`, requestHeaders, status: 404 }),
    recorded({ url: `/api/v1/stats?annee=${year}`, requestHeaders }),
    recorded({
      method: 'POST',
      url: '/api/v1/financements',
      requestHeaders,
      requestBody: json(financing),
      status: 201,
      responseBody: json({ data: { id, ...financing, devise: 'XOF' } }),
    }),
    recorded({ method: 'PUT', url: `/api/v1/financements/${id}`, requestHeaders, requestBody: json({ statut: 'obtenu' }) }),
  ];
  return { service: 'cohesion', calls, deliveries: [] };
}

export const writtenPact = (recording: Recording, promiseAll = false) =>
  pactOf(recording, { consumer: 'till', provider: recording.service, promiseAll });
export const written = (recording: Recording, promiseAll = false): string => pactText(writtenPact(recording, promiseAll).pact);
