import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Rows, Store } from '../../gateway/store/port.ts';
import { eventually } from '../eventually.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { makeAccount } from '../profile/harness.ts';

const rows = 4;
const reads: ReadonlySet<PropertyKey> = new Set<keyof Rows>(['get', 'list', 'scan', 'count', 'newest', 'summarize']);

/** A store that notes the tables it is asked for. What was read of accounts waits until `held` resolves. */
function notingStore() {
  const noted: string[] = [];
  const state = { held: Promise.resolve() };
  const store = new Proxy(new MemoryStore() as Store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        const result = method.apply(target, args);
        if (!reads.has(name)) return result;
        noted.push(String(args[0]));
        const read = await result;
        if (args[0] === 'accounts') await state.held;
        return read;
      };
    },
  });
  return { store, noted, state };
}

/** Endpoints of the operator for one service, and of as many partners for the other. */
async function ownedGateway(settings: Record<string, string> = {}) {
  const { store, noted, state } = notingStore();
  const clock = stillClock();
  const gateway = await buildTestApp({ store, clock, settings, demo: false });
  const make = async (body: object) => {
    const made = await gateway.manage('POST', '/endpoints', { url: 'https://example.com/hook', active: true, ...body });
    expect(made.status, made.text).toBe(201);
  };
  const accounts: string[] = [];
  for (let number = 0; number < rows; number++) {
    await make({ service: 'cohesion' });
    const { id } = await makeAccount(gateway, { name: `Boutique ${number}` });
    accounts.push(id);
    await make({ service: 'pos', owner: `account:${id}` });
  }
  const list = async (service: string) => {
    const { body } = await gateway.manage('GET', `/endpoints?service=${service}&limit=${rows}`);
    return body.data.map(({ owner }: { owner: { name: string | null } }) => owner.name) as (string | null)[];
  };
  const statements = async (service: string) => {
    noted.length = 0;
    await list(service);
    return noted.toSorted();
  };
  const rename = async (id: string, name: string) =>
    expect((await gateway.manage('PATCH', `/pos/accounts/${id}`, { name })).status).toBe(200);
  return { store, noted, state, clock, newest: accounts.at(-1) as string, list, statements, rename };
}

/** Nothing connects to these: the test brings its own store. */
const scale = {
  DATABASE_URL: 'postgres://localhost/never',
  REDIS_URL: 'redis://localhost',
  SECRET_KEY: '0123456789abcdef'.repeat(4),
};

test('a page of owned endpoints takes the statements of one of the operator, and its names follow changes', async () => {
  const { store, clock, newest, list, statements, rename } = await ownedGateway(scale);
  expect(await list('cohesion')).toEqual(Array(rows).fill(null));
  const names = Array.from({ length: rows }, (_, index) => `Boutique ${rows - 1 - index}`);
  expect(await list('pos')).toEqual(names);
  const ofOperator = await statements('cohesion');
  expect(ofOperator).toContain('endpoints');
  expect(await statements('pos')).toEqual(ofOperator);

  // This process shows its own change at once.
  await rename(newest, 'Chez Awa');
  expect(await list('pos')).toEqual(['Chez Awa', ...names.slice(1)]);
  expect(await statements('pos')).toEqual(ofOperator);

  // The gateway does not see what is written beside it, as by another process, until names are 5 s old.
  await store.update('accounts', { id: newest }, { name: 'Chez Kofi' });
  await clock.advance(4999);
  expect((await list('pos'))[0]).toBe('Chez Awa');
  await clock.advance(1);
  expect(await list('pos')).toEqual(['Chez Kofi', ...names.slice(1)]);
});

test('the only process of a store reads names once: a later page takes the statements of one of the operator, too', async () => {
  const { clock, newest, list, statements, rename } = await ownedGateway();
  const names = await list('pos');
  await clock.advance(60_000);
  expect(await statements('pos')).toEqual(await statements('cohesion'));
  await rename(newest, 'Chez Awa');
  expect(await list('pos')).toEqual(['Chez Awa', ...names.slice(1)]);
});

test('a name that is changed while it is read is not kept', async () => {
  const { state, noted, clock, newest, list, rename } = await ownedGateway(scale);
  await clock.advance(5000);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.held = promise;
  noted.length = 0;
  const before = list('pos');
  await eventually(() => expect(noted).toContain('accounts'));
  await rename(newest, 'Chez Awa');
  resolve();
  await before;
  expect((await list('pos'))[0]).toBe('Chez Awa');
});

test('names of users follow changes as well', async () => {
  const gateway = await buildTestApp({ demo: false });
  const user = { name: 'Zoé', email: 'zoe@example.com', role: 'lecteur' };
  const { id } = (await gateway.manage('POST', '/cohesion/users', user)).body.data;
  const made = { service: 'cohesion', url: 'https://example.com/hook', owner: `user:${id}`, active: true };
  expect((await gateway.manage('POST', '/endpoints', made)).status).toBe(201);
  const shown = async () => (await gateway.manage('GET', '/endpoints')).body.data[0].owner.name;
  expect(await shown()).toBe('Zoé');
  for (const name of ['Awa', 'Kofi']) {
    expect((await gateway.manage('PATCH', `/cohesion/users/${id}`, { name })).status).toBe(200);
    expect(await shown()).toBe(name);
  }
});
