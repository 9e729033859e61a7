import { expect, test } from 'vitest';
import type { Assumed, StubOptions } from '../../stubs/types.ts';
import { financing } from './dashboard.ts';
import { aSale, call, openStub, signIn } from './partner.ts';

/** A state as it is saved in a file. */
const saved = (state: unknown) => JSON.parse(JSON.stringify(state));

/** Starts a stub with a saved state under alternatives, and returns its state. */
async function restarted<A extends 'pos' | 'cohesion'>(api: A, seed: unknown, assume: Assumed) {
  const stub = await openStub(api, { assume, seed: seed as NonNullable<StubOptions<A>['seed']> });
  return { stub, state: saved(await stub.state()) };
}

const further = { 'pos.payment-methods': 'further' };

test('a state has payment methods as they were sent, and a stub under the same alternative starts with it', async () => {
  const stub = await openStub('pos', { assume: further });
  const token = await signIn(stub);
  for (const payment_method of ['cheque', 'card'])
    expect((await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(), payment_method } })).status).toBe(201);
  const state = saved(await stub.state());
  const methodsIn = ({ sales }: { sales: { payment_method: string }[] }) => sales.slice(-2).map((one) => one.payment_method);
  expect(methodsIn(state)).toEqual(['cheque', 'card']);
  const again = await restarted('pos', state, further);
  expect(again.state).toEqual(state);
  // A reset brings back the seed with its words.
  await again.stub.reset();
  expect(saved(await again.stub.state())).toEqual(state);
  const report = await call(again.stub, 'GET', '/api/v1/reports/sales?store_id=STORE-ABJ-01', {
    token: await signIn(again.stub),
  });
  expect(JSON.stringify(report.body.data.by_payment_method)).toContain('cheque');
  await expect(restarted('pos', state, {})).rejects.toThrow(
    'payment_method: must be one of cash, card, mobile_money, not "cheque"',
  );
});

test('a sale of a seed without an id keeps its word too', async () => {
  const shop = { stores: [{ id: 'S', products: [{ product_id: 'A', name: 'A', price: 5 }] }] };
  const sales = [{ store_id: 'S', items: [{ product_id: 'A' }], payment_method: 'credit', created_at: '2026-11-01T08:00:00Z' }];
  const { state } = await restarted('pos', { ...shop, sales }, further);
  expect(state.sales).toMatchObject([{ payment_method: 'credit', created_at: '2026-11-01T08:00:00.000Z' }]);
  await expect(restarted('pos', { ...shop, sales: [{ ...sales[0], payment_method: 'shells' }] }, further)).rejects.toThrow(
    'shells',
  );
  await expect(restarted('pos', { ...shop, sales: 5 }, further)).rejects.toThrow('sales: must be a list');
});

test('what a reset undoes is forgotten: a financing with the id of an earlier one does not get its word', async () => {
  const assume = { 'cohesion.financing-statuses': 'further' };
  const stub = await openStub('cohesion', { assume });
  const { token } = stub.credentials;
  const create = (statut: string) =>
    call(stub, 'POST', '/api/v1/financements', { token, body: { ...financing, structure_id: 1, statut } });
  const first = (await create('en_cours')).body.data;
  await stub.reset();
  const { body } = await create('obtenu');
  expect(body.data).toMatchObject({ id: first.id, statut: 'obtenu' });
  expect((await stub.state()).financings?.at(-1)).toMatchObject({ id: first.id, statut: 'obtenu' });
});

test.each([
  ['cohesion.financing-statuses', 'further', { statut: 'en_cours' }],
  ['cohesion.financing-types', 'kinds', { type: 'pret' }],
  ['cohesion.financing-types', 'any-text', { type: 'mécénat' }],
])('a state has financings as they were sent under %s=%s', async (gap, alternative, own) => {
  const assume = { [gap]: alternative };
  const stub = await openStub('cohesion', { assume });
  const { token } = stub.credentials;
  const { body } = await call(stub, 'POST', '/api/v1/financements', { token, body: { ...financing, ...own } });
  const state = saved(await stub.state());
  expect(state.financings.at(-1)).toMatchObject({ id: body.data.id, ...own });
  const again = await restarted('cohesion', state, assume);
  expect(again.state).toEqual(state);
  const moved = await call(again.stub, 'PUT', `/api/v1/financements/${body.data.id}`, { token, body: { montant: 7 } });
  expect(moved.body.data).toMatchObject({ montant: 7, ...own });
  await expect(restarted('cohesion', state, {})).rejects.toThrow('must be one of');
});
