import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { seedCommand } from '../../cli/seed.ts';
import type { CohesionFixtures, Fixtures, PosFixtures } from '../../stubs/seed/types.ts';
import { startStub } from '../../stubs/stub.ts';
import type { Stub } from '../../stubs/types.ts';
import { forAllAsync } from '../for-all.ts';
import { newFolder, runCommand } from '../program.ts';
import { call, openStub, signIn } from './partner.ts';

const market: PosFixtures = {
  stores: [{ id: 'MARKET', products: [{ product_id: 'RICE', name: 'Riz', price: 4500, quantity: 3 }] }],
  sales: [
    { reference: 'S-1', store_id: 'MARKET', items: [{ product_id: 'RICE', quantity: 2 }], created_at: '2026-11-01T08:00:00Z' },
    {
      reference: 'S-2',
      store_id: 'MARKET',
      payment_method: 'mobile_money',
      items: [{ product_id: 'RICE' }],
      payments: [{ amount: 1500, phone: '+2250700000000', created_at: '2026-11-02T08:00:00Z' }],
    },
  ],
  events: [{ event: 'inventory.low', data: { store_id: 'MARKET' }, created_at: '2026-11-02T09:00:00Z' }],
};

test('a seed has sales, payments and past events, which the API and the operator see', async () => {
  const stub = await openStub('pos', { seed: market });
  const token = await signIn(stub);
  const report = await call(stub, 'GET', '/api/v1/reports/sales?store_id=MARKET&start_date=2026-11-01&end_date=2026-11-30', {
    token,
  });
  expect(JSON.stringify(report.body)).toContain('9000');
  const sales = (await call(stub, 'GET', '/manage/v1/pos/sales', { token: stub.operatorToken })).body.data;
  const named = (reference: string) => sales.find((one: { reference: string }) => one.reference === reference);
  expect(named('S-1')).toMatchObject({ status: 'completed', total: 9000, created_at: '2026-11-01T08:00:00.000Z' });
  expect(named('S-2')).toMatchObject({ status: 'pending', total: 4500, paid: 1500, completed_at: null });
  const rest = { amount: 3000, phone: '+2250700000000', provider: 'mtn_momo', reference: 'S-2' };
  const paid = await call(stub, 'POST', '/api/v1/payment/mobile', { token, body: rest });
  expect(paid.body.data.sale).toMatchObject({ status: 'completed', paid: 4500 });
  const events = (await call(stub, 'GET', '/manage/v1/events', { token: stub.operatorToken })).body.data;
  expect(events.map(({ type }: { type: string }) => type)).toContain('inventory.low');
});

/** Starts a stub with the state of the one before, and returns its state. */
async function roundTrip<A extends 'pos' | 'cohesion'>(api: A, seed: Fixtures[A]): Promise<[Fixtures[A], Fixtures[A]]> {
  await using first = (await startStub(api, { seed, logLevel: 'silent' })) as Stub<A>;
  const saved = JSON.parse(JSON.stringify(await first.state())) as Fixtures[A];
  await using second = (await startStub(api, { seed: saved, logLevel: 'silent' })) as Stub<A>;
  return [saved, JSON.parse(JSON.stringify(await second.state()))];
}

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => `N${text.replaceAll(/[^\p{L}\p{N} ]/gu, '')}`);
const money = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100);
const instant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString());
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const any = <const T>(...values: T[]) => fc.constantFrom(...values);
/** Up to four rows. `own`: the fields of each that no other row may have. */
const some = <T, Own>(row: fc.Arbitrary<T>, own: (at: number) => Own, minLength = 0): fc.Arbitrary<(T & Own)[]> =>
  fc.array(row, { minLength, maxLength: 4 }).map((all) => all.map((one, at) => ({ ...one, ...own(at) })));

const product = fc.record({ name, price: money, quantity: optional(money), low_threshold: optional(money) });
const store = fc.record({ name: optional(name), products: some(product, (at) => ({ product_id: `P${at}` }), 1) });
const anyPos: fc.Arbitrary<PosFixtures> = some(store, (at) => ({ id: `S${at}` }), 1).chain((stores) => {
  const sale = any(...stores).chain(({ id, products }) => {
    const product_id = any(...products.map((one) => one.product_id));
    return fc.record({
      store_id: any(id),
      items: fc.array(fc.record({ product_id, quantity: optional(money), price: optional(money) }), {
        minLength: 1,
        maxLength: 3,
      }),
      created_at: optional(instant),
      customer_phone: any('+2250700000000', null),
      payment_method: any('cash', 'card', 'mobile_money'),
    });
  });
  const paid = sale.map((one) =>
    one.payment_method === 'mobile_money' && one.items[0]?.price !== undefined && one.items[0].quantity === undefined
      ? { ...one, payments: [{ amount: one.items[0].price, phone: '0700000000' }] }
      : one,
  );
  const event = fc.record({ event: any('sale.completed', 'inventory.low', 'sync.completed'), created_at: optional(instant) });
  const account = fc.record({ name, store_ids: fc.option(fc.subarray(stores.map((one) => one.id))) });
  const credentials = (at: number) => ({ ...(at > 0 && { id: `acc_${at}` }), api_key: `pk_${at}`, api_secret: `sk_${at}` });
  return fc.record({
    stores: any(stores),
    accounts: optional(some(account, credentials, 1)),
    sales: fc.array(paid, { maxLength: 4 }),
    events: fc.array(event, { maxLength: 3 }),
  });
});

const structure = fc.record({ type: any('ong', 'ministere'), region: name, active: optional(fc.boolean()) });
const anyCohesion: fc.Arbitrary<CohesionFixtures> = some(structure, (at) => ({ nom: `N ${at}` }), 1).chain((structures) => {
  const structure_id = fc.integer({ min: 1, max: structures.length });
  const structure_ids = optional(fc.option(fc.subarray(structures.map((_, at) => at + 1))));
  const user = fc.record({ name, role: any('admin', 'lecteur'), structure_ids });
  const intervention = fc.record({
    intitule: name,
    structure_id,
    annee: fc.integer({ min: 1900, max: 2100 }),
    budget: fc.option(money),
    statut: optional(any('brouillon', 'approuve', 'termine')),
  });
  const indicator = fc.record({
    intitule: name,
    type: any('impact'),
    unite: name,
    cible_annuelle: money,
    valeur_courante: optional(money),
  });
  const fixed = { exercice: any(2026), type: any('etat'), statut: any('promis') };
  const financing = fc.record({ structure_id, bailleur: name, intitule: name, montant: money, ...fixed });
  const types = any('plan.closed', 'rapport.ready', 'indicator.alert', 'intervention.validated');
  return fc.record({
    structures: any(structures),
    users: optional(some(user, (at) => ({ email: `user${at}@example.org` }), 1)),
    interventions: some(intervention, (at) => ({ reference: `R${at}` })),
    indicators: some(indicator, (at) => ({ code: `I${at}` })),
    financings: fc.array(financing, { maxLength: 3 }),
    plans: some(fc.record({ statut: optional(any('closed')) }), (at) => ({ annee: 1900 + 50 * at })),
    events: fc.array(fc.record({ event: types, created_at: optional(instant) }), { maxLength: 3 }),
  });
});

test('the state of a stub is a seed, and a stub that starts with it has the same state', async () => {
  await forAllAsync(10, [anyPos], async (seed) => {
    const [saved, again] = await roundTrip('pos', seed);
    expect(again).toEqual(saved);
    expect(saved.sales).toHaveLength(seed.sales?.length ?? 0);
    expect(saved.events).toHaveLength(seed.events?.length ?? 0);
    if (seed.accounts)
      expect(saved.accounts?.map(({ store_ids }) => store_ids)).toEqual(seed.accounts.map((one) => one.store_ids));
  });
  await forAllAsync(10, [anyCohesion], async (seed) => {
    const [saved, again] = await roundTrip('cohesion', seed);
    expect(again).toEqual(saved);
    expect(saved.interventions).toHaveLength(seed.interventions?.length ?? 0);
    const perimeters = seed.users?.map(({ structure_ids }) => structure_ids ?? null) ?? [null];
    expect(saved.users?.map(({ structure_ids }) => structure_ids)).toEqual(perimeters);
  });
});

test('the demo data, and what calls changed in it, survive a round trip over /_stub/state', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  const [store] = (await stub.state()).stores ?? [];
  const [goods] = store?.products ?? [];
  const body = {
    store_id: store?.id,
    items: [{ product_id: goods?.product_id, quantity: 1, price: 5 }],
    payment_method: 'cash',
    total: 5,
  };
  expect((await call(stub, 'POST', '/api/v1/sales', { token, body })).status).toBe(201);
  const saved = (await call(stub, 'GET', '/_stub/state')).body.data;
  expect(saved.events.at(-1)).toMatchObject({ event: 'sale.completed', data: { total: 5 } });
  const second = await openStub('pos', { seed: saved });
  expect(second.credentials).toMatchObject(stub.credentials);
  expect(JSON.parse(JSON.stringify(await second.state()))).toEqual(saved);
  const [cohesion] = await roundTrip('cohesion', await (await openStub('cohesion')).state());
  expect(cohesion.interventions?.length).toBeGreaterThan(10);
});

test('seed init writes an example that a stub starts with, and its JSON Schema; it overwrites nothing', async () => {
  const folder = await newFolder();
  for (const api of ['pos', 'cohesion'] as const) {
    const file = join(folder, `${api}.json`);
    const run = await runCommand(seedCommand(), ['init', api, file]);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(`passerelle stub ${api} --seed ${file}`) });
    const written = JSON.parse(await readFile(file, 'utf8'));
    const stub = await openStub(api, { seed: file });
    const state = JSON.parse(JSON.stringify(await stub.state())) as Record<string, unknown[]>;
    for (const [name, rows] of Object.entries(state)) expect({ name, rows: rows.length }).not.toEqual({ name, rows: 0 });
    const schema = z.fromJSONSchema(JSON.parse(await readFile(join(folder, written.$schema), 'utf8')));
    expect(schema.safeParse(written).error).toBeUndefined();
    expect(schema.safeParse({ ...written, salles: [] }).success).toBe(false);
    expect(await runCommand(seedCommand(), ['init', api, file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists'),
    });
  }
});
