/**
 * Measures the operator's lists over many deliveries: each filter alone and combined, first page and a deep one. Prints
 * ratios to the first page without a filter; medians of interleaved rounds.
 *
 *     node bench/lists.ts [--rows 1000000] [--rounds 5]
 *
 * Uses the empty database of DATABASE_URL, or PGlite in memory.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PglitePool } from '../gateway/store/pglite/pool.ts';
import type { Store } from '../gateway/store/port.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { type DeliveryFilter, listDeliveries, listEvents } from '../gateway/webhooks/operator/queries.ts';
import { previewRecovery } from '../gateway/webhooks/operator/recoveries.ts';
import { fillLedger, idOf, startMs } from './ledger-rows.ts';

const { DATABASE_URL } = process.env;
const { values } = parseArgs({
  options: { rows: { type: 'string', default: DATABASE_URL ? '1000000' : '200000' }, rounds: { type: 'string', default: '5' } },
});
const total = Number(values.rows);
const rounds = Number(values.rounds);
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
const day = { from: startMs + total * 50, to: startMs + total * 50 + 3_600_000 };
const filters: Record<string, Omit<DeliveryFilter, 'limit'>> = {
  'no filter': {},
  status: { status: 'failed' },
  endpoint: { endpoint_id: 'ep_7' },
  'endpoint, status': { endpoint_id: 'ep_7', status: 'delivered' },
  type: { event_type: 'sale.completed' },
  reason: { reason: 'status' },
  'rare reason': { reason: 'tls' },
  answer: { response_status: 500 },
  'rare answer': { response_status: 418 },
  'rare answer without an index': { response_status: 204 },
  event: { event_id: idOf('evt', Math.floor(total / 2)) },
  'an hour': day,
  'an hour, status': { ...day, status: 'failed' },
  'an hour, type, answer': { ...day, event_type: 'payment.received', response_status: 200 },
  'status, type': { status: 'failed', event_type: 'payment.received' },
  'status, type: none': { status: 'failed', event_type: 'sale.completed' },
  'endpoint, type: none': { endpoint_id: 'ep_8', event_type: 'sale.completed' },
  'status, reason, answer: rare': { status: 'failed', reason: 'tls', response_status: 418 },
  'status, reason: none': { status: 'delivered', reason: 'tls' },
  'type, answer: none': { event_type: 'sale.completed', response_status: 500 },
  'text of one in 5000': { q: 'customer 77"' },
  'text: none': { q: 'nobody' },
  'status, text: none': { status: 'failed', q: 'nobody' },
  'endpoint, text': { endpoint_id: 'ep_7', q: 'customer' },
};

async function timed(work: () => Promise<{ data: unknown[]; stopped: unknown }>): Promise<{ ms: number; note: string }> {
  const begun = performance.now();
  const { data, stopped } = await work();
  return { ms: performance.now() - begun, note: `${data.length} rows${stopped ? ', to be continued' : ''}` };
}

async function measure(store: Store): Promise<void> {
  const deep = idOf('dlv', Math.floor(total / 5));
  const variants: Record<string, () => Promise<{ data: unknown[]; stopped: unknown }>> = {};
  for (const [name, filter] of Object.entries(filters)) {
    variants[name] = () => listDeliveries(store, { ...filter, limit: 25 });
    variants[`${name}; deep`] = () => listDeliveries(store, { ...filter, limit: 25, cursor: deep });
  }
  variants['events: unmatched'] = () => listEvents(store, { unmatched: true, limit: 25 });
  variants['events: unmatched, of a type'] = () => listEvents(store, { unmatched: true, type: 'sale.completed', limit: 25 });
  variants['events: an hour of a service'] = () => listEvents(store, { ...day, service: 'pos', limit: 25 });
  variants['dry run of a recovery: all failed'] = async () => {
    const filter = { from: 0, statuses: ['failed' as const] };
    return { data: [await previewRecovery(store, filter, startMs * 2)], stopped: null };
  };
  const times = new Map<string, number[]>();
  const notes = new Map<string, string>();
  for (let round = 0; round <= rounds; round++) {
    for (const [name, work] of Object.entries(variants)) {
      const { ms, note } = await timed(work);
      notes.set(name, note);
      // The first round warms up.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const base = median(times.get('no filter') ?? []);
  print(`${total} deliveries, ${DATABASE_URL ? 'PostgreSQL' : 'PGlite'}, ${rounds} rounds, Node ${process.version}`);
  print('filter | ratio to the first page without one | p50 ms | worst ms | found');
  for (const [name, all] of times)
    print(
      `${name} | ${(median(all) / base).toFixed(1)} | ${median(all).toFixed(1)} | ${Math.max(...all).toFixed(1)} | ${notes.get(name)}`,
    );
}

const pool = DATABASE_URL ? new pg.Pool({ connectionString: DATABASE_URL }) : await PglitePool.open('memory://');
const store = await openSqlStore(pool);
try {
  if ((await store.count('deliveries')) === 0) await fillLedger(store, total);
  await (pool as pg.Pool).query('analyze passerelle.deliveries, passerelle.events');
  await measure(store);
} finally {
  await store.close();
}
