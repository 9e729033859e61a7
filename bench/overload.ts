/** `node bench/overload.ts`: see `help`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AtEnd, newDataDir, type Started, startProcess } from '../test/e2e/process.ts';
import { readOptions, wholeNumber } from '../test/options.ts';
import { openAccount } from './soak/load.ts';
import { residentMb } from './stubs/process.ts';

const help = `node bench/overload.ts offers sales at a fixed rate, whatever the replies are, and counts what becomes of them and of their deliveries.
On the embedded tier, or with DATABASE_URL and REDIS_URL on the scale tier with one \`api\` and one \`worker\`.`;
const option = { type: 'string' } as const;
const values = readOptions(help, { rate: option, seconds: option, endpoints: option });
const rate = wholeNumber('rate', values.rate, 300);
const seconds = wholeNumber('seconds', values.seconds, 30);
const endpoints = wholeNumber('endpoints', values.endpoints, 5);
const print = (line: string) => process.stdout.write(`${line}\n`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const spread = (numbers: number[]) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return [0.5, 0.99].map((share) => `${(sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0)} ms`).join(' / ');
};

const endings: (() => void | Promise<void>)[] = [];
const atEnd: AtEnd = (work) => void endings.unshift(work);

/** When each sale was acknowledged, and how long after that each of its deliveries arrived. */
const acknowledgedAt = new Map<string, number>();
const received: { sale: string; atMs: number }[] = [];

async function startReceiver(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    received.push({ sale: JSON.parse(Buffer.concat(chunks).toString()).data.id, atMs: performance.now() });
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.closeAllConnections());
  atEnd(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts the process that serves calls, and on the scale tier one that makes deliveries. */
async function startGateway(): Promise<{ api: Started; operatorToken: string }> {
  const common = { LOG_LEVEL: 'error', WEBHOOK_LOOPBACK: 'on', WEBHOOK_ENDPOINT_CONCURRENCY: '100', MAX_CALL_WAIT_MS: '2000' };
  const { DATABASE_URL, REDIS_URL } = process.env;
  if (DATABASE_URL === undefined || REDIS_URL === undefined) {
    const api = await startProcess({ ...common, DATA_DIR: newDataDir({ atEnd }), DURABILITY: 'disk' }, ['--json'], atEnd);
    return { api, operatorToken: api.greeting.operator.token };
  }
  const operatorToken = 'operator-of-the-bench';
  const shared = { ...common, DATABASE_URL, REDIS_URL, SECRET_KEY: '0'.repeat(64), OPERATOR_TOKEN: operatorToken };
  await startProcess({ ...shared, ROLE: 'worker' }, ['--json'], atEnd);
  return { api: await startProcess({ ...shared, ROLE: 'api' }, ['--json'], atEnd), operatorToken };
}

async function offer(sell: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  const began = performance.now();
  for (let sent = 0; sent < rate * seconds; sent++) {
    const dueMs = began + (sent * 1000) / rate - performance.now();
    if (dueMs > 0) await pause(dueMs);
    const one = sell().finally(() => running.delete(one));
    running.add(one);
  }
  print(`unanswered when the load ended: ${running.size}`);
  await Promise.all(running);
}

const isReady = async ({ greeting: { url } }: Started): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;

/** The mean time of a sale from its arrival in the process to its reply, by status: the rest is between caller and process. */
async function insideMs({ greeting: { url } }: Started): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figures = (name: string) =>
    text.matchAll(new RegExp(`^passerelle_call_duration_seconds_${name}{.*operation="createSale",status="(\\d+)"} (\\S+)`, 'gm'));
  const counts = new Map([...figures('count')].map(([, status = '', value]) => [status, Number(value)]));
  const means = [...figures('sum')].map(([, status = '', value]) => [status, (Number(value) / (counts.get(status) ?? 0)) * 1000]);
  return means.map(([status, ms]) => `${status} ${Number(ms).toFixed(0)} ms`).join(', ');
}

async function run(): Promise<void> {
  const receiver = await startReceiver();
  const { api, operatorToken } = await startGateway();
  const { token, nextSale } = await openAccount({ members: [{ name: 'api', role: 'api', process: api }], operatorToken });
  for (let index = 0; index < endpoints; index++) {
    const body = { service: 'pos', url: `${receiver}/${index}`, events: ['sale.completed'] };
    await api.call('POST', '/manage/v1/endpoints', { token: operatorToken, body });
  }
  const took: Record<number, number[]> = {};
  const sell = async () => {
    const began = performance.now();
    // A connection may be reset under this load. Nobody is owed a delivery then.
    const reply = api.call('POST', '/pos/api/v1/sales', { token, body: nextSale() });
    const { status, body } = await reply.catch(() => ({ status: 0, body: undefined }));
    took[status] ??= [];
    took[status].push(performance.now() - began);
    if (status === 201) acknowledgedAt.set(body.data.id, performance.now());
  };
  // The first calls cost more, because their code is not compiled yet.
  for (let index = 0; index < 100; index++) await sell();
  const owed = () => acknowledgedAt.size * endpoints - received.length;
  while (owed() > 0) await pause(50);
  for (const status of Object.keys(took)) delete took[Number(status)];
  const receivedBefore = received.length;

  const memoryMb = () => residentMb(api.child.pid ?? 0);
  const before = memoryMb();
  let [peak, unready] = [before, 0];
  const probing = setInterval(() => {
    peak = Math.max(peak, memoryMb());
    isReady(api).then(
      (ready) => (unready += ready ? 0 : 1),
      () => (unready += 1),
    );
  }, 1000);
  const began = performance.now();
  const offering = offer(sell);
  await pause(seconds * 1000);
  const receivedInTime = received.length - receivedBefore;
  await offering;
  const offeredSeconds = (performance.now() - began) / 1000;
  while (owed() > 0) await pause(50);
  const drainedSeconds = (performance.now() - began) / 1000 - offeredSeconds;
  clearInterval(probing);

  print(`offered ${rate} sales a second for ${seconds} s, ${endpoints} endpoints, Node ${process.version}`);
  for (const [status, times] of Object.entries(took))
    print(`status ${status}: ${(times.length / offeredSeconds).toFixed(1)} a second, p50 / p99 ${spread(times)}`);
  const delays = received.slice(receivedBefore).map(({ sale, atMs }) => atMs - (acknowledgedAt.get(sale) ?? atMs));
  print(`deliveries: ${(receivedInTime / seconds).toFixed(1)} a second, p50 / p99 after the reply ${spread(delays)}`);
  print(
    `last reply ${(offeredSeconds - seconds).toFixed(1)} s after the load, last delivery ${drainedSeconds.toFixed(1)} s later`,
  );
  print(`mean time inside the process: ${await insideMs(api)}`);
  await pause(30_000);
  print(`resident memory: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} at most, ${memoryMb().toFixed(0)} 30 s later`);
  print(`/readyz failed: ${unready} times`);
}

try {
  await run();
} finally {
  for (const end of endings) await end();
}
