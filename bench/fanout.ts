/**
 * Measures the fan-out (event read, subscriptions matched, delivery stored; no queue, no attempt) with more and more
 * endpoints, of which ten want each event, and for one event that all want; and the same with endpoints of 10,000 owners. On
 * PGlite; medians of interleaved rounds.
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
import type { Row } from '../gateway/store/tables/index.ts';
import { nobodyListens } from '../gateway/webhooks/model/listener.ts';
import { fanOutBatch } from '../gateway/webhooks/outbox/fanout.ts';
import { subscriptionsOf } from '../gateway/webhooks/outbox/subscriptions.ts';
import { endpoint, event } from '../test/store/rows.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const print = (line: string) => process.stdout.write(`${line}\n`);
const store = await openSqlStore(await PglitePool.open('memory://'));
const queue = { add: async () => {} } as unknown as Queue;
const parts = { store, queue, clock: systemClock, log: openLog('warn'), listener: nobodyListens, firstDelayMs: 0 };

interface Variant {
  endpoints: number;
  /** The number of endpoints that want each event. */
  matching: number;
  events: number;
  /** True if each endpoint belongs to an account with one store; false if it is the operator's, with that store as its perimeter. */
  owned?: boolean;
}
const variants: Variant[] = [
  { endpoints: 10, matching: 10, events: 1000 },
  { endpoints: 1000, matching: 10, events: 1000 },
  { endpoints: 10_000, matching: 10, events: 1000 },
  { endpoints: 10_000, matching: 10, events: 1000, owned: true },
  { endpoints: 10_000, matching: 10_000, events: 1 },
  { endpoints: 10_000, matching: 10_000, events: 1, owned: true },
  { endpoints: 50_000, matching: 10, events: 1000 },
  { endpoints: 50_000, matching: 50_000, events: 1 },
];

const serial = (number: number) => String(number).padStart(20, '0');

/** Microseconds for each delivery: on the clock, and of the processor. */
interface Measured {
  wall: number;
  cpu: number;
}

async function measure({ endpoints, matching, events, owned = false }: Variant): Promise<Measured> {
  for (const table of ['endpoints', 'subscriptions', 'events', 'deliveries'] as const) await store.remove(table, {});
  const wishes = (index: number): Partial<Row<'endpoints'>> => {
    const subjects = [index < matching ? 'busy' : `store${index}`];
    return owned ? { owner: `account:${index}`, visible: { subjects, unscoped: false } } : { perimeter: subjects };
  };
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
  const [beganMs, beganCpu] = [performance.now(), process.cpuUsage()];
  while (await fanOutBatch(parts));
  const { user, system } = process.cpuUsage(beganCpu);
  const deliveries = events * matching;
  return { wall: ((performance.now() - beganMs) * 1000) / deliveries, cpu: (user + system) / deliveries };
}

const measured = new Map<Variant, Measured[]>(variants.map((variant) => [variant, []]));
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const variant of variants) {
    const one = await measure(variant);
    // The first round warms up.
    if (round > 0) measured.get(variant)?.push(one);
  }
}
print(`${values.rounds} rounds, Node ${process.version}, PGlite in memory`);
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
const cpuOf = (variant: Variant) => median((measured.get(variant) ?? []).map(({ cpu }) => cpu));
print('endpoints | of them want each event | events | owners | microseconds for each delivery | of the processor');
for (const [variant, all] of measured) {
  const { endpoints, matching, events, owned } = variant;
  const wall = median(all.map((one) => one.wall));
  const owners = owned ? endpoints : 'the operator';
  print(`${endpoints} | ${matching} | ${events} | ${owners} | ${wall.toFixed(0)} | ${cpuOf(variant).toFixed(0)}`);
}
for (const variant of variants.filter(({ owned }) => owned)) {
  const same = ({ endpoints, matching, owned }: Variant) =>
    !owned && endpoints === variant.endpoints && matching === variant.matching;
  const multiple = cpuOf(variant) / cpuOf(variants.find(same) as Variant);
  print(`${variant.endpoints} owned endpoints, ${variant.matching} matching: ${multiple.toFixed(2)} times the CPU`);
}
await store.close();
