import { createRedisBackend, type RedisQueueBackend } from 'bullmq';
import type { Logger } from '../log.ts';
import { closeRedis, openRedis, type Redis } from '../redis.ts';
import { BullMqQueue } from './bullmq.ts';

export interface RedisQueueOptions {
  url: string;
  prefix: string;
  attemptDeadlineMs: number;
  /** How often to look for jobs whose worker was killed, in milliseconds. */
  stalledEveryMs: number;
  log: Logger;
}

/** The queue of the scale tier: BullMQ on Redis, shared by every process that names the same Redis and prefix. */
export class RedisQueue extends BullMqQueue<RedisQueueBackend, Redis> {
  readonly #connections: Redis[];
  readonly #closeWithinMs: number;

  constructor({ url, prefix, attemptDeadlineMs, stalledEveryMs, log }: RedisQueueOptions) {
    const connection = openRedis(url, 'producer', log);
    const workerConnection = openRedis(url, 'worker', log);
    const lockMs = attemptDeadlineMs * 2 + 1000;
    const backend = createRedisBackend;
    const options = { connection, workerConnection, prefix, backend, attemptDeadlineMs, lockMs, stalledEveryMs, log };
    super({ name: 'deliveries', ...options });
    this.#connections = [connection, workerConnection];
    this.#closeWithinMs = attemptDeadlineMs + 2000;
  }

  /** While Redis is away BullMQ's worker cannot end by itself; attempts in flight have ended by their deadline. */
  override async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#closeWithinMs);
    await Promise.race([super.close(), late]);
    clearTimeout(timer);
    await Promise.all(this.#connections.map(closeRedis));
  }
}
