import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serviceNames } from '../../spec/documents/services.ts';
import { type Stub, type StubOptions, startStub } from '../../stubs/stub.ts';
import { forAllAsync } from '../for-all.ts';
import { aSale, call, openReceiver, signIn } from './partner.ts';

/** What somebody does: calls of a program under test, and what its test does to the stub. */
interface Doer {
  stub: Stub;
  /** Makes a call at the address of the stub. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Gets another token. */
  renew(): Promise<void>;
}
type Deed = (doer: Doer) => Promise<unknown>;

const deeds: Record<string, Deed> = {
  sell: ({ ask }) => ask('POST', '/api/v1/sales', aSale(1)),
  'sell too much': ({ ask }) => ask('POST', '/api/v1/sales', aSale(10_000)),
  stock: ({ ask }) => ask('GET', '/api/v1/inventory?store_id=STORE-ABJ-01'),
  report: ({ ask }) => ask('GET', '/api/v1/reports/sales?store_id=STORE-ABJ-01'),
  finance: ({ ask }) => ask('POST', '/api/v1/financements', { montant: 5 }),
  indicators: ({ ask }) => ask('GET', '/api/v1/indicateurs?per_page=2'),
  'sign in': ({ renew }) => renew(),
  nothing: ({ ask }) => ask('DELETE', '/api/v1/indicateurs'),
  'a fault': async ({ stub }) => stub.faults.add('*:status=503,times=1'),
  'an alternative': ({ stub }) =>
    stub.assumptions.add(stub.api === 'pos' ? { 'pos.sale-status': '200' } : { 'cohesion.unknown-method': '405' }),
  'a harmless change': ({ stub }) => stub.assumptions.add({ 'harmless.header-case': 'on' }),
  'an hour': ({ stub }) => stub.clock.advance('1h'),
  async event({ stub }) {
    const { event, deliveries } = await stub.trigger(stub.api === 'pos' ? 'sale.completed' : 'indicator.alert', {});
    return [event, deliveries.map(({ status, body }) => [status, body])];
  },
  reset: ({ stub }) => stub.reset(),
  calls: async ({ stub }) => stub.calls().map(({ operation, status, requestBody }) => [operation, status, requestBody]),
  deliveries: async ({ stub }) =>
    (await stub.deliveries()).map(({ event_type, status, attempts }) => [event_type, status, attempts]),
  state: ({ stub }) => stub.state(),
  clock: async ({ stub }) => [stub.clock.now(), stub.faults.list().length, stub.assumptions.list().length],
};

/** Does all in order. Returns what could be seen, without what is drawn at random and the names of credentials. */
async function seen(stub: Stub, url: string, names: readonly string[]): Promise<unknown[]> {
  const tokenOf = async () =>
    'token' in stub.credentials ? stub.credentials.token : signIn({ url, credentials: stub.credentials });
  let token = await tokenOf();
  const ask: Doer['ask'] = async (method, path, body) => {
    const reply = await call({ url }, method, path, { token, ...(body ? { body } : {}) });
    return { status: reply.status, body: reply.body };
  };
  const renew = async () => {
    // A fault may refuse it. The old one is sent then, and may have expired.
    token = await tokenOf().catch(() => token);
  };
  const all: unknown[] = [];
  for (const name of names) {
    all.push([name, withoutChance(await deeds[name]?.({ stub, ask, renew }))]);
    // Otherwise it is chance how far a webhook has come by the next deed.
    await stub.settled();
  }
  return all;
}

const withoutChance = (value: unknown) =>
  JSON.stringify(value)
    ?.replaceAll(/[a-z]+_[0-9a-f]{32}/g, 'ID')
    .replaceAll(/S-\d{8}-[0-9A-Z]{6}/g, 'REFERENCE')
    .replaceAll(/_world-\d+/g, '')
    .replaceAll(/\d+\|[\w-]{32,}/g, 'TOKEN');

test.each(serviceNames)(
  'what happens in two worlds of %s, and in the stub itself, is what happens to each alone',
  async (api) => {
    const usual: StubOptions = { clock: '2026-03-01T08:00:00Z', help: false, logLevel: 'silent', faultSeed: 1 };
    const some = fc.array(fc.constantFrom(...Object.keys(deeds)), { minLength: 1, maxLength: 12 });
    const runs = {
      numRuns: 12,
      examples: [
        [
          ['sell', 'calls'],
          ['a fault', 'reset', 'sell', 'calls'],
          ['an hour', 'sell'],
        ],
        [['reset', 'calls', 'clock', 'deliveries'], Object.keys(deeds), ['sell', 'event', 'state', 'clock', 'deliveries']],
      ] as [string[], string[], string[]][],
    };
    await forAllAsync(runs, [some, some, some], async (...lists: [string[], string[], string[]]) => {
      const receivers = await Promise.all(lists.map(() => openReceiver(204)));
      const alone = await Promise.all(
        lists.map(async (names, at) => {
          await using stub = await startStub(api, { ...usual, webhooks: [{ url: receivers[at]?.url ?? '' }] });
          const all = await seen(stub as Stub, stub.url, names);
          return [...all, receivers[at]?.received.splice(0).map(({ body }) => withoutChance(JSON.parse(body)))];
        }),
      );
      const urlOf = (at: number) => ({ webhooks: [{ url: receivers[at]?.url ?? '' }] });
      await using stub = await startStub(api, { ...usual, ...urlOf(0) });
      const all = [stub, await stub.world(urlOf(1)), await stub.world(urlOf(2))];
      const together = await Promise.all(
        all.map(async (one, at) => [
          ...(await seen(one as Stub, stub.url, lists[at] as string[])),
          receivers[at]?.received.map(({ body }) => withoutChance(JSON.parse(body))),
        ]),
      );
      expect(together).toEqual(alone);
    });
  },
);
