// Tests of a dashboard and a funder's tool. `passerelle pact` writes the pact:
//   npx --no -- passerelle pact cohesion --consumer dashboard -- node --test dashboard.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';

const root = process.env.PASSERELLE_COHESION_URL ?? 'http://127.0.0.1:4020';
const token = process.env.PASSERELLE_COHESION_TOKEN ?? '';
const statsOnly = process.env.PASSERELLE_COHESION_TOKEN_READ_STATS ?? '';

async function ask(method: string, path: string, { as = token, body }: { as?: string; body?: object } = {}) {
  const reply = await fetch(`${root}/api/v1${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data, meta } = (await reply.json()) as { data: never; meta: { total: number; page: number } };
  return { status: reply.status, data: data as { [field: string]: never } & { [field: string]: never }[], meta };
}

const get = (path: string, as?: string) => ask('GET', path, as === undefined ? {} : { as });
const year = new Date().getUTCFullYear();

test('knows who it is', async () => assert.ok((await get('/me')).data.user));
test('is refused without a token', async () => assert.equal((await get('/me', '')).status, 401));
test('is refused with a token that it made up', async () => assert.equal((await get('/me', '9|made-up')).status, 401));

test('reads the indicators, and one of them by its id', async () => {
  const { data } = await get('/indicateurs');
  const { status, data: one } = await get(`/indicateurs/${data[0]?.id}`);
  assert.deepEqual([status, one.id], [200, data[0]?.id]);
});
test('finds no indicator that does not exist', async () => assert.equal((await get('/indicateurs/987654')).status, 404));
test('reads the indicators of a type', async () => assert.ok((await get('/indicateurs?type=impact')).data.length > 0));
test('reads the key indicators', async () => assert.ok((await get('/indicateurs?kpi=true')).data.length > 0));
test('searches the indicators', async () => assert.ok((await get('/indicateurs?q=paix')).data.length > 0));
test('finds nothing', async () => assert.equal((await get('/indicateurs?q=introuvable')).data.length, 0));
test('turns the page', async () => assert.equal((await get('/indicateurs?per_page=5&page=2')).meta.page, 2));
test('cannot ask for a page of 500', async () => assert.equal((await get('/indicateurs?per_page=500')).status, 422));
test('needs the ability', async () => assert.equal((await get('/indicateurs', statsOnly)).status, 403));
test('reads the interventions of a region', async () => assert.equal((await get('/interventions?region=Poro')).status, 200));
test('reads the structures of a type', async () => assert.ok((await get('/structures?type=ong')).data.length > 0));
test('reads the statistics of this year', async () => assert.ok((await get('/stats')).data));
test('reads the statistics of last year', async () => assert.ok((await get(`/stats?annee=${year - 1}`)).data));

const financing = {
  structure_id: 1,
  exercice: year,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui aux comités de paix',
  montant: 25_000_000,
  statut: 'promis',
};

test('creates a financing, and changes the one that it made', async () => {
  const { status, data } = await ask('POST', '/financements', { body: financing });
  assert.equal(status, 201);
  const changed = await ask('PUT', `/financements/${data.id}`, { body: { ...financing, statut: 'obtenu' } });
  assert.equal(changed.status, 200);
});
test('creates none for less than nothing', async () =>
  assert.equal((await ask('POST', '/financements', { body: { ...financing, montant: -1 } })).status, 422));
test('creates none outside its perimeter', async () =>
  assert.equal((await ask('POST', '/financements', { body: { ...financing, structure_id: 9999 } })).status, 403));
test('changes none that does not exist', async () =>
  assert.equal((await ask('PUT', '/financements/987654', { body: { statut: 'obtenu' } })).status, 404));
