import pg from 'pg';
import { firstIdAt } from '../gateway/base/ids.ts';
import { dailyOf, dailyTables, dayMs, dayOf } from '../gateway/store/daily.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { fillEndpoints, fillTallies } from './console-rows.ts';

export const days = 30;

/** Total rows of each table, spread evenly over the days before `untilMs`. */
export interface Spread {
  total: number;
  untilMs: number;
}

/** The same calls as `fillCalls` makes, and the same events, deliveries and attempts as `fillLedger`: row `n` of each table. */
function rowsOf({ total, untilMs }: Spread): Record<string, string> {
  const at = `${untilMs - days * dayMs} + n * ${days * dayMs} / ${total}`;
  const id = (prefix: string) => `'${prefix}_' || lpad(to_hex(${at}), 12, '0') || lpad(n::text, 20, '0')`;
  const failed = 'n % 100 = 7';
  const rare = `(${failed} and n < ${total / 10} and n % 1000 = 7)`;
  const type = `case when ${failed} or n % 2 = 0 then 'payment.received' else 'sale.completed' end`;
  const status = `case when ${rare} then 418 when ${failed} then 500 when n = 11 then 204 else 200 end`;
  return {
    calls: `select ${id('call')}, ${at}, case when n % 4 < 2 then 'pos' else 'cohesion' end,
      (array['createSale', 'readInventory', 'listIndicators', 'readStats'])[n % 4 + 1],
      case when n % 4 < 2 then 'account:acc_' else 'token:' end || n % 500, '203.0.' || (n / 7) % 100 || '.' || n % 250,
      case when n % 50000 = 11 then 'DELETE' when n % 4 = 0 then 'POST' else 'GET' end, '/pos/api/v1/sales',
      case when n % 1000 = 3 then 500 when n % 5000 = 1 then 429 when n % 50 = 1 then 422 else 200 end, 1 + n % 40,
      case when n % 1000 = 3 then 'internal_error' when n % 5000 = 1 then 'rate_limited' when n % 50 = 1 then 'invalid_request' end,
      '{"name":"plan","limit":1000,"remaining":7,"resetSeconds":30}',
      '{"host":"gateway.example.org","authorization":"Bearer [redacted]","user-agent":"till/2.1","accept":"*/*"}',
      case when n % 4 = 0 then '{"customer":"customer ' || n % 5000 || '","items":[{"product_id":"p1","quantity":2}]}' end,
      '{"content-type":"application/json; charset=utf-8"}', '{"success":true,"data":{"number":' || n || ',"filler":"${'y'.repeat(150)}"}}'`,
    events: `select ${id('evt')}, 'pos', ${type}, null,
      '{"event":"x","data":{"customer":"customer ' || n % 5000 || '","filler":"${'x'.repeat(100)}"}}', ${at}, ${at},
      case when n = 5 then 0 else 1 end, null`,
    deliveries: `select ${id('dlv')}, ${id('evt')}, 'ep_' || (n * 7919) % 10000, ${type},
      case when ${failed} then 'failed' else 'delivered' end, 1,
      case when ${rare} then 'tls' when ${failed} then 'status' end, null, ${at}, ${at}, ${status}, false, false`,
    attempts: `select ${id('att')}, ${id('dlv')}, 'ep_' || (n * 7919) % 10000, 1, case when ${failed} then 'status' else 'success' end,
      null, 'https://receiver.example.org/hook', '203.0.113.7',
      '{"content-type":"application/json","webhook-id":"evt","user-agent":"Passerelle"}', ${status},
      '{"server":"example","date":"Thu, 01 Jan 2026 00:00:00 GMT"}', '', false, '{"connect":0.4,"firstByte":1.2,"total":1.9}',
      '["sec_1"]', null, ${at}, ${at}, false, false`,
  };
}

/** The columns in the order of `rowsOf`. */
const columns: Record<string, string> = {
  calls:
    'id, at, api, operation, caller, ip, method, path, status, duration_ms, error_code, limit_state, request_headers, request_body, response_headers, response_body',
  events: 'id, service, type, subject, body, created_at, fanned_out_at, matched, fanout_after',
  deliveries:
    'id, event_id, endpoint_id, event_type, status, attempts, reason, next_attempt_at, created_at, updated_at, response_status, parked, test',
  attempts:
    'id, delivery_id, endpoint_id, number, outcome, error, url, address, request_headers, response_status, response_headers, response_body, response_truncated, timings, secret_ids, next_attempt_at, started_at, ended_at, manual, asked_again',
};

/** Returns the address of the database with so many rows, which it makes if there is none. */
export async function databaseWith(serverUrl: string, total: number, print: (line: string) => void): Promise<string> {
  const name = `days_${total}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const server = new pg.Client(serverUrl);
  await server.connect();
  const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount === 0) await server.query(`create database ${name}`);
  await server.end();
  if (rowCount !== 0) return url.href;
  const begun = performance.now();
  const pool = new pg.Pool({ connectionString: url.href });
  const store = await openSqlStore(pool);
  const untilMs = Date.now();
  await fillEndpoints(store, untilMs);
  await fillDays(pool, { total, untilMs });
  // Figures read tallies, whose number does not depend on that of the rows.
  await fillTallies(store, untilMs - Math.min(dayMs, (50_000 * days * dayMs) / total));
  print(`${total} rows in each table, filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  await store.close();
  return url.href;
}

/**
 * Fills an empty database, two tables at a time. Indexes are built after the rows. Past days are not logged, because only
 * their size matters; what new deliveries write to is logged as always.
 */
async function fillDays(pool: pg.Pool, spread: Spread): Promise<void> {
  const work: (() => Promise<void>)[] = [];
  for (const name of dailyTables) work.push(() => fillDaily(pool, name, spread));
  for (const name of ['deliveries', 'events']) work.push(() => fillWhole(pool, name, spread));
  const worker = async () => {
    for (let next = work.shift(); next; next = work.shift()) await next();
  };
  await Promise.all([worker(), worker()]);
  await pool.query('vacuum (analyze)');
}

const insert = (into: string, name: string, spread: Spread, first: number, end: number) =>
  `insert into passerelle.${into} (${columns[name]}) ${rowsOf(spread)[name]} from generate_series(${first}::bigint, ${end - 1}) as n`;

async function fillDaily(pool: pg.Pool, name: (typeof dailyTables)[number], spread: Spread): Promise<void> {
  const { total, untilMs } = spread;
  const { prefix } = dailyOf(name);
  const beginMs = untilMs - days * dayMs;
  const rowAt = (atMs: number) => Math.min(total, Math.max(0, Math.ceil(((atMs - beginMs) * total) / (days * dayMs))));
  for (let day = dayOf(beginMs); day < untilMs; day += dayMs) {
    const [first, end] = [rowAt(day), rowAt(day + dayMs)];
    const added = `${name}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
    const isToday = day + dayMs > untilMs;
    if (isToday) await pool.query(insert(name, name, spread, first, end));
    if (isToday) continue;
    await pool.query(`create unlogged table passerelle.${added} (like passerelle.${name})`);
    await pool.query(insert(added, name, spread, first, end));
    const bounds = `from ('${firstIdAt(prefix, day)}') to ('${firstIdAt(prefix, day + dayMs)}')`;
    await pool.query(`alter table passerelle.${name} attach partition passerelle.${added} for values ${bounds}`);
  }
}

async function fillWhole(pool: pg.Pool, name: string, spread: Spread): Promise<void> {
  const { rows } = await pool.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where schemaname = 'passerelle' and tablename = $1 and indexdef not like 'CREATE UNIQUE%'`,
    [name],
  );
  for (const { indexname } of rows) await pool.query(`drop index passerelle.${indexname}`);
  await pool.query(insert(name, name, spread, 0, spread.total));
  for (const { indexdef } of rows) await pool.query(indexdef);
}
