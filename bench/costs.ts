import { parseArgs } from 'node:util';
import { cpuSeconds } from './cpu-seconds.ts';
import { type Cost, type Costs, sizeFor } from './sizes.ts';
import { type Installation, startInstallation } from './soak/installation.ts';
import { openAccount } from './soak/load.ts';
import { plans, type SoakReceiver, startReceiver } from './soak/receivers.ts';
import { combine, serversUsage } from './usage.ts';

const help = `Usage: node bench/costs.ts [--calls 5000] [--sales 2000] [--endpoints 10] [--pooler] [--json]

What one recorded call, one sale and one delivery cost on the scale tier: CPU of gateways, workers, PostgreSQL and Redis, commands
of Redis, rows and write-ahead log of PostgreSQL, and disk. Two gateways and two workers, with a PostgreSQL and a Redis of their own
(Debian packages, which .ci/scale installs). docs/deploying/size.md derives its sizes from this. --pooler: they reach PostgreSQL through PgBouncer, in its
mode for transactions with four connections; its own CPU is not counted.`;

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '5000' },
    sales: { type: 'string', default: '2000' },
    endpoints: { type: 'string', default: '10' },
    pooler: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);

async function totals({ members, postgres, redis }: Installation): Promise<Cost> {
  const ofRole = (wanted: string) =>
    members.filter(({ role }) => role === wanted).reduce((sum, member) => sum + cpuSeconds(member.process.child), 0) * 1e6;
  const [gateways, workers] = [ofRole('api'), ofRole('worker')];
  return { cpu_of_gateways_us: gateways, cpu_of_workers_us: workers, ...(await serversUsage(postgres, redis)) };
}

/** Measures what `work` adds to the totals, without what the installation does by itself in the same time. */
async function costOf(installation: Installation, times: number, work: () => Promise<void>): Promise<Cost> {
  const before = await totals(installation);
  const began = performance.now();
  await work();
  const afterMs = performance.now() - began;
  const after = await totals(installation);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const idle = await totals(installation);
  const added = combine(after, before, (a, b) => a - b);
  const background = combine(idle, after, (a, b) => a - b);
  return combine(added, background, (a, b) => Math.max(0, a - b) / times);
}

/** Runs `times` calls, sixteen at once. */
async function repeat(times: number, call: () => Promise<void>): Promise<void> {
  let left = times;
  const run = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: 16 }, run));
}

async function measure(atEnd: (work: () => unknown) => void): Promise<Costs> {
  const installation = await startInstallation(atEnd, values);
  const { members, operatorToken } = installation;
  const { token, nextSale } = await openAccount(installation);
  let turn = 0;
  const call = async (method: string, path: string, body?: unknown, expected = [200, 201]) => {
    const { process } = members[turn++ % 2] as (typeof members)[0];
    const { status } = await process.call(method, path, { token, body });
    if (!expected.includes(status)) throw new Error(`${method} ${path} gave ${status}`);
  };
  const [calls, sales, endpoints] = [Number(values.calls), Number(values.sales), Number(values.endpoints)];
  const read = () => call('GET', '/pos/api/v1/inventory?store_id=STORE-1');
  const refused = () => call('GET', '/pos/api/v1/inventory?page=0', undefined, [400]);
  const sell = () => call('POST', '/pos/api/v1/sales', nextSale());

  // Warms up compilation, connections and caches.
  await repeat(500, read);
  await repeat(500, sell);
  const aRecord = await costOf(installation, calls, () => repeat(calls, refused));
  const aCall = await costOf(installation, calls, () => repeat(calls, read));
  const aSale = await costOf(installation, sales, () => repeat(sales, sell));

  const receivers: SoakReceiver[] = [];
  for (let index = 0; index < endpoints; index++) {
    const receiver = await startReceiver(plans[0] as (typeof plans)[0], Math.random, { atEnd });
    receivers.push(receiver);
    const endpoint = { service: 'pos', url: receiver.url, events: ['sale.completed'] };
    await members[0]?.process.call('POST', '/manage/v1/endpoints', { token: operatorToken, body: endpoint });
  }
  const deliverAll = async () => {
    const expected = receivers.map(({ figures }) => figures.requests + sales);
    await repeat(sales, sell);
    while (receivers.some(({ figures }, index) => figures.requests < (expected[index] ?? 0)))
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await deliverAll();
  const aDeliveredSale = await costOf(installation, sales, deliverAll);
  const aDelivery = combine(aDeliveredSale, aSale, (a, b) => Math.max(0, a - b) / endpoints);
  return { 'the record of a call': aRecord, 'a call': aCall, 'a sale without endpoints': aSale, 'a delivery': aDelivery };
}

/** Prints the table of docs/deploying/size.md. */
function printSizes(costs: Costs): void {
  print(
    '| deliveries a day | a second at the peak | gateways | workers | PostgreSQL, cores | Redis, cores | WAL, MB/s | disk, GB |',
  );
  print('|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const perDay of [1e6, 1e7, 1e8]) {
    const size = sizeFor(perDay, costs);
    const cells = [
      `${perDay / 1e6} million`,
      size.deliveriesPerSecond.toFixed(0),
      size.gateways,
      size.workers,
      size.postgresqlCores.toFixed(1),
      size.redisCores.toFixed(1),
      size.walMegabytesPerSecond.toFixed(1),
      size.diskGigabytes.toFixed(0),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
  const { records, reads, sales, deliveries } = sizeFor(1e8, costs).postgresqlCoresOf;
  const parts = { 'records of calls': records, reads, 'changes with their events': sales, deliveries };
  const shown = Object.entries(parts).map(([part, cores]) => `${part} ${cores.toFixed(1)}`);
  print(`PostgreSQL's cores at 100 million: ${shown.join(', ')}`);
}

function printCost(what: string, cost: Cost): void {
  print(`${what}:`);
  for (const [name, value] of Object.entries(cost))
    print(`  ${name.replaceAll('_', ' ').padEnd(26)} ${value >= 100 ? value.toFixed(0) : value.toPrecision(2)}`);
}

if (values.help) {
  print(help);
} else {
  const endings: (() => unknown)[] = [];
  try {
    const found = await measure((work) => endings.unshift(work));
    if (values.json) print(JSON.stringify(found, null, 2));
    else {
      for (const [what, cost] of Object.entries(found)) printCost(what, cost);
      printSizes(found);
    }
  } finally {
    for (const end of endings) await end();
  }
}
