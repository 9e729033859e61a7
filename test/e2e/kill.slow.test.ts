import { expect, test } from 'vitest';
import { allPages } from './operator-walk.ts';
import { type Started, sharedInstallation, spawnProcess } from './process.ts';

async function posToken({ greeting, call }: Started): Promise<string> {
  const account = greeting.pos.accounts?.find(({ plan }) => plan === 'enterprise');
  return (await call('POST', '/pos/api/auth', { body: { api_key: account?.apiKey, api_secret: account?.apiSecret } })).body.token;
}

async function firstProduct(
  { greeting, call }: Started,
  token: string,
): Promise<{ store_id: string; product_id: string; price: number }> {
  const store_id = greeting.pos.stores?.[0] as string;
  const { items } = (await call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, { token })).body.data;
  return { store_id, ...items.find((item: { quantity: number }) => item.quantity >= 30) };
}

const gateway = sharedInstallation();

test('after kill -9 during writes and a restart, all acknowledged data is there', async () => {
  const before = await gateway();
  const token = await posToken(before);
  const { store_id, product_id, price } = await firstProduct(before, token);
  const writer = before.greeting.cohesion.tokens?.find(({ abilities }) => abilities.join() === 'write:financements');
  const structure_id = writer?.structures[0];

  const sales: string[] = [];
  const payments: { reference: string; amount: number }[] = [];
  const financings: number[] = [];
  const sell = async () => {
    const body = {
      store_id,
      items: [{ product_id, quantity: 1, price }],
      payment_method: 'mobile_money',
      customer_phone: '+22507010203',
      total: price,
    };
    const sale = await before.call('POST', '/pos/api/v1/sales', { token, body });
    expect(sale.status).toBe(201);
    const { reference } = sale.body.data;
    sales.push(reference);
    const payment = { reference, amount: price, phone: '+22507010203', provider: 'orange_money' };
    expect((await before.call('POST', '/pos/api/v1/payment/mobile', { token, body: payment })).status).toBe(201);
    payments.push(payment);
  };
  const finance = async () => {
    const body = {
      structure_id,
      exercice: 2026,
      bailleur: 'UE',
      type: 'bailleur',
      intitule: 'Appui',
      montant: 1000,
      statut: 'promis',
    };
    const created = await before.call('POST', '/cohesion/api/v1/financements', { token: writer?.token, body });
    expect(created.status).toBe(201);
    financings.push(created.body.data.id);
  };
  // Four callers write without a pause, so that the kill happens during writes.
  const endless = async (work: () => Promise<void>) => {
    for (;;) await work();
  };
  const writers = [sell, sell, sell].map(endless).concat(endless(async () => (financings.length < 25 ? finance() : sell())));
  const stopped = Promise.allSettled(writers);
  while (sales.length < 12 || financings.length < 5) await new Promise((resolve) => setImmediate(resolve));
  before.child.kill('SIGKILL');
  await Promise.all([before.exited, stopped]);

  const after = await gateway();
  const operator = after.greeting.operator.token;
  const get = async (path: string) => (await after.call('GET', path, { token: operator })).body;
  const held = new Map((await allPages(get, '/manage/v1/pos/sales?')).map((sale) => [sale.reference, sale]));
  expect(sales.filter((reference) => !held.has(reference))).toEqual([]);
  expect(payments.filter(({ reference, amount }) => held.get(reference)?.paid !== amount)).toEqual([]);
  const ids = new Set((await allPages(get, '/manage/v1/cohesion/financings?')).map(({ id }) => id));
  expect(financings.filter((id) => !ids.has(id))).toEqual([]);
  // The event of each acknowledged change was stored with it, and the fan-out delivers all of them.
  expect((await get('/manage/v1/ledger')).data.unaccounted).toBe(0);
});

test('a second process on the same data folder is refused with one clear line', async () => {
  const { dataDir } = await gateway();
  const second = spawnProcess({ DATA_DIR: dataDir });
  expect(await second.exited).toBe(2);
  expect(second.output().stderr).toMatch(/^passerelle: DATA_DIR=.* is in use by another Passerelle process\. .*\n$/);
});
