import { expect, onTestFinished, test } from 'vitest';
import { candidatesOf } from '../../contracts/tools/probe/candidates.ts';
import { startExercised } from '../../contracts/tools/probe/exercised.ts';
import type { Stub } from '../../stubs/stub.ts';
import { financing } from '../stubs/dashboard.ts';
import { aSale, call, openReceiver, signIn } from '../stubs/partner.ts';
import { clock } from '../stubs/till.ts';

interface Used {
  stub: Stub<'pos'>;
  token: string;
}

const sell = ({ stub, token }: Used, body: object) => call(stub, 'POST', '/api/v1/sales', { token, body });

/** What a suite does that would see each alternative. */
const uses: Readonly<Record<string, (used: Used) => Promise<unknown>>> = {
  'pos.repeated-products=merged': (used) => sell(used, { ...aSale(2), items: [...aSale(1).items, ...aSale(1).items] }),
  'pos.payment-received-payload=without-sale': ({ stub }) => stub.trigger('payment.received'),
  'pos.inventory-low-payload=per-sale': ({ stub }) => stub.trigger('inventory.low'),
  'harmless.duplicate-webhooks=on': ({ stub }) => stub.trigger('sale.completed'),
};

/** Every suite that sells in cash and has a receiver would see these. */
const everySuite = ['harmless.duplicate-webhooks=on'];

async function exercisedBy(id: string, use: (used: Used) => Promise<unknown>): Promise<boolean> {
  const receiver = await openReceiver(204);
  const exercised = new Map();
  const candidates = candidatesOf('pos').filter((one) => one.id === id);
  const options = { logLevel: 'silent', clock, webhooks: [{ url: receiver.url }] } as const;
  const stub = await startExercised('pos', options, { candidates, exercised });
  onTestFinished(() => stub.close());
  await use({ stub, token: await signIn(stub) });
  return exercised.has(id);
}

test.each(Object.entries(uses))('%s is exercised by a suite that would see it, and not by another one', async (id, use) => {
  expect(await exercisedBy(id, use)).toBe(true);
  if (!everySuite.includes(id)) expect(await exercisedBy(id, (used) => sell(used, aSale()))).toBe(false);
});

test('cohesion.financing-update-required=emptied is exercised by an update, and not by a creation', async () => {
  const id = 'cohesion.financing-update-required=emptied';
  const exercised = new Map();
  const candidates = candidatesOf('cohesion').filter((one) => one.id === id);
  const stub = await startExercised('cohesion', { clock }, { candidates, exercised });
  onTestFinished(() => stub.close());
  const { token } = stub.credentials;
  await call(stub, 'POST', '/api/v1/financements', { token, body: financing });
  expect([...exercised.keys()]).toEqual([]);
  await call(stub, 'PUT', '/api/v1/financements/1', { token, body: { statut: 'obtenu' } });
  expect([...exercised.keys()]).toEqual([id]);
});
