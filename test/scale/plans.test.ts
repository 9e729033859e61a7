import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import type { Store } from '../../gateway/store/port.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { parkedFor } from '../../gateway/webhooks/model/lane.ts';
import { delivery } from '../store/rows.ts';
import { connected, createDatabase, onScale } from './services.ts';

const ids = Array.from({ length: 100 }, (_, index) => `dlv_${index}`);
const rows = ids.map((id) => delivery(id, `evt_${id}`, 'ep_1'));
const moves = ids.map((id) => ({ id, seen: { attempts: 0 }, next: { attempts: 1 } }));
const changes = ids.map((id) => ({ id, attempts: 1 }));

onScale('plans of PostgreSQL', () => {
  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['advance', (store) => store.advance('deliveries', moves)],
    ['revise', (store) => store.revise('deliveries', changes)],
  ])('%s does not scan a table that was small when it was planned', async (_, write) => {
    const { url, drop } = await createDatabase();
    onTestFinished(drop);
    const open = () => openPostgres({ url, connections: 1, log: openLog('silent') });
    /** Returns how many rows PostgreSQL has scanned. A connection reports them at the latest when it ends. */
    const scanned = async (work: (store: Store) => Promise<unknown>) => {
      const store = await open();
      await work(store);
      await store.close();
      const client = await connected({ DATABASE_URL: url });
      const { rows: tables } = await client.query("select seq_tup_read from pg_stat_user_tables where relname = 'deliveries'");
      await client.query(`alter database ${new URL(url).pathname.slice(1)} set plan_cache_mode = force_generic_plan`);
      return Number(tables[0].seq_tup_read);
    };
    const before = await scanned((store) => store.append('deliveries', rows));
    expect(await scanned(write)).toBe(before);
  });

  test('a lane is read by its own index, though most deliveries were parked at the last look', async () => {
    const { url, drop } = await createDatabase();
    onTestFinished(drop);
    const store = await openPostgres({ url, connections: 1, log: openLog('silent') });
    const client = await connected({ DATABASE_URL: url });
    const parked = Array.from({ length: 20_000 }, (_, index) => ({
      event: 10_000 + Math.floor(index / 10),
      endpoint: index % 10,
    }));
    await store.append(
      'deliveries',
      parked.map(({ event, endpoint }) =>
        delivery(`dlv_${event}_${endpoint}`, `evt_${event}`, `ep_${endpoint}`, { parked: true }),
      ),
    );
    await client.query('vacuum analyze passerelle.deliveries');
    await client.query("update passerelle.deliveries set parked = false where event_id < 'evt_11900'");
    const lane = await store.list('deliveries', { ...parkedFor('ep_3'), limit: 20 });
    expect(lane.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => `dlv_${11_900 + index}_3`));
    await store.close();
    const { rows: tables } = await client.query("select idx_tup_fetch from pg_stat_user_tables where relname = 'deliveries'");
    expect(Number(tables[0].idx_tup_fetch)).toBe(20);
  });
});
