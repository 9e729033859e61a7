import { expect, onTestFinished, test } from 'vitest';
import { candidatesOf } from '../../contracts/tools/probe/candidates.ts';
import { type Exercised, judgeUse } from '../../contracts/tools/probe/exercised.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { type Stub, type StubOptions, startStub } from '../../stubs/stub.ts';
import { financing } from '../stubs/dashboard.ts';
import { aSale, call, openReceiver, signIn } from '../stubs/partner.ts';
import { clock } from '../stubs/till.ts';

/** A stub, and the alternatives that would have changed what was done with it. */
async function judged<A extends ServiceName>(api: A, options: StubOptions<A>, id: string) {
  const exercised: Exercised = new Map();
  const stub = await startStub(api, options);
  onTestFinished(() => stub.close());
  const candidates = candidatesOf(api).filter((one) => one.id === id);
  const settled = judgeUse(stub as Stub, candidates, exercised);
  const names = async () => {
    await settled();
    return [...exercised.keys()];
  };
  return { stub, names };
}

interface Used {
  stub: Stub<'pos'>;
  token: string;
}

const sell = ({ stub, token }: Used, body: object) => call(stub, 'POST', '/api/v1/sales', { token, body });

/** What a suite does that would see each alternative. */
const uses: Readonly<Record<string, (used: Used) => Promise<unknown>>> = {
  'pos.repeated-products=merged': (used) => sell(used, { ...aSale(2), items: [...aSale(1).items, ...aSale(1).items] }),
  'pos.payment-received-payload=without-sale': ({ stub }) => stub.trigger('payment.received'),
  'harmless.duplicate-webhooks=on': ({ stub }) => stub.trigger('sale.completed'),
};

test.each(Object.entries(uses))('%s is exercised by a suite that would see it, and not by another one', async (id, use) => {
  const receiver = await openReceiver(204);
  const { stub, names } = await judged('pos', { clock, webhooks: [{ url: receiver.url }] }, id);
  const used = { stub, token: await signIn(stub) };
  expect(await names()).toEqual([]);
  await use(used);
  expect(await names()).toEqual([id]);
});

test('an update exercises what empties fields, and a creation does not; a reset forgets nothing', async () => {
  const id = 'cohesion.financing-update-required=emptied';
  const { stub, names } = await judged('cohesion', { clock }, id);
  const { token } = stub.credentials;
  await call(stub, 'POST', '/api/v1/financements', { token, body: financing });
  expect(await names()).toEqual([]);
  await call(stub, 'PUT', '/api/v1/financements/1', { token, body: { statut: 'obtenu' } });
  await stub.reset();
  expect(await names()).toEqual([id]);
});
