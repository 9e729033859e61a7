import { expect, onTestFinished, test } from 'vitest';
import { candidatesOf } from '../../contracts/tools/probe/candidates.ts';
import { startExercised } from '../../contracts/tools/probe/exercised.ts';
import type { Stub } from '../../stubs/stub.ts';
import { aSale, call, openReceiver, signIn } from '../stubs/partner.ts';
import { clock, mobileSale, phone } from '../stubs/till.ts';

const inventory = '/api/v1/inventory?store_id=STORE-ABJ-01';

interface Used {
  stub: Stub<'pos'>;
  token: string;
}

const sell = ({ stub, token }: Used, body: object) => call(stub, 'POST', '/api/v1/sales', { token, body });
const read = ({ stub, token }: Used) => call(stub, 'GET', inventory, { token });

/** What a suite does that would see each alternative. */
const uses: Readonly<Record<string, (used: Used) => Promise<unknown>>> = {
  async 'pos.plan-scope=per-key'({ stub, token }) {
    await read({ stub, token });
    await read({ stub, token: await signIn(stub, await stub.profile.createKey()) });
  },
  'pos.token-guard=none': ({ stub }) => signIn(stub),
  async 'pos.sale-states=further'(used) {
    const { body } = await sell(used, mobileSale);
    const payment = { amount: 500, phone, provider: 'mtn_momo', reference: body.data.reference };
    await call(used.stub, 'POST', '/api/v1/payment/mobile', { token: used.token, body: payment });
    await used.stub.clock.advance('10s');
    await read(used);
  },
  'pos.partial-payments=exact-amount': (used) => used.stub.trigger('payment.received'),
  'pos.inventory-low-condition=at-zero': (used) => used.stub.trigger('inventory.low'),
  'pos.event-order=twice': (used) => used.stub.trigger('sale.completed'),
};

/** Every suite that sells in cash would see these. */
const everySuite = ['pos.token-guard=none', 'pos.event-order=twice'];

async function exercisedBy(id: string, use: (used: Used) => Promise<unknown>): Promise<boolean> {
  const receiver = await openReceiver(204);
  const exercised = new Map();
  const candidates = candidatesOf('pos').filter((one) => one.id === id);
  const options = { logLevel: 'silent', plan: 'free', clock, mobileMoney: 'pending:10s,refused' } as const;
  const stub = await startExercised('pos', { ...options, webhooks: [{ url: receiver.url }] }, { candidates, exercised });
  onTestFinished(() => stub.close());
  await use({ stub, token: id.startsWith('pos.token-guard') ? '' : await signIn(stub) });
  return exercised.has(id);
}

test.each(Object.entries(uses))('%s is exercised by a suite that would see it, and not by another one', async (id, use) => {
  expect(await exercisedBy(id, use)).toBe(true);
  if (!everySuite.includes(id)) expect(await exercisedBy(id, (used) => sell(used, aSale()))).toBe(false);
});

test('cohesion.write-throttle-scope=per-method is exercised by writes with two methods, and not by one', async () => {
  const id = 'cohesion.write-throttle-scope=per-method';
  const exercised = new Map();
  const candidates = candidatesOf('cohesion').filter((one) => one.id === id);
  const stub = await startExercised('cohesion', { clock }, { candidates, exercised });
  onTestFinished(() => stub.close());
  const { token } = stub.credentials;
  await call(stub, 'POST', '/api/v1/financements', { token, body: {} });
  expect([...exercised.keys()]).toEqual([]);
  await call(stub, 'PUT', '/api/v1/financements/1', { token, body: { statut: 'obtenu' } });
  expect([...exercised.keys()]).toEqual([id]);
});
