import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Queue } from 'bullmq';
import { queueName } from '../gateway/queue/redis.ts';
import { type Started, startProcess } from '../test/e2e/process.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { gatewayVariant, scaleTier, type Tier } from './delivery-parts.ts';

export interface WorkersOptions {
  urls: string[];
  deliveries: number;
  /** Prepares the receiver. What it returns resolves to when the receiver has all of them, in milliseconds since 1970. */
  expect(deliveries: number): Promise<() => Promise<number>>;
  /** The core that all workers share, so that several have no more of the machine than one. */
  core?: string | undefined;
}

export interface WorkersPace {
  perSecond: number;
  /** CPU time of all workers for each delivery, in microseconds. */
  cpuUs: number;
  /** How often the row of a delivery is written. One is the record of its attempt. */
  writes: number;
}

/** The first backlog is the first that these processes see. Before the second one Node has compiled their code. */
export const backlogs = ['cold', 'warm'] as const;

/**
 * Measures so many processes of the gateway with ROLE=worker at two backlogs. The queue is paused until the workers are
 * ready and the backlog is complete.
 */
export async function workersPace(
  workers: number,
  { urls, deliveries, expect, core }: WorkersOptions,
): Promise<Record<(typeof backlogs)[number], WorkersPace>> {
  const secretKey = randomBytes(32);
  const tier = await scaleTier({ secretKey });
  const ends: (() => unknown)[] = [];
  const settings = { ...tier.environment, ROLE: 'worker', WEBHOOK_LOOPBACK: 'on', LOG_LEVEL: 'silent' };
  const processes: Started[] = [];
  for (let index = 0; index < workers; index++)
    processes.push(await startProcess(settings, ['--json'], (work) => ends.unshift(work)));
  if (core !== undefined) for (const { child } of processes) execFileSync('taskset', ['-apc', core, String(child.pid)]);
  const cpuOfAll = () => processes.reduce((sum, { child }) => sum + cpuSeconds(child), 0);
  const queue = new Queue(queueName, {
    connection: { url: tier.environment.REDIS_URL },
    prefix: tier.environment.REDIS_PREFIX,
  } as never);
  const gateway = await gatewayVariant(tier, urls, { work: false, masterKey: secretKey });
  const paces = {} as Awaited<ReturnType<typeof workersPace>>;
  let writesBefore = 0;
  for (const backlog of backlogs) {
    await queue.pause();
    const allReceived = await expect(deliveries);
    await gateway.send(deliveries);
    await complete(queue, deliveries);
    const cpuBefore = cpuOfAll();
    const began = performance.timeOrigin + performance.now();
    await queue.resume();
    const perSecond = (deliveries / ((await allReceived()) - began)) * 1000;
    const cpuUs = ((cpuOfAll() - cpuBefore) / deliveries) * 1e6;
    const writes = await writesAfter(tier, writesBefore + deliveries);
    paces[backlog] = { perSecond, cpuUs, writes: (writes - writesBefore) / deliveries };
    writesBefore = writes;
  }
  for (const end of ends) await end();
  await queue.close();
  await gateway.close();
  await tier.close();
  return paces;
}

/** Returns how often rows of deliveries were written. PostgreSQL counts a write up to a second after it, and each has at least one. */
async function writesAfter(tier: Tier, least: number): Promise<number> {
  for (;;) {
    const found = await tier.query("select n_tup_upd::int as writes from pg_stat_user_tables where relname = 'deliveries'");
    const writes = (found as { rows: { writes: number }[] }).rows[0]?.writes ?? 0;
    if (writes >= least) return writes;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the queue holds all attempts: they are added after the change. */
async function complete(queue: Queue, deliveries: number): Promise<void> {
  for (;;) {
    const jobs = await queue.getJobs(['waiting']);
    if (jobs.reduce((sum, { data }) => sum + data.length, 0) === deliveries) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
