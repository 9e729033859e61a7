import { randomBytes } from 'node:crypto';
import { Queue } from 'bullmq';
import { startProcess } from '../test/e2e/process.ts';
import { gatewayVariant, scaleTier } from './delivery-parts.ts';

export interface WorkersOptions {
  urls: string[];
  deliveries: number;
  /** Prepares the receiver. What it returns resolves to when the receiver has all of them, in milliseconds since 1970. */
  expect(deliveries: number): Promise<() => Promise<number>>;
}

/**
 * Returns how many deliveries a second so many processes of the gateway with ROLE=worker make from the same backlog. The
 * queue is paused until the workers are ready and the backlog is complete.
 */
export async function workersPace(workers: number, { urls, deliveries, expect }: WorkersOptions): Promise<number> {
  const secretKey = randomBytes(32);
  const tier = await scaleTier({ secretKey });
  const ends: (() => unknown)[] = [];
  const settings = { ...tier.environment, ROLE: 'worker', WEBHOOK_LOOPBACK: 'on', LOG_LEVEL: 'silent' };
  for (let index = 0; index < workers; index++) await startProcess(settings, ['--json'], (work) => ends.unshift(work));
  const queue = new Queue('deliveries', {
    connection: { url: tier.environment.REDIS_URL },
    prefix: tier.environment.REDIS_PREFIX,
  } as never);
  await queue.pause();
  const gateway = await gatewayVariant(tier, urls, { work: false, masterKey: secretKey });
  const allReceived = await expect(deliveries);
  await gateway.send(deliveries);
  await complete(queue, deliveries);
  const began = performance.timeOrigin + performance.now();
  await queue.resume();
  const perSecond = (deliveries / ((await allReceived()) - began)) * 1000;
  for (const end of ends) await end();
  await queue.close();
  await gateway.close();
  await tier.close();
  return perSecond;
}

/** Waits until the queue holds all attempts: they are added after the change. */
async function complete(queue: Queue, deliveries: number): Promise<void> {
  for (;;) {
    const jobs = await queue.getJobs(['waiting']);
    if (jobs.reduce((sum, { data }) => sum + data.length, 0) === deliveries) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
