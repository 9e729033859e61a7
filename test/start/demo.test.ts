import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { decideDemo, makeDemo } from '../../gateway/start/demo.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { buildTestApp } from '../helper.ts';

const DATA_DIR = './data';

test('a new data folder gets demo data if it is wanted', async () => {
  const store = new MemoryStore();
  const decided = (['on', 'new', 'off'] as const).map((DEMO) => decideDemo(store, { DEMO, DATA_DIR }));
  expect(await Promise.all(decided)).toEqual([true, true, false]);
});

test('a data folder with demo data keeps it, also beside calls', async () => {
  const store = new MemoryStore();
  await makeDemo(store, new ManualClock(Date.UTC(2026, 0, 1)), new Keyring(Buffer.alloc(32)));
  expect(await decideDemo(store, { DEMO: 'new', DATA_DIR })).toBe(true);
});

test('a data folder with other data gets no demo data, and refuses it with advice', async () => {
  const { store, manage } = await buildTestApp({ demo: false });
  expect((await manage('POST', '/pos/accounts', { name: 'Boutique', plan: 'pro' })).status).toBe(201);
  expect(await decideDemo(store, { DEMO: 'new', DATA_DIR })).toBe(false);
  await expect(decideDemo(store, { DEMO: 'on', DATA_DIR })).rejects.toThrow(
    /DEMO=on .*other data\. Set DATA_DIR to a new folder/,
  );
});
