import { expect, test } from 'vitest';
import { fileWith } from '../program.ts';
import { call, openStub, signIn } from './partner.ts';

const kiosk = {
  stores: [{ id: 'KIOSK', products: [{ product_id: 'TEA', name: 'Thé', price: 250, quantity: 3 }] }],
  accounts: [{ name: 'Kiosque', plan: 'free', api_key: 'my-key', api_secret: 'my-secret', store_ids: ['KIOSK'] }],
};

test('a point of sale from a file has its store, products and credentials, and examples use them', async () => {
  const stub = await openStub('pos', { seed: await fileWith(JSON.stringify(kiosk)) });
  expect(stub.credentials).toMatchObject({ plan: 'free', apiKey: 'my-key', apiSecret: 'my-secret' });
  const token = await signIn(stub);
  const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=KIOSK', { token });
  expect(body.data.items).toMatchObject([{ product_id: 'TEA', price: 250, quantity: 3 }]);
  const refused = await call(stub, 'POST', '/api/v1/sales', { token, body: {} });
  expect(refused.body.help.example.body).toMatchObject({ store_id: 'KIOSK', items: [{ product_id: 'TEA' }] });
  await stub.reset();
  expect((await call(stub, 'GET', '/api/v1/inventory?store_id=KIOSK', { token: await signIn(stub) })).status).toBe(200);
});

test('cohesion from an object has its own tokens with their perimeter', async () => {
  const stub = await openStub('cohesion', {
    seed: {
      users: [{ name: 'Awa', email: 'awa@example.org' }],
      structures: [
        { id: 7, nom: 'ONG Paix', type: 'ong', region: 'Gbêkê' },
        { nom: 'Conseil', type: 'collectivite', region: 'Poro' },
      ],
      indicators: [
        { code: 'I-1', intitule: 'Comités', type: 'resultat', unite: 'comités', cible_annuelle: 60, valeur_courante: 24 },
      ],
      financings: [
        { structure_id: 7, exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 1.5, statut: 'promis' },
      ],
      tokens: [{ token: '42|a-token-of-our-own-tests', abilities: ['write:financements'], structures: [7] }],
    },
  });
  expect(stub.credentials.token).toBe('42|a-token-of-our-own-tests');
  const financing = { exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 2, statut: 'promis' };
  const post = (structure_id: number) =>
    call(stub, 'POST', '/api/v1/financements', { token: stub.credentials.token, body: { ...financing, structure_id } });
  expect([(await post(7)).status, (await post(1)).status]).toEqual([201, 403]);
});

test('an empty start has credentials and nothing else', async () => {
  const pos = await openStub('pos', { seed: 'empty' });
  expect((await call(pos, 'GET', '/manage/v1/pos/stores', { token: pos.operatorToken })).body.data).toEqual([]);
  expect(await signIn(pos)).not.toBe('');
  const cohesion = await openStub('cohesion', { seed: 'empty' });
  expect(cohesion.credentials.tokens).toHaveLength(6);
  const { body } = await call(cohesion, 'GET', '/api/v1/indicateurs', { token: cohesion.credentials.token });
  expect(body.data).toEqual([]);
});

test('a file that begins with a byte order mark is read, as editors on Windows write it', async () => {
  const stub = await openStub('pos', { seed: await fileWith(`\ufeff${JSON.stringify(kiosk)}`) });
  expect(stub.credentials.apiKey).toBe('my-key');
});

test('a token without an id of its own gets one that no other token has', async () => {
  const stub = await openStub('cohesion', { seed: { tokens: [{}, { token: '1001|aaaaaaaaaaaaaaaaaaaa' }] } });
  expect(stub.credentials.tokens.map(({ token }) => token.split('|')[0])).toEqual(['1003', '1001']);
});
