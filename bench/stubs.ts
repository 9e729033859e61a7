/**
 * Measures `passerelle stub pos` against other stub servers and bare Fastify with zod: cold start to first reply, memory
 * after 1,000 calls and under load, calls per second for a read and a validated write. Prints ratios; medians of interleaved
 * rounds.
 *
 *     npm run bench:stubs -- [--seconds 3] [--rounds 3] [--starts 5] [--connections 50] [--only NAME]...
 *
 * The stub is the package as it is published (dist/), which is built first.
 *
 * Needs wrk (Debian: apt-get install wrk). The others' npm packages are installed into a folder under /tmp, once. Server
 * and load share the machine's cores.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { get, post } from './stubs/calls.ts';
import { type Served, serve, warmUp } from './stubs/load.ts';
import { freePort, type Running, residentMb, run } from './stubs/process.ts';
import { type Variant, variantsIn } from './stubs/variants.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '5' },
    connections: { type: 'string', default: '50' },
    only: { type: 'string', multiple: true },
  },
});
const folder = join(tmpdir(), 'passerelle-bench-stubs');
const load = { seconds: Number(values.seconds), connections: Number(values.connections), folder };

interface Measured {
  startMs: number[];
  /** Memory after 1,000 calls, and under load. */
  warmMb: number[];
  loadedMb: number[];
  get: Served[];
  post: Served[];
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Variants that failed, with the reason. A variant that fails once is not measured again. */
const left = new Map<string, string>();
const measured = new Map<string, Measured>();

async function attempt(variant: Variant, work: (running: Running, figures: Measured) => Promise<void>): Promise<void> {
  if (left.has(variant.name)) return;
  const figures = measured.get(variant.name) ?? { startMs: [], warmMb: [], loadedMb: [], get: [], post: [] };
  measured.set(variant.name, figures);
  let running: Running | undefined;
  try {
    const port = await freePort();
    running = await run(await variant.prepare(port), port, get.path);
    await work(running, figures);
  } catch (error) {
    left.set(variant.name, (error as Error).message);
  } finally {
    await running?.stop();
  }
}

async function measureLoad(variant: Variant, running: Running, figures: Measured): Promise<void> {
  const token = (await variant.token?.(running.origin)) ?? 'any';
  const memoryMb = () => residentMb(running.child.pid ?? 0);
  await warmUp(running, get, token);
  figures.warmMb.push(memoryMb());
  for (const call of [get, post]) await serve(running, call, token, { ...load, seconds: 2 });
  figures.loadedMb.push(memoryMb());
  figures.get.push(await serve(running, get, token, load));
  figures.post.push(await serve(running, post, token, load));
}

function report(variants: readonly Variant[]): void {
  print(`${values.rounds} rounds of ${values.seconds} s, ${values.connections} connections, Node ${process.version}`);
  print(
    '| | first reply, ms | memory after 1,000 calls, under load, MB | GET/s | POST/s | GET, ratio to bare | POST, ratio to bare | CPU us/GET | CPU us/POST |',
  );
  print('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
  const bare = measured.get('bare Fastify with zod');
  for (const { name } of variants) {
    const figures = measured.get(name);
    if (left.has(name) || !figures) continue;
    const of = (kind: 'get' | 'post', figure: keyof Served) => median(figures[kind].map((one) => one[figure])).toFixed(0);
    const ratio = (kind: 'get' | 'post') =>
      median(figures[kind].map((one, round) => one.perSecond / (bare?.[kind][round]?.perSecond ?? Number.NaN))).toFixed(2);
    const memory = [figures.warmMb, figures.loadedMb].map((one) => median(one).toFixed(0)).join(', ');
    const start = [median(figures.startMs).toFixed(0), memory];
    const calls = [of('get', 'perSecond'), of('post', 'perSecond'), ratio('get'), ratio('post')];
    print(`| ${[name, ...start, ...calls, of('get', 'cpuMicroseconds'), of('post', 'cpuMicroseconds')].join(' | ')} |`);
  }
  for (const [name, why] of left) print(`Not measured: ${name}: ${why}`);
}

mkdirSync(folder, { recursive: true });
const variants = variantsIn(folder).filter(({ name }) => values.only?.includes(name) ?? true);
// The first start is not counted, because the machine's caches are cold.
for (let start = 0; start <= Number(values.starts); start++) {
  for (const variant of variants) {
    await attempt(variant, async ({ firstReplyMs }, { startMs }) => void (start > 0 && startMs.push(firstReplyMs)));
  }
}
for (let round = 0; round < Number(values.rounds); round++) {
  for (const variant of variants) await attempt(variant, (running, figures) => measureLoad(variant, running, figures));
}
report(variants);
