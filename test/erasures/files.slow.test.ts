import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { forgetErased } from '../../gateway/store/pglite/upkeep.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { until } from '../webhooks/harness.ts';

const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => readFileSync(path).includes(text));

test('a number that was erased is in no file of the embedded database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-erased-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pool = await PglitePool.open(join(folder, 'postgres'));
  const store = await openSqlStore(pool);
  const clock = stillClock();
  const ends: (() => Promise<void>)[] = [];
  const gateway = await buildTestApp({ store, clock, atEnd: (close) => ends.push(close) });
  const token = await gateway.posToken();
  const [stock] = await store.list('stock', { where: { quantity: { gt: '50' } }, limit: 1 });
  const price = Number(stock?.price);
  for (let at = 0; at < 20; at++) {
    const items = [{ product_id: stock?.product_id, quantity: 1, price }];
    const body = { store_id: stock?.store_id, items, payment_method: 'cash', customer_phone: '+33612345678', total: price };
    expect((await gateway.call('POST', '/pos/api/v1/sales', { token, body })).status).toBe(201);
  }
  // The calls are stored, and the statistics have samples of the values.
  await gateway.manage('GET', '/calls');
  await pool.query('vacuum (analyze)');
  await pool.query('checkpoint');
  expect(filesWith(folder, '612345678').length).toBeGreaterThan(3);
  expect(await forgetErased(pool)).toBe(false);

  const { data } = (await gateway.manage('POST', '/erasures', { number: '+33612345678', dry_run: false })).body;
  await until(async () => {
    await clock.advance(180_000);
    expect((await store.get('erasures', { id: data.id }))?.status).toBe('done');
  });
  expect([await forgetErased(pool), await forgetErased(pool)]).toEqual([true, false]);
  for (const end of ends) await end();
  await store.close();
  expect(filesWith(folder, '612345678')).toEqual([]);
});
