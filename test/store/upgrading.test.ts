import { type Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { openLog } from '../../gateway/base/log.ts';
import { type Schema, schema } from '../../gateway/store/migrations/index.ts';
import { run } from '../../gateway/store/migrations/run.ts';
import type { Store } from '../../gateway/store/port.ts';
import { kyselyOn } from '../../gateway/store/sql/connection.ts';
import { migrate } from '../../gateway/store/sql/migrate.ts';
import { ClosingPool, openPostgres } from '../../gateway/store/sql/postgres.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import type { TableName } from '../../gateway/store/tables/index.ts';
import { openEmptyPglite } from '../pglite.ts';
import { createDatabase, onScale } from '../scale/services.ts';
import { attempt, call, delivery, endpoint, event, fact, idAt } from './rows.ts';

/** The next version: it only adds what this one need not write. */
const expanded: Schema = {
  migrations: {
    ...schema.migrations,
    '900-expand': run(
      'alter table passerelle.facts add column size integer',
      'update passerelle.facts set size = length(value)',
      `alter table passerelle.deliveries add column later text not null default 'x'`,
      'create index deliveries_later on passerelle.deliveries (later, id)',
      'alter table passerelle.calls add column later json',
    ),
  },
  oldestReader: schema.oldestReader,
};

/** The version after it: it needs what this one does not write. */
const contracted: Schema = {
  migrations: {
    ...expanded.migrations,
    '901-contract': run(
      'update passerelle.facts set size = length(value) where size is null',
      'alter table passerelle.facts alter column size set not null',
    ),
  },
  oldestReader: '900-expand',
};

const nowMs = Date.now();
const id = (prefix: string, serial: number) => idAt(prefix, nowMs, serial);
const filled = ['facts', 'endpoints', 'events', 'deliveries', 'attempts', 'calls'] as const;

async function fill(store: Store, from: number): Promise<void> {
  await store.append('facts', [fact(`fact_${from}`, 'four')]);
  await store.append('endpoints', [endpoint(id('ep', from))]);
  await store.append('events', [event(id('evt', from))]);
  await store.append('deliveries', [delivery(id('dlv', from), id('evt', from), id('ep', from))]);
  await store.append('attempts', [attempt(id('dlv', from), nowMs)]);
  await store.append('calls', [call(nowMs, from)]);
}

/** The rows of a table as this version reads them. The store gives events their position. */
async function rowsIn(store: Store, table: TableName): Promise<unknown[]> {
  const rows: object[] = await store.list(table);
  return rows.map((row) => ({ ...row, position: undefined }));
}

/** A process of this version, which can start again, and the connection of a newer one. */
interface Opened {
  old: Store;
  startAgain(): Promise<Store>;
  newer: Kysely<unknown>;
}

function upgradeTest(open: () => Promise<Opened>): void {
  test('a newer version expands the schema while this one works beside it, and contracts it later', async () => {
    const { old, startAgain, newer } = await open();
    // More than five: then PostgreSQL keeps the plans of this version's statements.
    for (let serial = 0; serial < 6; serial++) await fill(old, serial);
    const before = await Promise.all(filled.map((table) => rowsIn(old, table)));

    let isMigrated = false;
    let serial = 6;
    const working = (async () => {
      do await fill(old, serial++);
      while (!isMigrated);
    })();
    await migrate(newer, expanded);
    isMigrated = true;
    await working;
    await fill(old, serial++);
    await old.update('deliveries', { id: id('dlv', 0) }, { status: 'delivered' });
    await old.update('deliveries', { id: id('dlv', 0) }, { status: 'pending' });
    for (const [index, table] of filled.entries()) {
      const rows = await rowsIn(old, table);
      expect(rows).toEqual(expect.arrayContaining(before[index] ?? []));
      expect(rows).toHaveLength(serial);
    }
    const sized = await sql<{ size: number | null }>`
      select size from passerelle.facts where name in ('fact_0', ${`fact_${serial - 1}`}) order by size`.execute(newer);
    expect(sized.rows).toEqual([{ size: 4 }, { size: null }]);

    const again = await startAgain();
    await fill(again, serial++);
    expect(await again.count('deliveries')).toBe(serial);

    await migrate(newer, contracted);
    await expect(startAgain()).rejects.toThrow(SettingsError);
    // The version that only expanded the schema still starts.
    await migrate(newer, expanded);
    const unsized = await sql`select name from passerelle.facts where size is null`.execute(newer);
    expect(unsized.rows).toEqual([]);
  });
}

describe('on PGlite', () => {
  upgradeTest(async () => {
    const pool = await openEmptyPglite();
    onTestFinished(() => pool.end());
    const old = await openSqlStore(pool);
    return { old, startAgain: () => openSqlStore(pool), newer: kyselyOn(pool) };
  });
});

onScale('on PostgreSQL', () => {
  upgradeTest(async () => {
    const { url, drop } = await createDatabase();
    onTestFinished(drop);
    const pool = new ClosingPool({ connectionString: url, max: 1 });
    onTestFinished(() => pool.end());
    const startAgain = async () => {
      const store = await openPostgres({ url, connections: 1, log: openLog('silent') });
      onTestFinished(() => store.close());
      return store;
    };
    return { old: await startAgain(), startAgain, newer: kyselyOn(pool) };
  });
});
