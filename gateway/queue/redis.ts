import { createRedisBackend, type RedisQueueBackend } from 'bullmq';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { closeRedis, openRedis, type Redis, serverIdInLua } from '../base/redis.ts';
import { BullMqQueue } from './bullmq.ts';
import type { Group } from './groups.ts';
import type { Depth, Held } from './port.ts';

export interface RedisQueueOptions {
  url: string;
  prefix: string;
  attemptDeadlineMs: number;
  clock?: Clock;
  log: Logger;
}

/** Names the form of the jobs. If a new form gets a new name, no process takes a job that it cannot read. */
export const queueName = 'attempt-groups';
/** The same as the producer connection's command timeout. */
const answerTimeoutMs = 5000;
/** Interval of the search for jobs whose worker was killed. */
const stalledEveryMs = 5000;
/** How often to look whether Redis has lost its data. */
const checkEveryMs = 2000;

/**
 * KEYS: the marker. ARGV: its value. Returns the server's id, and 1 if the marker was missing and is set now: whoever wiped the
 * jobs wiped it too.
 */
const markScript = `return {${serverIdInLua}, redis.call('SET', KEYS[1], ARGV[1], 'NX') and 1 or 0}`;

interface WithScript {
  markJobs(key: string, value: string): Promise<[serverId: string, isNew: 0 | 1]>;
}

/** The queue of the scale tier: BullMQ on Redis, shared by all processes with the same Redis and prefix. */
export class RedisQueue extends BullMqQueue<RedisQueueBackend, Redis> {
  readonly #producer: Redis & WithScript;
  readonly #connections: Redis[];
  readonly #closeWithinMs: number;
  /** A key that goes with the jobs if Redis loses its data. */
  readonly #marker: string;
  /** The server that had the jobs when it was last asked. */
  #serverId: string | undefined;
  /** Jobs could not be added, or another server has taken over, or this one was restarted: it may lack the last jobs. */
  #mayLack = false;
  #checking: NodeJS.Timeout | undefined;

  constructor({ url, prefix, attemptDeadlineMs, clock, log }: RedisQueueOptions) {
    const connection = openRedis(url, 'producer', log);
    const workerConnection = openRedis(url, 'worker', log);
    const lockMs = attemptDeadlineMs + 1000;
    const backend = createRedisBackend;
    const options = { connection, workerConnection, prefix, backend, attemptDeadlineMs, lockMs, stalledEveryMs, clock, log };
    super({ name: queueName, ...options });
    connection.defineCommand('markJobs', { numberOfKeys: 1, lua: markScript });
    this.#producer = connection as Redis & WithScript;
    this.#connections = [connection, workerConnection];
    this.#closeWithinMs = attemptDeadlineMs + 2000;
    this.#marker = `${prefix}:jobs-kept:${queueName}`;
  }

  protected override async addGroups(groups: Group[]): Promise<void> {
    try {
      await withTimeout(super.addGroups(groups));
    } catch (error) {
      this.#mayLack = true;
      throw error;
    }
  }

  override depth(): Promise<Depth> {
    return withTimeout(super.depth());
  }

  override held(): Promise<Held> {
    return withTimeout(super.held());
  }

  /** Tests with a write, because Redis still answers reads when it is full, is a replica, or cannot save its data. */
  async ping(): Promise<void> {
    await withTimeout(this.#producer.set(this.#marker, new Date().toISOString(), 'XX'));
  }

  onBack(listener: (loss: { emptied: boolean }) => void): void {
    const check = async () => {
      // While Redis is away or refuses to write, this throws.
      const [serverId, isNew] = await this.#producer.markJobs(this.#marker, new Date().toISOString());
      if (this.#serverId !== undefined && serverId !== this.#serverId) this.#mayLack = true;
      this.#serverId = serverId;
      const emptied = isNew === 1;
      if (this.#mayLack || emptied) listener({ emptied });
      this.#mayLack = false;
    };
    this.#producer.on('ready', () => void check().catch(() => {}));
    this.#checking = setInterval(() => void check().catch(() => {}), checkEveryMs).unref();
    // The first check runs at once, before there are jobs. If Redis is not connected yet, it will be ready soon.
    void check().catch(() => {});
  }

  /** BullMQ's worker cannot close while Redis is away, so waiting ends when all running attempts must have ended. */
  override async close(last?: () => Promise<void>): Promise<void> {
    clearInterval(this.#checking);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#closeWithinMs);
    await Promise.race([super.close(last), late]);
    clearTimeout(timer);
    await Promise.all(this.#connections.map(closeRedis));
  }
}

/** BullMQ waits for the first connection without limit. Shutdown and the reconciler must not. */
async function withTimeout<R>(answer: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${answerTimeoutMs} ms.`)), answerTimeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
