import { pactOf } from '../../contracts/tools/recording/pact.ts';
import { type Call, exchangeOf, type Recording } from '../../contracts/tools/recording/recorded.ts';
import type { ServiceName } from '../../spec/documents/services.ts';

export const recorded = (service: ServiceName, call: Partial<Call>) =>
  exchangeOf(service, {
    method: 'GET',
    url: '/',
    requestHeaders: { authorization: 'Bearer tok' },
    requestBody: '',
    status: 200,
    responseHeaders: { 'content-type': 'application/json; charset=utf-8' },
    responseBody: '{}',
    ...call,
  });

export const recordingOf = (service: ServiceName, ...calls: Partial<Call>[]): Recording => ({
  service,
  exchanges: calls.map((call) => recorded(service, call)),
  deliveries: [],
  leftOut: [],
});

export const written = (recording: Recording) => pactOf(recording, 'till');

/** What differs between two runs of one suite. */
export interface Run {
  /** A token, a key, a secret, a store, a reference, a text that is searched for, and a name. */
  word: string;
  phone: string;
  number: number;
  year: number;
}

const json = JSON.stringify;

export function tillRun({ word, phone, number }: Run): Recording {
  const requestHeaders = { authorization: `Bearer tok-${word}` };
  const items = [{ product_id: `P-${number}`, quantity: 1, price: number }];
  const sale = { store_id: word, items, payment_method: 'cash', total: number };
  const post = (url: string, body: object, status: number, more: Partial<Call> = {}) => {
    return { method: 'POST', url, requestHeaders, requestBody: json(body), status, ...more };
  };
  const login = { api_key: word, api_secret: `secret-${word}` };
  const token = json({ success: true, token: word, expires_in: number, token_type: 'Bearer' });
  return recordingOf(
    'pos',
    post('/api/auth', login, 200, { responseBody: token }),
    post('/api/auth', { ...login, api_secret: 'another' }, 401),
    post('/api/v1/sales', { ...sale, customer_phone: phone }, 201, { responseBody: json({ data: { reference: word } }) }),
    post('/api/v1/sales', { ...sale, total: number + 1 }, 400),
    post('/api/v1/sales', { ...sale, store_id: `${word}-2` }, 404),
    post('/api/v1/payment/mobile', { amount: number, phone, provider: 'orange_money', reference: word }, 201),
    post('/api/v1/sales', sale, 401, { requestHeaders: { authorization: `Bearer tok-${word}.x` } }),
    { url: `/api/v1/inventory?store_id=${word}`, requestHeaders },
  );
}

export function dashboardRun({ word, number, year }: Run): Recording {
  const requestHeaders = { authorization: `Bearer tok-${word}`, accept: 'application/json' };
  const row = { id: number, code: `IND-${number}`, intitule: word, type: 'impact', unite: '%', valeur_courante: number };
  const page = (data: object[]) => json({ data, meta: { page: 1, per_page: 25, total: data.length, last_page: 1 } });
  const about = { structure_id: number, exercice: year, bailleur: word, type: 'etat', intitule: word };
  const requestBody = json({ ...about, montant: number, statut: 'promis' });
  const update = { method: 'PUT', url: `/api/v1/financements/${number}`, requestBody: json({ statut: 'obtenu' }) };
  const calls: Partial<Call>[] = [
    { url: '/api/v1/indicateurs', responseBody: page([row]) },
    { url: `/api/v1/indicateurs?q=${word}`, responseBody: page([row, row]) },
    { url: '/api/v1/indicateurs?type=impact&per_page=7', responseBody: page([row]) },
    { url: `/api/v1/indicateurs/${number}`, responseBody: json({ data: row }) },
    { url: `/api/v1/indicateurs/${number + 1}`, status: 404 },
    { url: `/api/v1/stats?annee=${year}` },
    { method: 'POST', url: '/api/v1/financements', requestBody, status: 201, responseBody: `{"data":${requestBody}}` },
    update,
  ];
  return recordingOf('cohesion', ...calls.map((call) => ({ requestHeaders, ...call })));
}
