/**
 * Measures the fan-out (event read, subscriptions matched, delivery stored; no queue, no attempt) with more and more
 * endpoints, of which ten want each event, and for one event that all want. On PGlite; medians of interleaved rounds.
 *
 *     node bench/fanout.ts [--rounds 5]
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../gateway/base/clock.ts';
import { firstIdAt } from '../gateway/base/ids.ts';
import { openLog } from '../gateway/base/log.ts';
import type { Queue } from '../gateway/queue/port.ts';
import { PglitePool } from '../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { nobodyListens } from '../gateway/webhooks/model/listener.ts';
import { fanOutBatch } from '../gateway/webhooks/outbox/fanout.ts';
import { subscriptionsOf } from '../gateway/webhooks/outbox/subscriptions.ts';
import { endpoint, event } from '../test/store/rows.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const print = (line: string) => process.stdout.write(`${line}\n`);
const store = await openSqlStore((await PglitePool.open('memory://')) as never);
const queue = { add: async () => {} } as unknown as Queue;
const parts = { store, queue, clock: systemClock, log: openLog('warn'), listener: nobodyListens, firstDelayMs: 0 };

interface Variant {
  endpoints: number;
  /** The number of endpoints that want each event. */
  matching: number;
  events: number;
}
const variants: Variant[] = [
  { endpoints: 10, matching: 10, events: 1000 },
  { endpoints: 1000, matching: 10, events: 1000 },
  { endpoints: 10_000, matching: 10, events: 1000 },
  { endpoints: 50_000, matching: 10, events: 1000 },
  { endpoints: 50_000, matching: 50_000, events: 1 },
];

const serial = (number: number) => String(number).padStart(20, '0');

async function measure({ endpoints, matching, events }: Variant): Promise<number> {
  for (const table of ['endpoints', 'subscriptions', 'events', 'deliveries'] as const) await store.remove(table, {});
  const wishes = (index: number) => ({ perimeter: [index < matching ? 'busy' : `store${index}`] });
  const made = Array.from({ length: endpoints }, (_, index) => endpoint(`ep_${serial(index)}`, wishes(index)));
  for (let from = 0; from < made.length; from += 5000) {
    await store.append('endpoints', made.slice(from, from + 5000));
    await store.append('subscriptions', made.slice(from, from + 5000).flatMap(subscriptionsOf));
  }
  const ids = Array.from({ length: events }, (_, index) => `${firstIdAt('evt', Date.now())}${serial(index)}`);
  await store.append(
    'events',
    ids.map((id) => event(id, { subject: 'busy', body: 'x'.repeat(300) })),
  );
  const beganMs = performance.now();
  while (await fanOutBatch(parts));
  return ((performance.now() - beganMs) * 1000) / (events * matching);
}

const measured = new Map<Variant, number[]>(variants.map((variant) => [variant, []]));
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const variant of variants) {
    const microseconds = await measure(variant);
    // The first round warms up.
    if (round > 0) measured.get(variant)?.push(microseconds);
  }
}
print(`${values.rounds} rounds, Node ${process.version}, PGlite in memory`);
print('endpoints | of them want each event | events | microseconds for each delivery');
for (const [{ endpoints, matching, events }, all] of measured) {
  const median = all.sort((a, b) => a - b)[Math.floor(all.length / 2)] as number;
  print(`${endpoints} | ${matching} | ${events} | ${median.toFixed(0)}`);
}
await store.close();
