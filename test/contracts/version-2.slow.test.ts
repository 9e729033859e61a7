import { expect, test } from 'vitest';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { folderOf, messagesOf, older, outcomesOf, verifyPact } from './pact-files.ts';

const version = '2.0.0';

/** As pact-php 9 writes it: one state per interaction, the query as text, matching rules in the reply. */
const php = (providerState: string, status = 200) => {
  const body = { success: true, data: { store_id: 'S', items: [{ product_id: 'P', quantity: 1 }] } };
  const matchingRules = {
    '$.body.data.store_id': { match: 'type' },
    '$.body.data.items': { min: 1 },
    '$.body.data.items[*].*': { match: 'type' },
    '$.headers.Content-Type': { match: 'regex', regex: 'application/json.*' },
  };
  return {
    description: providerState,
    providerState,
    request: {
      method: 'GET',
      path: '/api/v1/inventory',
      headers: { Accept: 'application/json', Authorization: 'Bearer some-token' },
      query: 'store_id=STORE-1',
    },
    response: { status, headers: { 'Content-Type': 'application/json' }, ...(status === 200 && { body, matchingRules }) },
  };
};

/** As pact-python 1 writes it, with Ruby's mock service. */
const python = (providerState: string, response: object) => ({
  description: 'a request for indicators',
  providerState,
  request: { method: 'get', path: '/api/v1/indicateurs', query: 'per_page=2', headers: { Authorization: 'Bearer abc' } },
  response,
});

test('one state names a token and its data, in any order and case; the absence of a record needs no parameter', async () => {
  const { verification } = await verifyPact(
    older([php('an access token and a store'), php('an access token and no store', 404), php('a store')], {
      version,
    }),
  );
  expect(outcomesOf(verification)).toEqual(['verified', 'verified', 'failed']);
  expect(messagesOf(verification)['a store']?.[0]).toContain('name "an access token" too');
  const list = {
    status: 200,
    body: { data: [{ id: 1, code: 'IND-001' }], meta: { page: 1, per_page: 2 } },
    matchingRules: { '$.body.data': { min: 1 }, '$.body.data[*].*': { match: 'type' } },
  };
  // No state of the second gives a token, so the request keeps its own, which is wrong.
  const both = [python('Indicators; An access token', list), python('indicators', { status: 401 })];
  const found = await verifyPact(older(both, { provider: 'cohesion', version }), 'cohesion');
  expect(outcomesOf(found.verification)).toEqual(['verified', 'verified']);
});

test('each unknown part of joined states is named with the nearest state', async () => {
  const { verification } = await verifyPact(older([php('an acces token and a store, no stoer')], { version }));
  expect(verification.interactions[0]?.problems[0]?.message).toBe(
    'pos has no provider state "an acces token". Did you mean "an access token"? pos has no provider state "no stoer". Did you mean "no store"? passerelle states lists all.',
  );
});

test("a partner's own words stand for states with parameters, in a file beside the pact, and are joined as ours are", async () => {
  const token = { state: 'an access token' };
  const store = { state: 'a store', params: { store_id: 'STORE-1', products: [{ product_id: 'RIZ' }] } };
  const states = {
    'il y a des produits dans la boutique S-9': [token, store],
    'un caissier': token,
    'une boutique and son stock': store,
  };
  const words = ['il y a des produits dans la boutique S-9', 'Un caissier and une boutique and son stock, no sale'];
  const pact = older(
    words.map((one) => php(one)),
    { version },
  );
  const folder = await folderOf({ 'a.json': pact, 'passerelle.assumptions.json': { states } });
  // A shell's pattern passes both files.
  const { pacts } = await readPacts([`${folder}/a.json`, `${folder}/passerelle.assumptions.json`]);
  const { verification } = await verify({ provider: 'pos', from: pacts });
  const verified = { outcome: 'verified', exchange: { reply: { body: expect.stringContaining('RIZ') } } };
  expect(verification.interactions).toMatchObject([verified, verified]);
});

test("the document's examples of credentials stand for those of the state", async () => {
  const asks = (providerState: string, api_key: string, status = 200) => ({
    description: `${providerState} ${api_key}`,
    providerState,
    request: {
      method: 'POST',
      path: '/api/auth',
      headers: { 'Content-Type': 'application/json' },
      body: { api_key, api_secret: '<API_SECRET>' },
    },
    response: { status },
  });
  const known = 'an account with an API key';
  const all = [asks(known, '<API_KEY>'), asks('no store', '<API_KEY>', 401), asks(known, 'pk_live_abc')];
  const { verification } = await verifyPact(older(all, { version }));
  expect(outcomesOf(verification)).toEqual(['verified', 'verified', 'failed']);
  expect(verification.interactions[2]?.problems[0]).toMatchObject({
    documented: { section: '5. Authentication', says: expect.stringMatching(/^A client obtains a token with POST/) },
    gap: { id: 'pos.error-conditions' },
  });
});

test('the reply to an unknown path quotes the path of the pact', async () => {
  const pact = php('an access token and a store');
  const { verification } = await verifyPact(
    older([{ ...pact, request: { ...pact.request, path: '/api/v1/stock$&' } }], { version }),
  );
  expect(verification.interactions[0]?.exchange?.reply?.body).toContain('There is no GET /api/v1/stock$&.');
});
