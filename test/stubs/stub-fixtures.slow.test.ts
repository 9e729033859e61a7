import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type StubOptions, startStub } from '../../stubs/stub.ts';
import { call, openStub, signIn } from './partner.ts';

async function jsonFile(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'fixtures.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const kiosk = {
  stores: [{ id: 'KIOSK', products: [{ product_id: 'TEA', name: 'Thé', price: 250, quantity: 3 }] }],
  accounts: [{ name: 'Kiosque', plan: 'free', api_key: 'my-key', api_secret: 'my-secret', store_ids: ['KIOSK'] }],
};

test('a point of sale from a file has its store, products and credentials, and examples use them', async () => {
  const stub = await openStub('pos', { seed: await jsonFile(kiosk) });
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

test.each<[string, StubOptions<'pos'>, string]>([
  [
    'a price that is text',
    { seed: { stores: [{ id: 'S', products: [{ product_id: 'P', name: 'x', price: 'much' as never }] }] } },
    'stores.0.products.0.price: must be a number, not text',
  ],
  ['an unknown field', { seed: { shops: [] } as never }, 'the fixtures: shops is not a known field'],
  [
    'an account with an unknown store',
    { seed: { accounts: [{ name: 'a', plan: 'pro', api_key: 'k', api_secret: 's', store_ids: ['X'] }] } },
    'accounts.0.store_ids: stores has no entry with the id X',
  ],
  ['a missing file', { seed: '/nowhere.json' }, 'The fixtures file /nowhere.json cannot be read: there is no such file.'],
  ['a plan that no account has', { plan: 'gold' as never }, 'No account has the plan "gold"'],
  ['a clock that is not a time', { clock: 'tomorrow' }, 'clock: "tomorrow" is not a date and time'],
  ['a webhook to another network', { webhooks: [{ url: 'http://10.0.0.1/' }] }, 'is not https://'],
  ['an unknown fault', { faults: ['createSale:explode'] }, 'explode'],
  [
    'a fault of an unknown operation',
    { faults: ['createSal:reset'] },
    '"createSal" is not an operation. Did you mean createSale?',
  ],
  ['a misspelt option', { sed: 'demo' } as never, '"sed" is not an option of startStub. Did you mean seed?'],
])('%s: the message names the place', async (_name, options, message) => {
  await expect(startStub('pos', options)).rejects.toThrow(message);
});

test('an unknown API', async () => {
  await expect(startStub('poss' as 'pos')).rejects.toThrow('"poss" is not an API. Use pos or cohesion.');
});

test('a file that begins with a byte order mark is read, as editors on Windows write it', async () => {
  const stub = await openStub('pos', { seed: await jsonFile(`\ufeff${JSON.stringify(kiosk)}`) });
  expect(stub.credentials.apiKey).toBe('my-key');
});

test('cohesion: twin tokens are refused in one line, also if only their ids are equal', async () => {
  const refusal = async (tokens: string[]) => {
    const seed = { tokens: tokens.map((token) => ({ token })) };
    return startStub('cohesion', { seed }).then(
      () => 'started',
      (error: Error) => `${error.constructor.name}: ${error.message}`,
    );
  };
  const [one, other] = ['7|aaaaaaaaaaaaaaaaaaaa', '7|bbbbbbbbbbbbbbbbbbbb'];
  expect(await refusal([one, one])).toBe(`CouldNotRun: seed cannot be used:\n  tokens.1.token: "${one}" is used twice`);
  expect(await refusal([one, other])).toBe(
    'CouldNotRun: seed cannot be used:\n  tokens.1.token: its id 7, before the "|", is used twice',
  );
});

test('a token without an id of its own gets one that no other token has', async () => {
  const stub = await openStub('cohesion', { seed: { tokens: [{}, { token: '1001|aaaaaaaaaaaaaaaaaaaa' }] } });
  expect(stub.credentials.tokens.map(({ token }) => token.split('|')[0])).toEqual(['1003', '1001']);
});

test('a product that occurs twice in a store is refused', async () => {
  const tea = { product_id: 'TEA', name: 'Thé', price: 250 };
  const refused = startStub('pos', { seed: { stores: [{ id: 'S', products: [tea, tea] }] } });
  await expect(refused).rejects.toThrow('stores.0.products.1.product_id: "TEA" is used twice');
});

test('pos: a duplicate is named with its place', async () => {
  const account = { name: 'A', api_key: 'pk_test_12345678', api_secret: 'sk_test_1234567890123456' };
  const seed = { stores: [{ id: 'S' }, { id: 'T' }, { id: 'S' }], accounts: [account, account] };
  const error = await startStub('pos', { seed }).catch(String);
  expect(error).toContain('stores.2.id: "S" is used twice');
  expect(error).toContain('accounts.1.api_key: "pk_test_12345678" is used twice');
});

test('cohesion: unknown references and duplicates are refused', async () => {
  const seed = {
    structures: [{ nom: 'A', type: 'ong' as const, region: 'Poro' }],
    interventions: [
      { reference: 'R', intitule: 'T', structure_id: 2, annee: 2026 },
      { reference: 'R', intitule: 'T', structure_id: 1, annee: 2026 },
    ],
  };
  const refused = startStub('cohesion', { seed });
  await expect(refused).rejects.toThrow('interventions.0.structure_id: structures has no entry with the id 2');
  await expect(refused).rejects.toThrow('interventions.1.reference: "R" is used twice');
});
