import { firstIdAt } from '../gateway/base/ids.ts';
import { openLog } from '../gateway/base/log.ts';
import { Tallier } from '../gateway/figures/tallier.ts';
import { tallyAttempts, tallyCalls } from '../gateway/figures/tally.ts';
import type { Store } from '../gateway/store/port.ts';
import type { Row } from '../gateway/store/tables/index.ts';
import { rowOf } from '../test/store/rows.ts';

const batch = 1000;
const dayMs = 86_400_000;

const operations = [
  { api: 'pos', operation: 'createSale', method: 'POST', path: '/pos/api/v1/sales' },
  { api: 'pos', operation: 'readInventory', method: 'GET', path: '/pos/api/v1/inventory?store_id=store_1' },
  { api: 'cohesion', operation: 'listIndicators', method: 'GET', path: '/cohesion/api/v1/indicators' },
  { api: 'cohesion', operation: 'readStats', method: 'GET', path: '/cohesion/api/v1/stats?annee=2026' },
] as const;

/** 1 in 50 calls is refused (1 in 100 of them by a limit), 1 in 1,000 fails, 1 in 50,000 is a DELETE. */
function answerOf(number: number): Pick<Row<'calls'>, 'status' | 'error_code'> {
  if (number % 1000 === 3) return { status: 500, error_code: 'internal_error' };
  if (number % 5000 === 1) return { status: 429, error_code: 'rate_limited' };
  return number % 50 === 1 ? { status: 422, error_code: 'invalid_request' } : { status: 200, error_code: null };
}

function callOf(number: number, atMs: number): Row<'calls'> {
  const asked = operations[number % operations.length] as (typeof operations)[number];
  const sent = asked.method === 'POST';
  return {
    id: `${firstIdAt('call', atMs)}${String(number).padStart(20, '0')}`,
    at: atMs,
    ...asked,
    method: number % 50_000 === 11 ? 'DELETE' : asked.method,
    caller: `${asked.api === 'pos' ? 'account:acc_' : 'token:'}${number % 500}`,
    ip: `203.0.${Math.floor(number / 7) % 100}.${number % 250}`,
    ...answerOf(number),
    duration_ms: 1 + (number % 40),
    limit_state: { name: 'plan', limit: 1000, remaining: number % 1000, resetSeconds: 30 },
    request_headers: { host: 'gateway.example.org', authorization: 'Bearer [redacted]', 'user-agent': 'till/2.1', accept: '*/*' },
    request_body: sent
      ? JSON.stringify({ customer: `customer ${number % 5000}`, items: [{ product_id: 'p1', quantity: 2 }] })
      : null,
    response_headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': `call_${number}` },
    response_body: JSON.stringify({ success: true, data: { number, filler: 'y'.repeat(number % 8 === 0 ? 3000 : 300) } }),
  };
}

/** Stores calls, spread over the day that ends at `untilMs`. */
export async function fillCalls(store: Store, total: number, untilMs: number): Promise<void> {
  for (let from = 0; from < total; from += batch) {
    const numbers = Array.from({ length: Math.min(batch, total - from) }, (_, index) => from + index);
    await store.append(
      'calls',
      numbers.map((number) => callOf(number, untilMs - Math.floor(((total - number) * dayMs) / total))),
    );
  }
}

/** Stores the endpoints of `fillLedger`'s deliveries, the operator's unless `more` says otherwise. 1 in 100 is held, 1 in 50 is not active. */
export async function fillEndpoints(
  store: Store,
  nowMs: number,
  total = 10_000,
  more: (number: number) => Partial<Row<'endpoints'>> = () => ({}),
): Promise<void> {
  const endpointOf = (number: number): Row<'endpoints'> =>
    rowOf('endpoints', {
      id: `ep_${number}`,
      owner: 'operator',
      service: number % 3 === 0 ? 'cohesion' : 'pos',
      url: `https://receiver-${number}.example.org/hook`,
      description: `Partner ${number}`,
      active: number % 50 !== 7,
      disabled_reason: number % 50 === 7 ? 'failing' : null,
      secrets: [],
      signatures: 'v1',
      auto_recovery: true,
      ordered: false,
      order_by: 'endpoint',
      on_dead_letter: 'skip',
      held_until: number % 100 === 3 ? nowMs + dayMs : null,
      held_because: number % 100 === 3 ? 'failing' : null,
      holds: 0,
      failing_since: number % 100 === 3 ? nowMs : null,
      failing_with: number % 100 === 3 ? { failure: 503, mixed: false, attempts: 10 } : null,
      created_at: nowMs,
      updated_at: nowMs,
      ...more(number),
    });
  for (let from = 0; from < total; from += batch)
    await store.append(
      'endpoints',
      Array.from({ length: Math.min(batch, total - from) }, (_, index) => endpointOf(from + index)),
    );
}

/** Stores the tallies of the stored calls and attempts, or of those since `fromMs`. */
export async function fillTallies(store: Store, fromMs = 0): Promise<void> {
  const tallier = new Tallier({ store, log: openLog('error') });
  await eachPage(store, 'calls', firstIdAt('call', fromMs), (rows) => tallier.note(tallyCalls(rows)));
  await eachPage(store, 'attempts', firstIdAt('att', fromMs), (rows) => tallier.note(tallyAttempts(rows)));
  await tallier.close();
}

async function eachPage<T extends 'calls' | 'attempts'>(
  store: Store,
  table: T,
  from: string,
  note: (rows: Row<T>[]) => void,
): Promise<void> {
  for (let after = from; ; ) {
    const rows = await store.list(table, { where: { id: { gt: after } } as never, order: [['id', 'asc']], limit: 5000 });
    note(rows);
    if (rows.length < 5000) return;
    after = (rows.at(-1) as { id: string }).id;
  }
}
