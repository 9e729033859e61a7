import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openReference, type Reference } from '../../contracts/tools/reference.ts';
import { ReferenceGateways } from '../../contracts/tools/reference-gateway.ts';
import { setUpState, states } from '../../contracts/tools/states/register.ts';
import type { World } from '../../contracts/tools/states/state.ts';
import { type ServiceName, serviceNames } from '../../spec/documents/services.ts';
import { forAllAsync } from '../for-all.ts';

/** Interactions one after another, as `verify` makes them: all in one gateway. */
function inOneGateway(provider: ServiceName) {
  const gateways = new ReferenceGateways(provider);
  onTestFinished(() => gateways.close());
  return async <R>(work: (world: World) => Promise<R>): Promise<R> => {
    const reference = await openReference(provider, gateways);
    try {
      return await work({ reference, values: {} });
    } finally {
      await reference.close();
    }
  };
}

const lists: Readonly<Record<ServiceName, readonly string[]>> = {
  pos: ['pos/accounts', 'pos/stores', 'pos/sales'],
  cohesion: ['users', 'tokens', 'structures', 'indicators', 'interventions', 'financings', 'plans', 'reports'].map(
    (name) => `cohesion/${name}`,
  ),
};

const rows = async (reference: Reference, provider: ServiceName) =>
  (await Promise.all(lists[provider].map((list) => reference.manage('GET', `/${list}`)))).flat();

/** The parameters of states that cannot do without. */
const needed: Readonly<Record<string, Record<string, unknown>>> = {
  'an access token without the ability': { ability: 'read:stats' },
  'today is': { date: '2031-02-03' },
};

const setUp = async (provider: ServiceName, name: string, world: World) => {
  const returned = await setUpState(provider, world, { name, params: needed[name] ?? {} });
  // Ids that are numbers tell how many rows were before; other values are random.
  return Object.entries(returned).filter(([key, value]) => typeof value === 'number' && key !== 'annee');
};

test.each(serviceNames)('whatever the interactions of %s did before, the next one finds nothing of it', async (provider) => {
  const nowMs = Date.UTC(2026, 11, 31, 23, 59, 50);
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
  const names = states[provider].map(({ name }) => name);
  const anew = new Map<string, unknown>();
  for (const name of names) anew.set(name, await inOneGateway(provider)((world) => setUp(provider, name, world)));
  const next = inOneGateway(provider);
  await forAllAsync(3, [fc.shuffledSubarray(names, { minLength: 4, maxLength: 8 })], async (order) => {
    for (const name of order)
      await next(async (world) => {
        expect(world.reference.now()).toBe(nowMs);
        expect(await rows(world.reference, provider), `before ${name} of ${order}`).toEqual([]);
        expect(await setUp(provider, name, world), `${name} of ${order}`).toEqual(anew.get(name));
      });
  });
});

test.each(serviceNames)('events of %s reach an endpoint of a partner as they reach one of the operator', async (provider) => {
  const next = inOneGateway(provider);
  const owner = { pos: 'account', cohesion: 'user' }[provider];
  for (const { name, event } of states[provider].filter((one) => one.event !== undefined))
    await next(async (world) => {
      const { webhookOf, ...others } = world.reference;
      const owners: (string | undefined)[] = [];
      world.reference = {
        ...others,
        webhookOf(type, change, endpoint) {
          owners.push(endpoint?.owner);
          return webhookOf(type, change, endpoint);
        },
      };
      await setUpState(provider, world, { name, params: { owner } });
      expect(JSON.parse(world.webhook?.body ?? '{}'), name).toMatchObject({ event });
      expect(owners).toEqual([expect.stringMatching(`^${owner}:`)]);
    });
  const stranger = { owner: `${owner}:404` };
  await next(({ reference }) =>
    expect(reference.webhookOf('any', async () => {}, stranger)).rejects.toThrow(`There is no ${owner}`),
  );
});

test.each(['token', 'user'])('the perimeter of a %s bounds what the token may write', async (perimeter_of) => {
  await inOneGateway('cohesion')(async (world) => {
    const given = await setUpState('cohesion', world, { name: 'an access token', params: { perimeter_of } });
    const headers = { authorization: `Bearer ${given.token}`, 'content-type': 'application/json' };
    const financing = { exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 1, statut: 'promis' };
    const write = async (structure_id: unknown) => {
      const body = JSON.stringify({ ...financing, structure_id });
      return (await world.reference.send({ method: 'POST', path: '/api/v1/financements', headers, body })).status;
    };
    expect([await write(given.structure_id), await write(given.other_structure_id)]).toEqual([201, 403]);
  });
});
