/**
 * Measures the console's requests over HTTP from gateways of the scale tier, with 100,000 rows and with 10 million rows in
 * each of calls, events, deliveries and attempts, spread over 30 days. Then measures the removal of a day of evidence.
 *
 *     bash .ci/scale -- node bench/days.ts [--rows 100000,10000000] [--rounds 20] [--fill]
 *
 * Each size has a database of its own on the server of DATABASE_URL, and the gateways are measured in turns. 10 million
 * rows take 25 GB. With --fill it only makes the databases. One that is there already is used as it is.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { dayMs, dayOf } from '../gateway/store/daily.ts';
import type { Store } from '../gateway/store/port.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { type Measured, measureBeside, reader, startGateway } from './console-readings.ts';
import { databaseWith } from './days-rows.ts';

const { DATABASE_URL = '' } = process.env;
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000,10000000' },
    rounds: { type: 'string', default: '20' },
    fill: { type: 'boolean', default: false },
  },
});
const sizes = values.rows.split(',').map(Number);
const print = (line: string) => process.stdout.write(`${line}\n`);

async function measureLists(urls: string[]): Promise<void> {
  const started = [];
  for (const [index, url] of urls.entries())
    started.push(
      await startGateway({
        DATABASE_URL: url,
        REDIS_PREFIX: `days${index}`,
        SECRET_KEY: '00'.repeat(32),
        CALL_RETENTION_HOURS: '87600',
        ATTEMPT_RETENTION_HOURS: '87600',
        DELIVERY_RETENTION_HOURS: '87600',
      }),
    );
  const gateways = started.map(({ url, child }) => ({ read: reader(url), server: child }));
  const results = await measureBeside(gateways, Number(values.rounds));
  for (const { child } of started) child.kill('SIGTERM');
  print(`reading | p50, p95 ms with ${sizes.join(' | p50, p95 ms with ')} rows | ratio of p50 | found`);
  for (const [index, { name, found }] of (results.at(-1) ?? []).entries()) {
    const each = results.map((measured) => measured[index] as Measured);
    const ratio = (each.at(-1)?.p50 ?? 0) / (each[0]?.p50 ?? 1);
    const slow = each.some(({ p50, p95 }) => p50 > 10 || p95 > 100) ? ' **over 10 or 100 ms**' : '';
    const times = each.map(({ p50, p95 }) => `${p50.toFixed(1)}, ${p95.toFixed(1)}`);
    print(`${name} | ${times.join(' | ')} | ${ratio.toFixed(1)} | ${found}${slow}`);
  }
}

/** Removes the oldest day that is whole. */
async function measureRetention(url: string): Promise<void> {
  const store: Store = await openSqlStore(new pg.Pool({ connectionString: url }));
  const unless = { column: 'delivery_id', table: 'deliveries', where: { status: 'pending' } } as const;
  for (const table of ['calls', 'attempts'] as const) {
    const [oldest] = await store.list('calls', { order: [['id', 'asc']], limit: 1 });
    const firstDay = dayOf((oldest?.at ?? 0) - 1) + dayMs;
    const expire = (beforeMs: number) =>
      store.expire(table, { beforeMs, unless: table === 'attempts' ? unless : undefined } as never);
    await expire(firstDay);
    const before = await store.count(table);
    const begun = performance.now();
    await expire(firstDay + dayMs);
    const taken = performance.now() - begun;
    print(`retention of a day of ${table}: ${before - (await store.count(table))} rows in ${taken.toFixed(0)} ms`);
  }
  await store.close();
}

const urls: string[] = [];
for (const size of sizes) urls.push(await databaseWith(DATABASE_URL, size, print));
if (!values.fill) {
  await measureLists(urls);
  await measureRetention(urls.at(-1) ?? '');
}
process.exit();
