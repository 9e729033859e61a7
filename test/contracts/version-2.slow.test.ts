import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { pactFile, verifyPact } from './pact-files.ts';

/** As pact-php 9 writes it: version 2, one state per interaction, the query as text, matching rules in the reply. */
const php = (providerState: string, status = 200) => ({
  consumer: { name: 'boutique' },
  provider: { name: 'pos' },
  interactions: [
    {
      description: 'A get request to /api/v1/inventory',
      providerState,
      request: {
        method: 'GET',
        path: '/api/v1/inventory',
        headers: { Accept: 'application/json', Authorization: 'Bearer some-token' },
        query: 'store_id=STORE-1',
      },
      response: {
        status,
        headers: { 'Content-Type': 'application/json' },
        ...(status === 200
          ? {
              body: { success: true, data: { store_id: 'S', items: [{ product_id: 'P', quantity: 1 }] } },
              matchingRules: {
                '$.body.data.store_id': { match: 'type' },
                '$.body.data.items': { min: 1 },
                '$.body.data.items[*].*': { match: 'type' },
                '$.headers.Content-Type': { match: 'regex', regex: 'application/json.*' },
              },
            }
          : {}),
      },
    },
  ],
  metadata: { pactSpecification: { version: '2.0.0' } },
});

/** As pact-python 1 writes it, with Ruby's mock service. */
const python = (interactions: object[]) => ({
  consumer: { name: 'analyse' },
  provider: { name: 'cohesion' },
  interactions,
  metadata: { pactSpecification: { version: '2.0.0' } },
});
const indicators = (providerState: string, reply: object) => ({
  description: 'a request for indicators',
  providerState,
  request: { method: 'get', path: '/api/v1/indicateurs', query: 'per_page=2', headers: { Authorization: 'Bearer abc' } },
  response: reply,
});
const list = {
  status: 200,
  headers: {},
  body: { data: [{ id: 1, code: 'IND-001' }], meta: { page: 1, per_page: 2 } },
  matchingRules: { '$.body.data': { min: 1 }, '$.body.data[*].*': { match: 'type' } },
};

const results = async (...args: Parameters<typeof verifyPact>) => {
  const { verification } = await verifyPact(...args);
  return verification.interactions.map(({ outcome, problems: [first] }) => ({
    outcome,
    ...(first && { message: first.message }),
  }));
};

test('a version 2 pact from PHP names a token and its data in one state', async () => {
  expect(await results(php('an access token and a store'))).toEqual([{ outcome: 'verified' }]);
});

test('a version 2 pact from Python does too, in any order and case; a request without a token is still refused', async () => {
  const pact = python([
    indicators('Indicators; An access token', list),
    // No state gives a token, so the request keeps its own, which is wrong.
    indicators('indicators', { status: 401 }),
  ]);
  expect(await results(pact, 'cohesion')).toEqual([{ outcome: 'verified' }, { outcome: 'verified' }]);
});

test("a partner's own words stand for states with parameters, in a file beside the pact", async () => {
  const pact = php('il y a des produits dans la boutique S-9');
  const file = await pactFile(pact);
  const token = { state: 'an access token' };
  const store = { state: 'a store', params: { store_id: 'STORE-1', products: [{ product_id: 'RIZ' }] } };
  const states = { 'il y a des produits dans la boutique S-9': [token, store] };
  await writeFile(join(dirname(file), 'passerelle.assumptions.json'), JSON.stringify({ states }));
  // A shell's pattern passes both files.
  const { pacts } = await readPacts([file, join(dirname(file), 'passerelle.assumptions.json')]);
  const { verification } = await verify({ provider: 'pos', from: pacts });
  expect(verification.interactions).toMatchObject([
    { outcome: 'verified', exchange: { reply: { body: expect.stringContaining('RIZ') } } },
  ]);
});

test('the absence of a record needs no parameter, which version 2 could not give', async () => {
  expect(await results(php('an access token and no store', 404))).toEqual([{ outcome: 'verified' }]);
});

test('a read without a token says which state is missing', async () => {
  const [result] = await results(php('a store'));
  expect(result).toMatchObject({ outcome: 'failed', message: expect.stringContaining('name "an access token" too') });
});

test('each unknown part is named with the nearest state', async () => {
  const [result] = await results(php('an acces token and a store, no stoer'));
  expect(result?.outcome).toBe('failed');
  expect(result?.message).toMatch(
    /^pos has no provider state "an acces token"\. Did you mean "an access token"\? pos has no provider state "no stoer"\. Did you mean "no store"\? passerelle states lists all/,
  );
});

describe('what version 2 cannot ask for', () => {
  const asks = (provider: string, providerState: string, request: object, status = 200) => ({
    consumer: { name: 'boutique' },
    provider: { name: provider },
    interactions: [{ description: 'x', providerState, request, response: { status } }],
    metadata: { pactSpecification: { version: '2.0.0' } },
  });
  const token = (state: string, credentials: object, status?: number) =>
    asks(
      'pos',
      state,
      { method: 'POST', path: '/api/auth', headers: { 'Content-Type': 'application/json' }, body: credentials },
      status,
    );

  test("the document's examples of credentials stand for those of the state", async () => {
    const examples = { api_key: '<API_KEY>', api_secret: '<API_SECRET>' };
    expect(await results(token('an account with an API key', examples))).toEqual([{ outcome: 'verified' }]);
    expect(await results(token('no store', examples, 401))).toEqual([{ outcome: 'verified' }]);
  });

  test.each([
    [
      'an account with an API key',
      /^expected 200 but was 401\. Its api_key and api_secret are sent in place of .*"<API_KEY>" and "<API_SECRET>", or/,
    ],
    ['no store', /No state of this interaction creates an API key: name "an account with an API key"\. Its api_key/],
  ])('other credentials are explained as such (%s)', async (state, says) => {
    const { verification } = await verifyPact(token(state, { api_key: 'pk_live_abc', api_secret: 'sk_live_abc' }));
    expect(verification.interactions[0]?.problems[0]).toMatchObject({
      message: expect.stringMatching(says),
      documented: { section: '5. Authentication', says: expect.stringMatching(/^A client obtains a token with POST/) },
      gap: { id: 'pos.error-conditions' },
    });
  });

  test('the id of a record that a state created', async () => {
    const changes = { headers: { Authorization: 'Bearer x', 'Content-Type': 'application/json' }, body: { statut: 'obtenu' } };
    const put = (id: number) =>
      asks('cohesion', 'an access token and a financing', { method: 'PUT', path: `/api/v1/financements/${id}`, ...changes });
    expect(await results(put(1), 'cohesion')).toEqual([{ outcome: 'verified' }]);
    const { verification } = await verifyPact(put(12), 'cohesion');
    const problem = verification.interactions[0]?.problems[0];
    expect(problem?.message).toMatch(/^expected 200 but was 404\. The states returned .*financing_id 1/);
    expect(problem?.documented?.says).toBe('404 | resource not found');
    expect(problem?.gap).toBeUndefined();
  });
});

test('the reply to an unknown path quotes the path of the pact', async () => {
  const pact = php('an access token and a store');
  Object.assign(pact.interactions[0]?.request ?? {}, { path: '/api/v1/stock$&' });
  const { verification } = await verifyPact(pact);
  expect(verification.interactions[0]?.exchange?.reply?.body).toContain('There is no GET /api/v1/stock$&.');
});
