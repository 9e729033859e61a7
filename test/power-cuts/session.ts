import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Settings } from '../../gateway/start/config.ts';
import { openAccount } from '../e2e/account.ts';
import { type AtEnd, type Started, startProcess } from '../e2e/process.ts';
import { Random } from '../simulation/random.ts';
import { type Entry, openRecording } from './recording.ts';

export interface SessionOptions {
  /** An empty folder, for the data and the recording. */
  folder: string;
  durability: Settings['DURABILITY'];
  /** Sales in each of the three lives of the gateway. */
  sales: number;
  atEnd: AtEnd;
}

const run = promisify(execFile);
const recorder = pathToFileURL(join(import.meta.dirname, 'recorder.ts')).href;
const sellersAtOnce = 8;
/** After every so many sales a call of this size is recorded, so that the log fills its file. */
const salesForLargeCall = 4;
const largeBytes = 100_000;

/**
 * Records a gateway from its first start: sales, each with a webhook, over a kill, a large change and an ordinary restart. Returns
 * the recording's file. A sale counts as acknowledged when its reply has arrived.
 */
export async function recordSession({ folder, durability, sales, atEnd }: SessionOptions): Promise<string> {
  const recording = join(folder, 'recording');
  const environment = {
    DATA_DIR: join(folder, 'data'),
    DURABILITY: durability,
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import ${recorder}`,
    POWER_CUTS_RECORDING: recording,
    RECORD_BODY_CHARACTERS: String(largeBytes),
  };
  const start = () => startProcess(environment, ['--json'], atEnd);
  const receiver = createServer((_request, response) => void response.end('ok')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  atEnd(() => void receiver.close());

  let gateway = await start();
  const operatorToken = gateway.greeting.operator.token;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  await gateway.call('POST', '/manage/v1/endpoints', { token: operatorToken, body: { service: 'pos', url } });
  const account = await openAccount(gateway.call, operatorToken);
  const add = openRecording(recording);
  const sell = () => sellMany({ call: gateway.call, ...account, sales, add });
  /** The next change ends the gateway. */
  const kill = async () => {
    writeFileSync(`${recording}.kill`, '');
    await gateway.call('POST', '/pos/api/v1/sales', { token: account.token, body: account.nextSale() }).catch(() => {});
    await gateway.exited;
    rmSync(`${recording}.kill`);
  };
  await sell();
  await kill();
  await run(process.execPath, [join(import.meta.dirname, 'large-change.ts')], {
    env: { PATH: process.env.PATH, ...environment },
  });
  gateway = await start();
  await sell();
  gateway.child.kill('SIGTERM');
  await gateway.exited;
  gateway = await start();
  await sell();
  await kill();
  return recording;
}

interface Selling {
  call: Started['call'];
  token: string;
  nextSale(): object;
  sales: number;
  add(entry: Entry): void;
}

async function sellMany({ call, token, nextSale, sales, add }: Selling): Promise<void> {
  const random = new Random(1);
  let left = sales;
  const seller = async () => {
    for (let turn = left--; turn > 0; turn = left--) {
      const { status, body } = await call('POST', '/pos/api/v1/sales', { token, body: nextSale() });
      if (status !== 201) throw new Error(`A sale gave ${status}: ${JSON.stringify(body)}`);
      add({ what: 'acknowledged', saleId: body.data.id });
      if (turn % salesForLargeCall === 0) await call('POST', '/pos/api/v1/sales', { token, body: { note: noise(random) } });
    }
  };
  await Promise.all(Array.from({ length: sellersAtOnce }, seller));
}

/** Text that PostgreSQL cannot compress. */
const noise = (random: Random) =>
  Buffer.from(Uint32Array.from({ length: largeBytes / 4 }, () => random.uint32()).buffer)
    .toString('base64')
    .slice(0, largeBytes);
