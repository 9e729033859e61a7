import { beforeAll, expect, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import type { Store } from '../../gateway/store/port.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import type { AtEnd } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { storeConformance } from '../store/conformance.ts';
import { fact } from '../store/rows.ts';
import { startPgBouncer, startPostgres } from './private-services.ts';
import { connected, onScale, saleReferences, sellMany, startTwo, untilLedger } from './services.ts';

onScale('PgBouncer in transaction mode', () => {
  let store: Store;
  let direct: string;
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    const atEnd: AtEnd = (end) => void ends.push(end);
    const postgres = await startPostgres({ atEnd });
    direct = postgres.url;
    const { url } = await startPgBouncer(direct, { atEnd });
    store = await openPostgres({ url, connections: 5, log: openLog('silent') });
    return async () => {
      await store.close();
      for (const end of ends.reverse()) await end();
    };
  });

  storeConformance('the port', () => store);

  test.each([
    ['a statement', () => store.update('facts', { name: 'locked' }, { value: 'changed' })],
    ['a transaction', () => store.transaction((tx) => tx.update('facts', { name: 'locked' }, { value: 'changed' }))],
  ])('%s gives up waiting for a locked row', async (_, write) => {
    await store.append('facts', [fact('locked')]);
    const holder = await connected({ DATABASE_URL: direct });
    await holder.query("begin; select 1 from passerelle.facts where name = 'locked' for update");
    await expect(write()).rejects.toMatchObject({ cause: { code: '55P03' } });
    await holder.query('rollback');
    await store.remove('facts', { name: 'locked' });
  });

  test('starts leave no lock in a connection of the pooler, which would keep later ones from starting', async () => {
    const postgres = await startPostgres();
    const { url } = await startPgBouncer(postgres.url);
    const open = () => openPostgres({ url, connections: 5, log: openLog('silent') });
    // Others take connections between the statements of a start.
    let isOpen = false;
    const others = Array.from({ length: 4 }, async () => {
      const other = await connected({ DATABASE_URL: url });
      while (!isOpen) await other.query('select 1');
    });
    const stores = await Promise.all([open(), open(), open(), open()]);
    isOpen = true;
    await Promise.all([...stores.map((one) => one.close()), ...others]);
    const direct = await connected({ DATABASE_URL: postgres.url });
    const { rows } = await direct.query("select count(*)::int as locks from pg_locks where locktype = 'advisory'");
    expect(rows[0]?.locks).toBe(0);
  });

  test('two gateways start at once, sell and deliver over four connections', async () => {
    const postgres = await startPostgres();
    const pooler = await startPgBouncer(postgres.url);
    const { gateways, first, target, shop } = await startTwo({ DATABASE_URL: pooler.url });
    const statuses = await sellMany(shop, gateways, 60);
    expect(new Set(statuses)).toEqual(new Set([201]));
    await eventually(() => expect(saleReferences(target.received).size).toBe(60));
    await untilLedger(first, { deliveries: { delivered: 60, pending: 0 } });
    const direct = await connected({ DATABASE_URL: postgres.url });
    const { rows } = await direct.query(
      "select count(*)::int as used from pg_stat_activity where application_name = 'passerelle'",
    );
    expect(rows[0]?.used).toBeLessThanOrEqual(4);
  });
});
