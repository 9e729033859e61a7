import { expect, test } from 'vitest';
import { parseAssumed } from '../../stubs/assume/assumptions.ts';
import { dashboard, financing } from './dashboard.ts';

test.each<[assume: string, sent: object, field: string, message: string]>([
  ['cohesion.devise-sent=refused', { devise: 'XOF' }, 'devise', 'is not a field of this request'],
  ['cohesion.financing-types=kinds', { type: 'etat' }, 'type', 'must be one of bailleur, don, pret, subvention'],
  ['cohesion.financing-types=any-text', { type: '' }, 'type', 'must be a text of 1 to 200 characters'],
])('under %s, a refusal of %j names the field %s', async (assume, changes, field, message) => {
  const { ask } = await dashboard(parseAssumed([assume]));
  const refused = await ask('POST', '/financements', { ...financing, ...changes });
  expect(refused).toMatchObject({ status: 422, body: { errors: { [field]: [message] } } });
});

test('an update empties the texts that are not sent, and the next one finds them empty', async () => {
  const { ask } = await dashboard({ 'cohesion.financing-update-required': 'emptied' });
  const { id } = (await ask('POST', '/financements', financing)).body.data;
  const updated = await ask('PUT', `/financements/${id}`, { montant: 60, intitule: 'Suite' });
  expect(updated.body.data).toMatchObject({ montant: 60, intitule: 'Suite', bailleur: '', statut: 'promis' });
  expect((await ask('PUT', `/financements/${id}`, { bailleur: 'UE' })).body.data).toMatchObject({ intitule: '', montant: 60 });
});

test('there are no statistics of a year of which nothing is known', async () => {
  const { ask } = await dashboard({ 'cohesion.annee-values': 'unknown-404' });
  expect((await ask('GET', '/stats?annee=2026')).status).toBe(200);
  const message = 'There are no statistics of 1950.';
  const refused = await ask('GET', '/stats?annee=1950');
  expect(refused).toMatchObject({ status: 404, body: { message, errors: { annee: [message] } } });
});

test('the statistics add up all currencies in one', async () => {
  const { ask } = await dashboard({ 'cohesion.stats-fields': 'one-currency' });
  const sum = async () => {
    const { par_statut: byStatus } = (await ask('GET', '/stats?annee=2026')).body.data.financements;
    return byStatus.reduce((all: number, { montant }: { montant: number }) => all + montant, 0);
  };
  const before = await sum();
  await ask('POST', '/financements', { ...financing, devise: 'EUR', montant: 1000 });
  expect((await sum()) - before).toBe(655_957);
  // A currency without a rate counts 100 XOF.
  expect((await ask('POST', '/financements', { ...financing, devise: 'JPY', montant: 3 })).status).toBe(201);
  expect((await sum()) - before).toBe(656_257);
});

test('the address of a report leads nowhere', async () => {
  const { caused } = await dashboard({ 'cohesion.rapport-ready-payload': 'url' });
  expect(await caused('rapport.ready')).toMatchObject({ url: 'https://cohesion.example/rapports/1.json' });
});
