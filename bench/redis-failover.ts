/** `bash .ci/scale -- node bench/redis-failover.ts`: see `help`. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { prefixTogether } from '../gateway/base/redis.ts';
import { type AtEnd, startProcess, until } from '../test/e2e/process.ts';
import { readOptions, wholeNumber } from '../test/options.ts';
import { type Service, startCluster, startRedis, startSentinels } from '../test/scale/private-services.ts';
import { createDatabase, manage, newName, openShop, operatorToken, register } from '../test/scale/services.ts';

const help = `node bench/redis-failover.ts kills a primary of Redis whose replica lacks the jobs of ten deliveries, and says when their attempts come. Five are
retries that are due after 1 s, before the replica takes over, five are due 20 s later. Default settings; two processes; Sentinels and cluster nodes
call a server away after one second.`;
const values = readOptions(help, { runs: { type: 'string' } });
const runs = wholeNumber('runs', values.runs, 5);
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Pair {
  url: string;
  primary: Service;
  replica: Service;
}

/** Each returns the primary that has the keys, once the installation has begun. */
const places: Record<string, (atEnd: AtEnd) => Promise<{ url: string; find(keys: string): Promise<Pair> }>> = {
  async Sentinel(atEnd) {
    const primary = await startRedis({ atEnd });
    const replica = await startRedis({ atEnd, settings: { replicaof: `127.0.0.1 ${new URL(primary.url).port}` } });
    await until(async () => (await ask(replica, 'info', 'replication')).includes('master_link_status:up'));
    const url = await startSentinels(primary, { atEnd, settings: { 'sentinel down-after-milliseconds passerelle': '1000' } });
    return { url, find: async () => ({ url, primary, replica }) };
  },
  async Cluster(atEnd) {
    const { url, nodes } = await startCluster({ atEnd, settings: { 'cluster-node-timeout': '1000' } });
    const find = async (keys: string) => {
      const found: Partial<Pair> = { url };
      for (const node of nodes)
        if ((await ask(node, 'keys', `${keys}:*`)) !== '')
          found[(await ask(node, 'info', 'replication')).includes('role:master') ? 'primary' : 'replica'] = node;
      return found as Pair;
    };
    return { url, find };
  },
};

/** Sends one command on a connection of its own. */
async function ask({ url }: Service, command: string, ...args: string[]): Promise<string> {
  const client = new Redis(url, { retryStrategy: null });
  client.on('error', () => {});
  return String(await client.call(command, args).finally(() => client.disconnect()));
}

/** A receiver that refuses attempts until `accept` is called, and says when each delivery's last attempt came. */
async function startReceiver(headers: Record<string, string>, atEnd: AtEnd) {
  const arrivedAt = new Map<string, number>();
  let refuses = true;
  const server = createServer((request, response) => {
    arrivedAt.set(request.url as string, Date.now());
    request.resume().on('end', () => response.writeHead(refuses ? 503 : 200, refuses ? headers : {}).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.closeAllConnections());
  atEnd(() => void server.close());
  const accept = () => {
    refuses = false;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrivedAt, accept };
}

interface Waiting {
  endpoint_id: string;
  attempts: number;
  next_attempt_at: string;
}

async function run(open: (typeof places)[string], atEnd: AtEnd) {
  const { url, find } = await open(atEnd);
  const database = await createDatabase();
  atEnd(database.drop);
  const settings = {
    DATABASE_URL: database.url,
    REDIS_URL: url,
    REDIS_PREFIX: newName(),
    SECRET_KEY: randomBytes(32).toString('hex'),
    OPERATOR_TOKEN: operatorToken,
    WEBHOOK_LOOPBACK: 'on',
    WEBHOOK_RETRY_SECONDS: '0,1,1,1,1,1,1,1,1,1',
    LOG_LEVEL: 'silent',
  };
  const processes = await Promise.all([1, 2].map(() => startProcess(settings, ['--json'], atEnd)));
  const [gateway] = processes as [(typeof processes)[number]];
  const receivers = [await startReceiver({}, atEnd), await startReceiver({ 'retry-after': '20' }, atEnd)] as const;
  // An endpoint that fails often waits for its receiver, so each has one delivery.
  const targets = new Map<string, () => number>();
  for (let endpoint = 0; endpoint < 10; endpoint++) {
    const { url, arrivedAt } = receivers[endpoint % 2] as (typeof receivers)[number];
    targets.set(await register(gateway, `${url}/${endpoint}`), () => arrivedAt.get(`/${endpoint}`) as number);
  }
  const shop = await openShop(gateway);
  const { primary, replica } = await until(async () => {
    const found = await find(prefixTogether(url, settings.REDIS_PREFIX));
    return found.primary && found.replica && found;
  });
  // The primary has no password, and refuses this one: the replica gets nothing more.
  await ask(replica, 'config', 'set', 'masterauth', 'wrong');
  await ask(primary, 'client', 'kill', 'type', 'replica');
  await until(async () => (await ask(replica, 'info', 'replication')).includes('master_link_status:down'));
  await shop.sell(gateway);
  const waiting = await until(async () => {
    const data: Waiting[] = (await manage(gateway, 'GET', '/deliveries?status=pending')).body.data;
    return data.length === 10 && data.every(({ attempts }) => attempts > 0) && data;
  });
  await primary.kill();
  for (const { accept } of receivers) accept();
  await until(async () => (await ask(replica, 'info', 'replication').catch(() => '')).includes('role:master'));
  const takenOverAt = Date.now();
  await until(async () => (await manage(gateway, 'GET', '/ledger')).body.data.deliveries.delivered === 10);
  const dueAt = (one: Waiting) => Date.parse(one.next_attempt_at);
  const late = (from: (one: Waiting) => number, of: Waiting[]) =>
    Math.max(...of.map((one) => (targets.get(one.endpoint_id)?.() ?? 0) - from(one))) / 1000;
  const [early, later] = [(one: Waiting) => dueAt(one) <= takenOverAt, (one: Waiting) => dueAt(one) > takenOverAt];
  return { early: late(() => takenOverAt, waiting.filter(early)), late: late(dueAt, waiting.filter(later)) };
}

for (const [place, open] of Object.entries(places)) {
  const found: Awaited<ReturnType<typeof run>>[] = [];
  while (found.length < runs) {
    const endings: (() => void | Promise<void>)[] = [];
    found.push(await run(open, (work) => void endings.unshift(work)));
    for (const end of endings) await end();
  }
  const told = (of: 'early' | 'late') => found.map((one) => one[of].toFixed(1)).join(', ');
  print(`${place}: what was due before the replica took over was attempted after ${told('early')} s,`);
  print(`  what was due later ${told('late')} s after it was due.`);
}
