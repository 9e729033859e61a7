/**
 * Measures what worlds of a stub cost: the time that one takes to start, the memory of 50 of them when they are new, after some
 * calls in each, and after `/_stub` of each was used, and what is left when they have ended.
 *
 *     node bench/worlds.ts [--worlds 50] [--api pos|cohesion] [--seed demo|empty]
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ServiceName } from '../contracts/documents/services.ts';
import { type Stub, startStub } from '../stubs/stub.ts';

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '50' },
    api: { type: 'string', default: 'pos' },
    seed: { type: 'string', default: 'demo' },
  },
});
const wanted = Number(values.worlds);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Memory {
  heapMb: number;
  residentMb: number;
}

/** The memory after everything that nobody holds has been collected. */
async function memory(): Promise<Memory> {
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: (heapUsed + external) / 1e6, residentMb: rss / 1e6 };
}

const post = async (url: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<{ token: string }>;
};

/** Ten reads at the address of the stub, as a program under test makes them. */
async function call(stub: Stub, world: Pick<Stub, 'credentials'>): Promise<void> {
  const { credentials: own } = world;
  const isCohesion = 'token' in own;
  const { token } = isCohesion ? own : await post(`${stub.url}/api/auth`, { api_key: own.apiKey, api_secret: own.apiSecret });
  const path = isCohesion ? '/api/v1/indicateurs' : '/api/v1/inventory?store_id=STORE-ABJ-01';
  for (let made = 0; made < 10; made++)
    await (await fetch(`${stub.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).text();
}

const stub = (await startStub(values.api as ServiceName, { seed: values.seed })) as Stub;
// Loads what the first world, the first calls and the first use of the control API load once.
const first = await stub.world();
await call(stub, first);
await (await fetch(`${first.url}/_stub`)).text();
await first.close();

const before = await memory();
const print = (what: string, { heapMb, residentMb }: Memory) => {
  const each = ((heapMb - before.heapMb) / wanted).toFixed(2);
  process.stdout.write(
    `| ${what} | ${heapMb.toFixed(0)} | ${residentMb.toFixed(0)} | ${(heapMb - before.heapMb).toFixed(1)} | ${each} |\n`,
  );
};
process.stdout.write(`${wanted} worlds of ${values.api}, seed ${values.seed}, Node ${process.version}\n`);
process.stdout.write('| | heap, MB | resident, MB | more heap, MB | of it each, MB |\n|---|---:|---:|---:|---:|\n');
print('the stub alone', before);
const startsMs: number[] = [];
for (let started = 0; started < wanted; started++) {
  const beganMs = performance.now();
  await stub.world();
  startsMs.push(performance.now() - beganMs);
}
print('with the worlds', await memory());
for (const world of stub.worlds()) await call(stub, world);
print('after 11 calls in each', await memory());
for (const { url } of stub.worlds()) await (await fetch(`${url}/_stub`)).text();
print('after /_stub of each', await memory());
for (const world of stub.worlds()) await world.close();
print('when they have ended', await memory());
const sorted = startsMs.toSorted((one, other) => one - other);
process.stdout.write(
  `start of a world: median ${sorted[Math.floor(wanted / 2)]?.toFixed(0)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms\n`,
);
await stub.close();
