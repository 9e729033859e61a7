/**
 * Measures the console's requests over HTTP, on an embedded gateway with a million deliveries. Prints medians and 95th
 * percentiles, ratios to the first page of deliveries, and the server's CPU time, which other load on the machine does not
 * change.
 *
 *     npm run bench:console -- [--deliveries 1000000] [--calls 200000] [--rounds 20] [--quick] [--data DIR]
 *
 * `--data` keeps the folder and uses it again. Without it, a new one is created under /tmp.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { takeDataFolder } from '../gateway/start/data-folder.ts';
import { PglitePool } from '../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { fillCalls, fillEndpoints, fillTallies } from './console-rows.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { fillLedger } from './ledger-rows.ts';

const number = (full: number, quick: number) => Number(values.quick ? quick : full);
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string' },
    calls: { type: 'string' },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
});
const deliveries = Number(values.deliveries ?? number(1_000_000, 5000));
const calls = Number(values.calls ?? number(200_000, 2000));
const rounds = Number(values.rounds ?? number(20, 3));
const bearableMs = 100;
const operatorToken = 'operator-token-of-the-bench';
const print = (line: string) => process.stdout.write(`${line}\n`);
const hour = 3_600_000;

async function seed(dataDir: string): Promise<void> {
  const folder = takeDataFolder(dataDir);
  const store = await openSqlStore((await PglitePool.open(folder.databasePath)) as never);
  try {
    const begun = performance.now();
    const now = Date.now();
    await fillEndpoints(store, now);
    await fillLedger(store, deliveries, { attempts: Math.ceil(deliveries / 10), beginMs: now - deliveries * 100 });
    await fillCalls(store, calls, now);
    await fillTallies(store);
    print(`seeded ${deliveries} deliveries and ${calls} calls in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  } finally {
    await store.close();
    folder.release();
  }
}

async function startGateway(dataDir: string): Promise<{ url: string; child: ChildProcess }> {
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['gateway/server.ts', '--json', '--no-demo'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('{')) return { url: JSON.parse(line).url, child };
  throw new Error('The gateway ended before it was ready.');
}

interface Answer {
  status: number;
  ms: number;
  body: { data?: unknown; next?: string | null; searched_to?: string | null };
}

const reader =
  (url: string) =>
  async (path: string): Promise<Answer> => {
    const begun = performance.now();
    const reply = await fetch(`${url}/manage/v1${path}`, { headers: { authorization: `Bearer ${operatorToken}` } });
    const text = await reply.text();
    return { status: reply.status, ms: performance.now() - begun, body: JSON.parse(text) };
  };

type Read = ReturnType<typeof reader>;

/** The console's requests by name. `{}` in a path stands for the id of a delivery, an event or a call. */
const readings: Record<string, string> = {
  'deliveries: first page': '/deliveries',
  'deliveries: page of 100': '/deliveries?limit=100',
  'deliveries: failed': '/deliveries?status=failed',
  'deliveries: pending (none)': '/deliveries?status=pending',
  'deliveries: endpoint': '/deliveries?endpoint_id=ep_7',
  'deliveries: endpoint, failed': '/deliveries?endpoint_id=ep_7&status=failed',
  'deliveries: type': '/deliveries?event_type=sale.completed',
  'deliveries: reason': '/deliveries?reason=status',
  'deliveries: rare reason': '/deliveries?reason=tls',
  'deliveries: answer 500': '/deliveries?response_status=500',
  'deliveries: answer 204, no index': '/deliveries?response_status=204',
  'deliveries: an hour': `/deliveries?from=${new Date(Date.now() - 2 * hour).toISOString()}&to=${new Date(Date.now() - hour).toISOString()}`,
  'deliveries: failed, of a type': '/deliveries?status=failed&event_type=payment.received',
  'deliveries: failed, of a type: none': '/deliveries?status=failed&event_type=sale.completed',
  'deliveries: text': '/deliveries?q=customer%2077%22',
  'deliveries: text, none': '/deliveries?q=nobody',
  'deliveries: failed, text, none': '/deliveries?status=failed&q=nobody',
  'delivery: one': '/deliveries/{delivery}',
  'event: one': '/events/{event}',
  'events: first page': '/events',
  'events: type': '/events?type=sale.completed',
  'events: service': '/events?service=pos',
  'events: subject (none)': '/events?subject=store_1',
  'events: unmatched (rare)': '/events?unmatched=true',
  'events: text': '/events?q=customer%2077%22',
  'events: text, none': '/events?q=nobody',
  'endpoints: first page': '/endpoints',
  'endpoints: held': '/endpoints?state=held',
  'endpoints: disabled': '/endpoints?state=disabled',
  'endpoints: text': '/endpoints?q=receiver-77',
  'endpoints: text, none': '/endpoints?q=nobody',
  'calls: first page': '/calls',
  'calls: page of 100': '/calls?limit=100',
  'calls: api': '/calls?api=pos',
  'calls: operation': '/calls?operation=createSale',
  'calls: caller': '/calls?caller=token:7',
  'calls: address': '/calls?ip=203.0.7.7',
  'calls: address, none': '/calls?ip=198.51.100.1',
  'calls: method': '/calls?method=POST',
  'calls: rare method, no index': '/calls?method=DELETE',
  'calls: 4xx': '/calls?status=4xx',
  'calls: 5xx': '/calls?status=5xx',
  'calls: 3xx (none), no index': '/calls?status=3xx',
  'calls: 404 (none)': '/calls?status=404',
  'calls: error code': '/calls?error_code=internal_error',
  'calls: refused by a limit': '/calls?limited=true',
  'calls: pos, 5xx': '/calls?api=pos&status=5xx',
  'calls: operation, error code: none': '/calls?operation=readStats&error_code=rate_limited',
  'calls: text': '/calls?q=customer%2012',
  'calls: text, none': '/calls?q=nobody-at-all',
  'calls: 4xx, text, none': '/calls?status=4xx&q=nobody-at-all',
  'call: one': '/calls/{call}',
  ledger: '/ledger',
  'ledger: an endpoint': '/ledger?endpoint_id=ep_7',
  'ledger: an hour': `/ledger?from=${new Date(Date.now() - hour).toISOString()}`,
  reasons: '/reasons',
  notices: '/notices',
  recoveries: '/recoveries',
  verifications: '/verifications',
  'overview: hour': '/overview?period=hour',
  'overview: day': '/overview?period=day',
  'overview: week': '/overview?period=week',
  'endpoint figures': `/endpoints/figures?ids=${Array.from({ length: 50 }, (_, number) => `ep_${number}`)}`,
  limits: '/limits',
};

const idOf = async (read: Read, list: string) => ((await read(`/${list}?limit=1`)).body.data as { id: string }[])[0]?.id ?? '';

/** Returns the requests that this gateway serves, with ids filled in. */
async function served(read: Read): Promise<Map<string, string>> {
  const ids = { delivery: await idOf(read, 'deliveries'), event: await idOf(read, 'events'), call: await idOf(read, 'calls') };
  const found = new Map<string, string>();
  for (const [name, pattern] of Object.entries(readings)) {
    const path = pattern.replace(/\{(\w+)\}/, (_, kind: keyof typeof ids) => ids[kind]);
    const { status } = await read(path);
    if (status === 200) found.set(name, path);
    else print(`${name}: not measured, ${path} answers ${status}`);
  }
  return found;
}

const at = (sorted: number[], part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;

async function measure(read: Read, server: ChildProcess): Promise<void> {
  const paths = await served(read);
  const times = new Map([...paths.keys()].map((name) => [name, [] as number[]]));
  const notes = new Map<string, string>();
  const cpuMs = new Map<string, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const [name, path] of paths) {
      const before = cpuSeconds(server);
      const { ms, body } = await read(path);
      const cpu = (cpuSeconds(server) - before) * 1000;
      // The first round warms up.
      if (round > 0) times.get(name)?.push(ms);
      if (round > 0) cpuMs.set(name, (cpuMs.get(name) ?? 0) + cpu / rounds);
      const rows = Array.isArray(body.data) ? `${body.data.length} rows` : '';
      notes.set(name, `${rows}${body.searched_to ? ', to be continued' : ''}`);
    }
  }
  const sorted = [...times].map(([name, all]) => ({ name, all: all.sort((a, b) => a - b) }));
  const base = at(sorted[0]?.all ?? [], 0.5);
  print('reading | ratio to the first page | p50 ms | p95 ms | processor ms, mean | found');
  for (const { name, all } of sorted) {
    const [p50, p95] = [at(all, 0.5), at(all, 0.95)];
    const over = p50 > bearableMs ? ` **over ${bearableMs} ms**` : '';
    print(
      `${name} | ${(p50 / base).toFixed(1)} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${cpuMs.get(name)?.toFixed(0)} | ${notes.get(name)}${over}`,
    );
  }
}

/** Measures from navigation to the page's content: first with an empty browser cache, then from page to page. */
async function measureViews(url: string): Promise<void> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) return void print(`views: not measured, there is no ${executablePath}`);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const times = {
    'first view: overview': [] as number[],
    'first view: deliveries': [] as number[],
    'overview to deliveries': [] as number[],
  };
  const timed = async (name: keyof typeof times, work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    times[name].push(performance.now() - begun);
  };
  for (let round = 0; round < Math.max(3, rounds / 2); round++) {
    for (const first of ['overview', 'deliveries'] as const) {
      const context = await browser.newContext();
      await context.request.post(`${url}/manage/v1/session`, { data: { credential: operatorToken } });
      const page = await context.newPage();
      const [verdict, rows] = [page.getByRole('status').first(), page.locator('tr[data-row]').first()];
      const path = first === 'overview' ? '' : '/deliveries';
      await timed(`first view: ${first}`, async () => {
        await page.goto(`${url}/console${path}`, { waitUntil: 'commit' });
        await (first === 'overview' ? page.getByText('Ledger').first() : rows).waitFor();
      });
      if (first === 'overview') {
        await verdict.waitFor();
        await timed('overview to deliveries', async () => {
          await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
          await rows.waitFor();
        });
      }
      await context.close();
    }
  }
  await browser.close();
  for (const [name, all] of Object.entries(times)) {
    all.sort((a, b) => a - b);
    print(`${name} | p50 ${at(all, 0.5).toFixed(0)} ms | p95 ${at(all, 0.95).toFixed(0)} ms`);
  }
}

const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'passerelle-console-'));
let gateway: ChildProcess | undefined;
try {
  if (!existsSync(join(dataDir, 'postgres'))) await seed(dataDir);
  const started = await startGateway(dataDir);
  gateway = started.child;
  print(`${rounds} rounds, embedded tier, Node ${process.version}`);
  await measure(reader(started.url), started.child);
  await measureViews(started.url);
} finally {
  gateway?.kill('SIGTERM');
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}
