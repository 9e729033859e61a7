import { type Command, Redis, type RedisOptions } from 'ioredis';
import { SettingsError } from './errors.ts';
import { hostOf, urlsOfHosts } from './hosts.ts';
import { errorsSeldom, type Logger, textOf } from './log.ts';

/** Options of each kind of connection. They decide what happens while Redis does not answer. */
const connectionOptions = {
  /** Calls wait for it: at most half a second (CountersRedis), and not at all once Redis is known to be away. */
  counters: { enableOfflineQueue: false, maxRetriesPerRequest: 0, lazyConnect: true },
  /**
   * Jobs that it cannot add are queued later by the reconciler. BullMQ checks the version only at the first connect,
   * and without a reply it fails permanently. So `checkRedis` checks it instead.
   */
  producer: {
    commandTimeout: 5000,
    socketTimeout: 5000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    skipVersionCheck: true,
  },
  /** Waits for Redis without limit. Its longest blocking command takes 10 s, hence the longer socket timeout. */
  worker: { socketTimeout: 30_000, maxRetriesPerRequest: null, lazyConnect: true },
} satisfies Record<string, RedisOptions & { skipVersionCheck?: boolean }>;

export type { Redis } from 'ioredis';

/** Returns where a REDIS_URL leads to: a server, or what Sentinels say is the primary of a name. */
function serverOf(url: string): RedisOptions {
  const hosts = urlsOfHosts(url).map((one) => new URL(one));
  const [first] = hosts as [URL];
  const { protocol, pathname, searchParams, username, password } = first;
  const tls = protocol === 'rediss:' ? { tls: {} } : {};
  const user = username === '' ? {} : { username: decodeURIComponent(username) };
  const login = password === '' ? {} : { ...user, password: decodeURIComponent(password) };
  const common = { ...tls, ...login, db: Number(pathname.slice(1)) };
  const name = searchParams.get('master');
  if (name === null) return { ...common, host: hostOf(first.hostname), port: Number(first.port || 6379) };
  const sentinels = hosts.map((one) => ({ host: hostOf(one.hostname), port: Number(one.port || 26_379) }));
  return { ...common, sentinels, name };
}

const countersAnswerWithinMs = 500;

/**
 * Closes the connection when a command gets no reply in time, so that Redis counts as away. Unlike ioredis's own timeouts,
 * it reads pending replies first: a stall of this process must not look like one of Redis.
 */
class CountersRedis extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const answer = super.sendCommand(command, stream);
    const { stream: connection } = this;
    let answered = false;
    const late = () => {
      if (!answered) connection?.destroy(new Error(`Redis did not answer within ${countersAnswerWithinMs} ms.`));
    };
    // Node runs timers before it reads sockets, and immediates after.
    const timer = setTimeout(() => setImmediate(late), countersAnswerWithinMs);
    const settled = () => {
      answered = true;
      clearTimeout(timer);
    };
    command.promise.then(settled, settled);
    return answer;
  }
}

/** Opens the connection for counters. Resolves once it is ready, or once Redis is known to be away. */
export async function openCounters(url: string, log: Logger): Promise<Redis> {
  const client = openRedis(url, 'counters', log);
  await client.connect().catch(() => {});
  return client;
}

/** Opens a connection that reconnects by itself, at most one second after Redis is back. */
export function openRedis(url: string, kind: keyof typeof connectionOptions, log: Logger): Redis {
  const Connection = kind === 'counters' ? CountersRedis : Redis;
  const client = new Connection({
    ...serverOf(url),
    ...connectionOptions[kind],
    connectTimeout: 2000,
    connectionName: `passerelle-${kind}`,
    // A replica: after a failover the address may lead to another server, and this one keeps the connection.
    reconnectOnError: (error) => error.message.includes('READONLY'),
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), 1000),
  });
  const failed = errorsSeldom(log);
  client.on('error', (error) => failed(error, `redis.${kind}_failed`));
  return client;
}

/** Closes a connection. Does not wait if Redis is away. */
export async function closeRedis(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => {});
  client.disconnect();
}

const oldest = [6, 2] as const;

/** Throws a SettingsError if Redis is too old or rejects the credentials, and the connection's error if it is away. */
export async function checkRedis(url: string, log: Logger): Promise<void> {
  const client = new Redis({
    ...serverOf(url),
    lazyConnect: true,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    connectTimeout: 2000,
    commandTimeout: 2000,
  });
  let why: unknown;
  client.on('error', (error) => {
    why = error;
  });
  try {
    await client.connect();
    checkInfo(await client.info(), log);
  } catch (error) {
    // The rejection only says "Connection is closed."; the event has the cause.
    const cause = why ?? error;
    if (/WRONGPASS|NOAUTH|NOPERM|invalid password/.test(textOf(cause)))
      throw new SettingsError(`Redis rejected the credentials in REDIS_URL: ${textOf(cause)}`);
    throw cause;
  } finally {
    client.disconnect();
  }
}

/** Checks the reply to INFO. Valkey reports as `redis_version` the version it is compatible with. */
export function checkInfo(info: string, log: Pick<Logger, 'warn'>): void {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new SettingsError(`REDIS_URL points to Redis ${version}. Redis ${oldest.join('.')} or newer is required.`);
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction')
    log.warn(
      {
        policy,
        hint: 'Set maxmemory-policy to noeviction. Otherwise Redis may drop jobs, and their deliveries wait for the reconciler.',
      },
      'redis.may_evict',
    );
}
