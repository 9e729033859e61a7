import { type Command, Redis, type RedisOptions } from 'ioredis';
import { SettingsError } from './errors.ts';
import { errorsSeldom, type Logger, textOf } from './log.ts';

/**
 * What each connection does when Redis does not answer. A socket that stays silent is closed, so that a Redis that hangs
 * is known to be away as one that is gone.
 */
const manners = {
  /** A call waits for it: half a second at most (SoonRedis), and not at all once Redis is known to be away. */
  counters: { enableOfflineQueue: false, maxRetriesPerRequest: 0, lazyConnect: true },
  /**
   * What it does not take now, the reconciler finds. BullMQ asks for the version once, when it connects first, and a queue
   * that got no answer then is of no use ever after; `checkRedis` has asked already.
   */
  producer: {
    commandTimeout: 5000,
    socketTimeout: 5000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    skipVersionCheck: true,
  },
  /** A worker waits for Redis as long as it takes. Its longest command blocks for 10 s. */
  worker: { socketTimeout: 30_000, maxRetriesPerRequest: null, lazyConnect: true },
} satisfies Record<string, RedisOptions & { skipVersionCheck?: boolean }>;

export type { Redis } from 'ioredis';

const countersAnswerWithinMs = 500;

/**
 * A connection that is closed, and so known to be away, when a command gets no answer soon. A process that was held up
 * itself reads what has come before it judges: ioredis's own time-outs (commandTimeout, socketTimeout) take a stall of this
 * process for one of Redis, and calls would go uncounted.
 */
class SoonRedis extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const answer = super.sendCommand(command, stream);
    const { stream: connection } = this;
    let answered = false;
    const late = () => {
      if (!answered) connection?.destroy(new Error(`Redis did not answer within ${countersAnswerWithinMs} ms.`));
    };
    // Timers come before the reading of sockets, immediates after it.
    const timer = setTimeout(() => setImmediate(late), countersAnswerWithinMs);
    const settled = () => {
      answered = true;
      clearTimeout(timer);
    };
    command.promise.then(settled, settled);
    return answer;
  }
}

/** The connection of what calls and attempts wait for. Resolves when it is there, or known not to be. */
export async function openCounters(url: string, log: Logger): Promise<Redis> {
  const client = openRedis(url, 'counters', log);
  await client.connect().catch(() => {});
  return client;
}

/** A connection that comes back by itself, soon after Redis does. */
export function openRedis(url: string, manner: keyof typeof manners, log: Logger): Redis {
  const Connection = manner === 'counters' ? SoonRedis : Redis;
  const client = new Connection(url, {
    ...manners[manner],
    connectTimeout: 2000,
    connectionName: `passerelle-${manner}`,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), 1000),
  });
  const failed = errorsSeldom(log);
  client.on('error', (error) => failed(error, `redis.${manner}_failed`));
  return client;
}

/** Closes without waiting for a Redis that is away. */
export async function closeRedis(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => {});
  client.disconnect();
}

const oldest = [6, 2] as const;

/** Asks Redis who it is. Throws a SettingsError if it is too old or does not let us in, its own error if it is not there. */
export async function checkRedis(url: string, log: Logger): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000, commandTimeout: 2000 });
  let why: unknown;
  client.on('error', (error) => {
    why = error;
  });
  try {
    await client.connect();
    checkInfo(await client.info(), log);
  } catch (error) {
    // "Connection is closed." is what is left of an error that the connection told of by its event.
    const cause = why ?? error;
    if (/WRONGPASS|NOAUTH|NOPERM|invalid password/.test(textOf(cause)))
      throw new SettingsError(`REDIS_URL is refused by Redis: ${textOf(cause)}`);
    throw cause;
  } finally {
    client.disconnect();
  }
}

/** Valkey says `redis_version` too: the one that it is compatible with. */
export function checkInfo(info: string, log: Pick<Logger, 'warn'>): void {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new SettingsError(`REDIS_URL leads to Redis ${version}; ${oldest.join('.')} or newer is needed.`);
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction')
    log.warn(
      { policy, hint: 'Set maxmemory-policy to noeviction, or deliveries may wait for the reconciler.' },
      'redis.may_evict',
    );
}
