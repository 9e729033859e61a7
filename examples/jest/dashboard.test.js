// Run with NODE_OPTIONS=--experimental-vm-modules, because Passerelle is an ES module.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startStub } from 'passerelle';
import { cohesionClient } from 'passerelle/clients/cohesion';

let stub;
let client;

beforeAll(async () => {
  stub = await startStub('cohesion');
  client = cohesionClient({ baseUrl: stub.url, token: stub.credentials.token });
});
beforeEach(() => stub.reset());
afterAll(() => stub.close());

test('the dashboard reads the indicators that it shows', async () => {
  const { data } = await client.GET('/api/v1/indicateurs', { params: { query: { per_page: 3 } } });
  expect(data.data).toHaveLength(3);
  expect(stub.calls({ operation: 'listIndicators' })).toHaveLength(1);
});

test('a token without the ability is refused, and the message names the ability', async () => {
  const reader = stub.credentials.tokens.find(({ abilities }) => abilities.length === 1 && abilities[0] === 'read:stats');
  const { error, response } = await cohesionClient({ baseUrl: stub.url, token: reader.token }).GET('/api/v1/structures');
  expect(response.status).toBe(403);
  expect(error.message).toContain('read:structures');
});
