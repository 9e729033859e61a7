/**
 * What DURABILITY=disk costs beside DURABILITY=process, on the embedded tier: a sale over HTTP one at a time and sixteen at
 * once, each with its webhook. CPU of the gateway with all threads for a sale and its delivery. In turns; medians of rounds.
 *
 *     node bench/durability.ts [--sales 300] [--rounds 3]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AtEnd, newDataDir, type Started, startProcess } from '../test/e2e/process.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { openAccount } from './soak/load.ts';

const option = { type: 'string' } as const;
const { values } = parseArgs({ options: { sales: { ...option, default: '300' }, rounds: { ...option, default: '3' } } });
const [sales, rounds] = [Number(values.sales), Number(values.rounds)];
const print = (line: string) => process.stdout.write(`${line}\n`);
const quantile = (numbers: number[], share: number) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
const nowMs = () => performance.timeOrigin + performance.now();

const endings: (() => void | Promise<void>)[] = [];
const atEnd: AtEnd = (work) => void endings.unshift(work);
const receiver = fork(new URL('./receiver.ts', import.meta.url));
const [{ url }] = (await once(receiver, 'message')) as [{ url: string }];

const modes = ['process', 'disk'] as const;
type Mode = (typeof modes)[number];
type Sell = () => Promise<void>;

/** Starts a gateway with one endpoint. Returns it and the function that sells once. */
async function openGateway(mode: Mode): Promise<{ gateway: Started; sell: Sell }> {
  const dataDir = newDataDir({ atEnd });
  const began = nowMs();
  const gateway = await startProcess({ DATA_DIR: dataDir, DURABILITY: mode, LOG_LEVEL: 'warn' }, ['--json'], atEnd);
  print(`first start, ${mode}: ${Math.round(nowMs() - began)} ms`);
  const operatorToken = gateway.greeting.operator.token;
  const { token, nextSale } = await openAccount({ members: [{ name: mode, role: 'api', process: gateway }], operatorToken });
  const endpoint = { service: 'pos', url: `${url}/each`, events: ['sale.completed'] };
  await gateway.call('POST', '/manage/v1/endpoints', { token: operatorToken, body: endpoint });
  const sell = async () => {
    const { status } = await gateway.call('POST', '/pos/api/v1/sales', { token, body: nextSale() });
    if (status !== 201) throw new Error(`A sale gave ${status}.`);
  };
  return { gateway, sell };
}

/** Milliseconds until the reply, and until the receipt of the webhook. */
async function oneAtATime(sell: Sell): Promise<{ reply: number[]; receipt: number[] }> {
  const took = { reply: [] as number[], receipt: [] as number[] };
  for (let index = 0; index < sales / 3; index++) {
    const received = once(receiver, 'message') as Promise<[{ atMs: number }]>;
    const began = nowMs();
    await sell();
    took.reply.push(nowMs() - began);
    took.receipt.push((await received)[0].atMs - began);
  }
  return took;
}

async function sixteenAtOnce({ child }: Started, sell: Sell): Promise<{ reply: number[]; perSecond: number; cpuMs: number }> {
  const reply: number[] = [];
  let left = sales;
  let receipts = 0;
  const received = new Promise<void>((resolve) => {
    receiver.on('message', function count() {
      if (++receipts < sales) return;
      receiver.off('message', count);
      resolve();
    });
  });
  const [began, cpuBefore] = [nowMs(), cpuSeconds(child)];
  const seller = async () => {
    while (left-- > 0) {
      const at = nowMs();
      await sell();
      reply.push(nowMs() - at);
    }
  };
  await Promise.all(Array.from({ length: 16 }, seller));
  const seconds = (nowMs() - began) / 1000;
  await received;
  return { reply, perSecond: sales / seconds, cpuMs: ((cpuSeconds(child) - cpuBefore) * 1000) / sales };
}

/** The median time of a sync of one page on the disk of the data folders, in milliseconds. */
function syncMs(): number {
  const file = openSync(join(newDataDir({ empty: true, atEnd }), 'probe'), 'w');
  const took = Array.from({ length: 101 }, (_, page) => {
    writeSync(file, Buffer.alloc(8192, 1), 0, 8192, page * 8192);
    const began = performance.now();
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  return quantile(took, 0.5);
}

const measured = { process: [] as Record<string, number>[], disk: [] as Record<string, number>[] };
try {
  print(`a sync of the disk: ${syncMs().toFixed(2)} ms`);
  const gateways = { process: await openGateway('process'), disk: await openGateway('disk') };
  for (let round = 0; round <= rounds; round++)
    for (const mode of modes) {
      const { gateway, sell } = gateways[mode];
      const alone = await oneAtATime(sell);
      const many = await sixteenAtOnce(gateway, sell);
      // The first round warms up.
      if (round === 0) continue;
      measured[mode].push({
        'one at a time, reply p50 ms': quantile(alone.reply, 0.5),
        'one at a time, reply p99 ms': quantile(alone.reply, 0.99),
        'one at a time, webhook p50 ms': quantile(alone.receipt, 0.5),
        'sixteen at once, sales/s': many.perSecond,
        'sixteen at once, reply p50 ms': quantile(many.reply, 0.5),
        'sixteen at once, reply p99 ms': quantile(many.reply, 0.99),
        'CPU of a sale with its delivery, ms': many.cpuMs,
      });
    }
  for (const name of Object.keys(measured.disk[0] ?? {})) {
    const median = (mode: Mode) =>
      quantile(
        measured[mode].map((one) => one[name] as number),
        0.5,
      );
    print(
      `${name}: process ${median('process').toFixed(2)}, disk ${median('disk').toFixed(2)}, ratio ${(median('disk') / median('process')).toFixed(2)}`,
    );
  }
} finally {
  receiver.disconnect();
  for (const end of endings) await end();
}
