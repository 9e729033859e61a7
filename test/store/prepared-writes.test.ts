import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { createDatabase, onScale } from '../scale/services.ts';
import { event, fact } from './rows.ts';

onScale('writes that PostgreSQL has prepared', () => {
  test('go on while a newer version adds columns', async () => {
    const { url, drop } = await createDatabase();
    const store = await openPostgres({ url, connections: 1, log: openLog('silent') });
    const newer = new pg.Client(url);
    await newer.connect();
    onTestFinished(async () => {
      await newer.end();
      await store.close();
      await drop();
    });
    const write = async (id: string) => {
      await store.append('events', [event(id)]);
      const [inserted] = await store.insert('facts', [fact(id)]);
      return inserted?.name;
    };

    // More than once: PostgreSQL keeps a plan only after five runs.
    for (let run = 0; run < 6; run++) expect(await write(`evt_before_${run}`)).toBe(`evt_before_${run}`);
    for (const table of ['events', 'facts']) await newer.query(`alter table passerelle.${table} add column later text`);
    expect(await write('evt_after')).toBe('evt_after');
  });
});
