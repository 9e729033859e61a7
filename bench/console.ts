/**
 * Measures the console's requests over HTTP, on an embedded gateway with a million deliveries. Prints medians and 95th
 * percentiles, ratios to the first page of deliveries, and the server's CPU time, which other load on the machine does not
 * change.
 *
 *     npm run bench:console -- [--deliveries 1000000] [--calls 200000] [--rounds 20] [--quick] [--data DIR]
 *
 * `--data` keeps the folder and uses it again. Without it, a new one is created under /tmp.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { takeDataFolder } from '../gateway/start/data-folder.ts';
import { PglitePool } from '../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../gateway/store/sql/store.ts';
import { chromiumPath } from '../test/browser/chromium.ts';
import { at, type Measured, measure, operatorToken, reader, startGateway } from './console-readings.ts';
import { fillCalls, fillEndpoints, fillTallies } from './console-rows.ts';
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
const print = (line: string) => process.stdout.write(`${line}\n`);

async function seed(dataDir: string): Promise<void> {
  const folder = takeDataFolder(dataDir);
  const store = await openSqlStore(await PglitePool.open(folder.databasePath));
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

function report(measured: Measured[]): void {
  const base = measured[0]?.p50 ?? 1;
  print('reading | ratio to the first page | p50 ms | p95 ms | processor ms, mean | found');
  for (const { name, p50, p95, cpu, found } of measured) {
    const over = p50 > bearableMs ? ` **over ${bearableMs} ms**` : '';
    print(`${name} | ${(p50 / base).toFixed(1)} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${cpu.toFixed(0)} | ${found}${over}`);
  }
}

/** Measures from navigation to the page's content: first with an empty browser cache, then from page to page. */
async function measureViews(url: string): Promise<void> {
  if (!existsSync(chromiumPath)) return void print('views: not measured, there is no Chromium');
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
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
  const started = await startGateway({ DATA_DIR: dataDir });
  gateway = started.child;
  print(`${rounds} rounds, embedded tier, Node ${process.version}`);
  report(await measure(reader(started.url), started.child, rounds));
  await measureViews(started.url);
} finally {
  gateway?.kill('SIGTERM');
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}
