/**
 * Measures the console's requests over HTTP from a gateway of the scale tier, with 100,000 rows and with 10 million rows in
 * each of calls, events, deliveries and attempts, spread over 30 days. Then measures the removal of a day of evidence.
 *
 *     bash .ci/scale -- node bench/days.ts [--rows 100000,10000000] [--rounds 20]
 *
 * 10 million rows take 40 GB. Rows that are there already are not added again.
 */
import { parseArgs } from 'node:util';
import type { PostgresPool } from 'kysely';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { dayMs, dayOf } from '../gateway/store/daily.ts';
import { addDays } from '../gateway/store/sql/days.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { type Measured, measure, reader, startGateway } from './console-readings.ts';
import { fillEndpoints } from './console-rows.ts';
import { days, fillDays } from './days-rows.ts';

const { DATABASE_URL } = process.env;
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000,10000000' }, rounds: { type: 'string', default: '20' } },
});
const sizes = values.rows.split(',').map(Number);
const print = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (begun: number) => ((performance.now() - begun) / 1000).toFixed(1);

const pool = new pg.Pool({ connectionString: DATABASE_URL });
const store = await openSqlStore(pool as unknown as PostgresPool);
const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
const untilMs = Date.now();
let filled = await store.count('calls');
if (filled === 0) await fillEndpoints(store, untilMs);
for (const table of ['calls', 'attempts'] as const)
  for (let ago = days; ago > 0; ago--) await addDays(db, table, untilMs - ago * dayMs);

const results: Measured[][] = [];
for (const size of sizes) {
  const begun = performance.now();
  await fillDays(pool, filled, size, untilMs);
  filled = Math.max(filled, size);
  print(`${size} rows in each table, filled in ${seconds(begun)} s`);
  await pool.query('vacuum');
  const { url, child } = await startGateway({
    SECRET_KEY: '00'.repeat(32),
    CALL_RETENTION_HOURS: '87600',
    ATTEMPT_RETENTION_HOURS: '87600',
    DELIVERY_RETENTION_HOURS: '87600',
  });
  results.push(await measure(reader(url), child, Number(values.rounds)));
  child.kill('SIGTERM');
}
print(`reading | p50, p95 ms with ${sizes.join(' | p50, p95 ms with ')} rows | ratio of p50 | found`);
for (const [index, { name, found }] of (results.at(-1) ?? []).entries()) {
  const each = results.map((measured) => measured[index] as Measured);
  const ratio = (each.at(-1)?.p50 ?? 0) / (each[0]?.p50 ?? 1);
  const slow = each.some(({ p50, p95 }) => p50 > 10 || p95 > 100) ? ' **over 10 or 100 ms**' : '';
  const times = each.map(({ p50, p95 }) => `${p50.toFixed(1)}, ${p95.toFixed(1)}`);
  print(`${name} | ${times.join(' | ')} | ${ratio.toFixed(1)} | ${found}${slow}`);
}

// The first day is not whole, so the second one is measured.
const firstDay = dayOf(untilMs - days * dayMs);
const unless = { column: 'delivery_id', table: 'deliveries', where: { status: 'pending' } } as const;
for (const table of ['calls', 'attempts'] as const) {
  await store.expire(table, { beforeMs: firstDay + dayMs, unless: table === 'attempts' ? unless : undefined } as never);
  const before = await store.count(table);
  const begun = performance.now();
  await store.expire(table, { beforeMs: firstDay + 2 * dayMs, unless: table === 'attempts' ? unless : undefined } as never);
  const taken = performance.now() - begun;
  print(`retention of a day of ${table}: ${before - (await store.count(table))} rows in ${taken.toFixed(0)} ms`);
}
await store.close();
process.exit();
