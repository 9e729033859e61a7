import { createRedisBackend, type RedisQueueBackend } from 'bullmq';
import type { Logger } from '../base/log.ts';
import { closeRedis, openRedis, type Redis } from '../base/redis.ts';
import { BullMqQueue } from './bullmq.ts';
import type { Depth, Job } from './port.ts';

export interface RedisQueueOptions {
  url: string;
  prefix: string;
  attemptDeadlineMs: number;
  /** How often to look for jobs whose worker was killed, in milliseconds. */
  stalledEveryMs: number;
  log: Logger;
}

/** As long as the producer's connection waits for an answer. */
const answerWithinMs = 5000;

/** The queue of the scale tier: BullMQ on Redis, shared by every process that names the same Redis and prefix. */
export class RedisQueue extends BullMqQueue<RedisQueueBackend, Redis> {
  readonly #producer: Redis;
  readonly #connections: Redis[];
  readonly #closeWithinMs: number;

  constructor({ url, prefix, attemptDeadlineMs, stalledEveryMs, log }: RedisQueueOptions) {
    const connection = openRedis(url, 'producer', log);
    const workerConnection = openRedis(url, 'worker', log);
    const lockMs = attemptDeadlineMs * 2 + 1000;
    const backend = createRedisBackend;
    const options = { connection, workerConnection, prefix, backend, attemptDeadlineMs, lockMs, stalledEveryMs, log };
    super({ name: 'deliveries', ...options });
    this.#producer = connection;
    this.#connections = [connection, workerConnection];
    this.#closeWithinMs = attemptDeadlineMs + 2000;
  }

  override add(jobs: readonly (Job & { delayMs: number })[]): Promise<void> {
    return soon(super.add(jobs));
  }

  override depth(): Promise<Depth> {
    return soon(super.depth());
  }

  onBack(listener: (awayMs: number) => void): void {
    let lostAt: number | undefined;
    this.#producer.on('close', () => {
      lostAt ??= performance.now();
    });
    this.#producer.on('ready', () => {
      if (lostAt !== undefined) listener(performance.now() - lostAt);
      lostAt = undefined;
    });
  }

  /** While Redis is away BullMQ's worker cannot end by itself; attempts in flight have ended by their deadline. */
  override async close(last?: () => Promise<void>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#closeWithinMs);
    await Promise.race([super.close(last), late]);
    clearTimeout(timer);
    await Promise.all(this.#connections.map(closeRedis));
  }
}

/** BullMQ waits for a connection's first time without limit: whoever stops, or looks after the queue, must not. */
async function soon<R>(answer: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${answerWithinMs} ms.`)), answerWithinMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
