import { expect, test } from 'vitest';
import { cohesionClient } from '../../spec/clients/cohesion.ts';
import { buildTestApp } from '../helper.ts';

async function openClients() {
  const gateway = await buildTestApp();
  const baseUrl = `${await gateway.app.listen({ host: '127.0.0.1', port: 0 })}/cohesion`;
  const { demo } = gateway;
  const structure = demo.cohesion.tokens.find(({ abilities }) => abilities.length > 1)?.structures[0] ?? 0;
  const client = cohesionClient({ baseUrl, token: gateway.cohesionToken() });
  return { client, stranger: cohesionClient({ baseUrl }), structure };
}

const financing = {
  structure_id: 1,
  exercice: 2026,
  bailleur: 'Banque mondiale',
  type: 'bailleur' as const,
  intitule: 'Appui aux comités de paix',
  montant: 25_000_000,
  statut: 'promis' as const,
};

test('every read operation of social cohesion can be called', async () => {
  const { client } = await openClients();
  expect((await client.GET('/api/v1/me')).response.status).toBe(200);
  const list = await client.GET('/api/v1/indicateurs', { params: { query: { per_page: 2, type: 'activite' } } });
  expect(list.data?.data).toHaveLength(2);
  const id = list.data?.data[0]?.id ?? 0;
  expect((await client.GET('/api/v1/indicateurs/{id}', { params: { path: { id } } })).data?.data).toMatchObject({ id });
  expect((await client.GET('/api/v1/interventions', { params: { query: { q: 'dialogue' } } })).response.status).toBe(200);
  expect((await client.GET('/api/v1/structures')).data?.data.length).toBeGreaterThan(0);
  expect((await client.GET('/api/v1/stats', { params: { query: { annee: 2026 } } })).response.status).toBe(200);
});

test('a financing is created without its currency, and changed', async () => {
  const { client, structure } = await openClients();
  const made = await client.POST('/api/v1/financements', { body: { ...financing, structure_id: structure } });
  expect(made.data?.data).toMatchObject({ devise: 'XOF', statut: 'promis' });
  const id = made.data?.data.id ?? 0;
  const changed = await client.PUT('/api/v1/financements/{id}', { params: { path: { id } }, body: { statut: 'obtenu' } });
  expect(changed.data?.data).toMatchObject({ id, statut: 'obtenu' });
});

test('a refusal is an error with its message, and no data', async () => {
  const { stranger } = await openClients();
  const { data, error, response } = await stranger.GET('/api/v1/me');
  expect(response.status).toBe(401);
  expect(data).toBeUndefined();
  expect(error?.message).toEqual(expect.any(String));
});
