import { Cluster, type ClusterOptions, type Command, type RedisOptions, Redis as Server } from 'ioredis';
import { SettingsError } from './errors.ts';
import { hostOf, parametersOf, urlsOfHosts } from './hosts.ts';
import { errorsSeldom, type Logger, textOf } from './log.ts';

/** Options of each kind of connection. They decide what happens while Redis does not answer. */
const connectionOptions = {
  /** Calls wait for it: at most half a second (`limitAnswers`), and not at all once Redis is known to be away. */
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

/**
 * Options that differ on a cluster. By default a command is tried again for 1.6 s if its node is away or its slot has none.
 * Counters do not wait these 1.6 s, and workers wait without limit.
 */
const clusterOptions: Partial<Record<keyof typeof connectionOptions, ClusterOptions>> = {
  counters: { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 },
  // While a replica takes over, nodes redirect to each other. Without a delay, all redirections would be used up at once.
  producer: { retryDelayOnMoved: 100 },
  // BullMQ keeps an error of `connect` for ever.
  worker: { maxRedirections: Number.POSITIVE_INFINITY, retryDelayOnMoved: 100, lazyConnect: false },
};

/** A connection to a server, or to the nodes of a cluster. */
export type Redis = Server | Cluster;

const isCluster = (url: string) => /^rediss?-cluster:/.test(url);

/**
 * Returns the prefix of keys that one script or transaction uses together. A cluster keeps keys with the same text in braces
 * on one node.
 */
export const prefixTogether = (url: string, prefix: string): string => (isCluster(url) ? `{${prefix}}` : prefix);

/** In a script: the id of the server that runs it, which changes with each start. */
export const serverIdInLua = "(string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or '')";

interface Place {
  /** The nodes to ask for the others. */
  nodes?: { host: string; port: number }[];
  /** The server, or what Sentinels say is the primary of a name. On a cluster: what all nodes have in common. */
  server: RedisOptions;
}

/** Returns where a REDIS_URL leads to. */
function placeOf(url: string): Place {
  const hosts = urlsOfHosts(url).map((one) => new URL(one));
  const [first] = hosts as [URL];
  const { protocol, pathname, username, password } = first;
  const at = (port: number) => hosts.map((one) => ({ host: hostOf(one.hostname), port: Number(one.port || port) }));
  const user = username === '' ? {} : { username: decodeURIComponent(username) };
  const login = password === '' ? {} : { ...user, password: decodeURIComponent(password) };
  const tls = protocol.startsWith('rediss') ? {} : undefined;
  const common = { ...login, tls, connectTimeout: 2000 } satisfies RedisOptions;
  if (isCluster(url)) return { nodes: at(6379), server: common };
  const server = { ...common, db: Number(pathname.slice(1)) };
  const { master: name, sentinel_user: sentinelUsername, sentinel_password: sentinelPassword } = parametersOf(first);
  if (name === undefined) return { server: { ...server, ...at(6379)[0] } };
  const ofSentinels = { sentinelUsername, sentinelPassword, sentinelTLS: tls, sentinelCommandTimeout: 2000 };
  return { server: { ...server, ...ofSentinels, sentinels: at(26_379), name, enableTLSForSentinelMode: tls !== undefined } };
}

/** `failed` gets the cause of each error of the connection. */
function connectTo(url: string, options: RedisOptions, onCluster: ClusterOptions, failed: (cause: Error) => void): Redis {
  const place = placeOf(url);
  const client = clientAt(place, options, onCluster);
  const sentinels = sentinelErrors(client, place.server.name);
  // A cluster's error says that all nodes failed. The last one's error says why.
  client.on('error', (error: Error & { lastNodeError?: Error }) => failed(sentinels(error) ?? error.lastNodeError ?? error));
  return client;
}

/** Returns the function that says what each Sentinel did, in place of ioredis's error, which names none of them. */
function sentinelErrors(client: Redis, primary: string | undefined): (error: Error) => Error | undefined {
  const answers = new Map<string, string>();
  client.on('sentinelError', ({ message }: Error) => {
    const [, address = '', reason = ''] = /sentinel (\S+) (?:because )?(.*)/s.exec(message) ?? [];
    const isUnknown = /No such master|invalid reply: null/.test(reason);
    const known = reason === 'Connection is closed.' ? 'does not answer' : `answers: ${reason}`;
    answers.set(address, `${address} ${isUnknown ? `knows no primary "${primary}"` : known}`);
  });
  return ({ message }) =>
    message.startsWith('All sentinels')
      ? new Error(`No Sentinel leads to Redis. ${[...answers.values()].join('; ')}.`)
      : undefined;
}

function clientAt({ nodes, server }: Place, options: RedisOptions, onCluster: ClusterOptions): Redis {
  if (!nodes) return new Server({ ...server, ...options });
  const { lazyConnect, enableOfflineQueue } = options;
  return new Cluster(nodes, {
    lazyConnect,
    enableOfflineQueue,
    ...onCluster,
    // Otherwise `connect` never settles while the cluster lacks a slot.
    enableReadyCheck: false,
    redisOptions: { ...server, ...options },
    // Certificates name hosts, so names are not replaced by addresses before the connection.
    dnsLookup: (host, found) => found(null, host),
  });
}

const countersAnswerWithinMs = 500;

/** The server that a command of the counters was sent to last. A cluster redirects some commands to a second server. */
const sentTo = new WeakMap<Command, Server>();

/**
 * Closes the connection when a command gets no reply in time, so that the server counts as away. Unlike ioredis's own timeouts,
 * it reads pending replies first: a stall of this process must not look like one of Redis.
 */
function limitAnswers(server: Server): void {
  const send = server.sendCommand.bind(server);
  server.sendCommand = (command: Command, stream) => {
    const isFirst = !sentTo.has(command);
    sentTo.set(command, server);
    const answer = send(command, stream);
    if (!isFirst) return answer;
    let answered = false;
    const late = () => {
      if (answered) return;
      sentTo.get(command)?.stream?.destroy(new Error(`Redis did not answer within ${countersAnswerWithinMs} ms.`));
    };
    // Node runs timers before it reads sockets, and immediates after.
    const timer = setTimeout(() => setImmediate(late), countersAnswerWithinMs);
    const settled = () => {
      answered = true;
      clearTimeout(timer);
    };
    command.promise.then(settled, settled);
    return answer;
  };
}

/** Opens the connection for counters. Resolves once it is ready, or once Redis is known to be away. */
export async function openCounters(url: string, log: Logger): Promise<Redis> {
  const client = openRedis(url, 'counters', log);
  if (client instanceof Cluster) client.on('+node', limitAnswers);
  else limitAnswers(client);
  await connectAll(client).catch(() => {});
  return client;
}

/**
 * Connects to all nodes now. Otherwise a cluster connects to a node with the first command, and the second command does not wait
 * for the connection.
 */
async function connectAll(client: Redis): Promise<void> {
  await client.connect();
  if (client instanceof Cluster) await Promise.all(client.nodes('master').map((node) => node.connect()));
}

/** Opens a connection that reconnects by itself, at most one second after Redis is back. */
export function openRedis(url: string, kind: keyof typeof connectionOptions, log: Logger): Redis {
  const retryAfterMs = (times: number) => Math.min(50 * 2 ** Math.min(times, 10), 1000);
  const options: RedisOptions = {
    ...connectionOptions[kind],
    connectionName: `passerelle-${kind}`,
    // A replica: after a failover the address may lead to another server, and this one keeps the connection.
    reconnectOnError: (error) => error.message.includes('READONLY'),
    retryStrategy: retryAfterMs,
  };
  const tell = errorsSeldom(log);
  let why = '';
  const client = connectTo(url, options, { ...clusterOptions[kind], clusterRetryStrategy: retryAfterMs }, (cause) => {
    why = textOf(cause);
    tell(cause, `redis.${kind}_failed`);
  });
  client.on('ready', () => {
    why = '';
  });
  explainUnsent(client, () => `Redis is away: ${why || 'the connection is closed'}`);
  return client;
}

/** Makes the error of an unsent command say why Redis is away. ioredis's own message only names the options that forbid waiting. */
function explainUnsent(client: Redis, why: () => string): void {
  const send: (command: Command, ...rest: never[]) => unknown = client.sendCommand.bind(client);
  client.sendCommand = (command: Command, ...rest: never[]) => {
    command.promise.catch((error: Error) => {
      if (/enableOfflineQueue|maxRetriesPerRequest/.test(error.message)) error.message = why();
    });
    return send(command, ...rest);
  };
}

/** Closes a connection. Does not wait if Redis is away. */
export async function closeRedis(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => {});
  client.disconnect();
}

const oldest = [6, 2] as const;

/**
 * Throws a SettingsError if Redis is too old, of the other kind or rejects the credentials, and the connection's error if it is
 * away.
 */
export async function checkRedis(url: string, log: Logger): Promise<void> {
  const never = () => null;
  const options = { lazyConnect: true, retryStrategy: never, sentinelRetryStrategy: never, commandTimeout: 2000 };
  let why: unknown;
  const client = connectTo(url, options, { clusterRetryStrategy: never }, (cause) => {
    why = cause;
  });
  try {
    await client.connect();
    const servers = client instanceof Cluster ? client.nodes('master') : [client];
    for (const server of servers) checkInfo(await server.info(), log, client.isCluster);
  } catch (error) {
    // The rejection only says "Connection is closed."; the event has the cause.
    const cause = why ?? error;
    if (/WRONGPASS|NOAUTH|NOPERM|invalid password/.test(textOf(cause)))
      throw new SettingsError(`Redis or a Sentinel rejected the credentials in REDIS_URL: ${textOf(cause)}`);
    if (textOf(cause).includes('cluster support disabled'))
      throw new SettingsError('REDIS_URL points to a Redis that is no node of a cluster. Write redis:// or rediss://.');
    throw cause;
  } finally {
    client.disconnect();
  }
}

/** Checks the reply to INFO. Valkey reports as `redis_version` the version it is compatible with. */
export function checkInfo(info: string, log: Pick<Logger, 'warn'>, isClusterExpected = false): void {
  const read = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const version = read('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new SettingsError(`REDIS_URL points to Redis ${version}. Redis ${oldest.join('.')} or newer is required.`);
  // Valkey calls it `server_mode`.
  const mode = read('(?:redis|server)_mode');
  if (mode === 'sentinel')
    throw new SettingsError(
      'REDIS_URL points to a Sentinel. Write redis-sentinel://HOST:PORT/0?master=NAME, or rediss-sentinel.',
    );
  if (mode === 'cluster' && !isClusterExpected)
    throw new SettingsError('REDIS_URL points to a node of Redis Cluster. Write redis-cluster:// or rediss-cluster://.');
  // Not a SettingsError: the replica may become the primary while the start waits.
  if (read('role') === 'slave') throw new Error('REDIS_URL points to a replica, which takes no writes.');
  const policy = read('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    log.warn(
      {
        policy,
        hint: 'Set maxmemory-policy to noeviction. Otherwise Redis may drop jobs, and their deliveries wait for the reconciler.',
      },
      'redis.may_evict',
    );
}
