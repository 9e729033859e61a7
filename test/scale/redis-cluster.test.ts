import { Cluster, type Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { closeRedis, openCounters, prefixTogether } from '../../gateway/base/redis.ts';
import { shareCounters } from '../../gateway/http/limit/shared-counters.ts';
import { RedisGate } from '../../gateway/queue/gate/redis.ts';
import { RedisQueue } from '../../gateway/queue/redis.ts';
import { eventually } from '../eventually.ts';
import { listeningLog, queueConformance } from '../queue/conformance.ts';
import { gateConformance, leaseMs, shiftBack } from '../queue/gate-conformance.ts';
import { type Service, startCluster } from './private-services.ts';
import { clientOf, cutOff, loseJobs } from './selling.ts';
import { newName, onScale } from './services.ts';

const log = openLog('silent');

/** Returns the primary that has the keys of this prefix, and its replica, once both have some. */
async function whereIs(prefix: string, nodes: readonly Service[]) {
  const asked = nodes.map((node) => ({ ...node, client: clientOf(node) }));
  const roleOf = async (client: Redis) => /role:(\w+)/.exec(await client.info('replication'))?.[1];
  return eventually(async () => {
    const found = await Promise.all(
      asked.map(async ({ client, ...node }) => {
        const isPrimary = async () => (await roleOf(client)) === 'master';
        const hasKeys = (await client.keys(`{${prefix}}:*`)).length > 0;
        return { ...node, isPrimary, is: hasKeys && ((await isPrimary()) ? 'primary' : 'replica') };
      }),
    );
    const [primary, replica] = ['primary', 'replica'].map((role) => found.find(({ is }) => is === role));
    if (!primary || !replica) throw new Error(`No primary and replica have keys of ${prefix}.`);
    return { primary, replica };
  });
}

async function openTwo(url: string) {
  const both = await Promise.all([1, 2].map(() => openCounters(url, log)));
  onTestFinished(async () => void (await Promise.all(both.map(closeRedis))));
  return both as [Redis, Redis];
}

onScale('Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let client: Cluster;
  const ends: (() => void | Promise<void>)[] = [];
  beforeAll(async () => {
    cluster = await startCluster({ atEnd: (end) => void ends.push(end) });
    const [host = '', port] = new URL(cluster.nodes[0]?.url as string).host.split(':');
    client = new Cluster([{ host, port: Number(port) }]);
  });
  afterAll(async () => {
    client.disconnect();
    for (const end of ends.reverse()) await end();
  });

  describe('the queue', () =>
    queueConformance(async () => {
      const { url } = cluster;
      const { log, logged } = listeningLog();
      const queue = new RedisQueue({ url, prefix: prefixTogether(url, newName()), attemptDeadlineMs: 15_000, log });
      return { queue, logged, pass: async () => {} };
    }));

  describe('the gate', () =>
    gateConformance(async () => {
      const prefix = prefixTogether(cluster.url, newName());
      const advance = async (ms: number) => {
        for (const node of client.nodes('master')) await shiftBack(node, prefix, ms);
      };
      return { gate: new RedisGate({ redis: client, prefix, leaseMs, log }), advance };
    }));

  test('processes count calls together, on all primaries', async () => {
    const rule = { name: 'r', windowMs: 60_000, max: 5, per: 'address' } as const;
    const namespace = `${newName()}:`;
    const counts = (await openTwo(cluster.url)).map((redis) =>
      shareCounters({ redis, namespace, uncounted: (error) => expect.fail(String(error)) }),
    );
    for (const caller of Array.from({ length: 20 }, (_none, at) => `caller-${at}`)) {
      const call = (at: number) => counts[at % 2]?.({} as never, { ...rule, key: () => caller }, true);
      const states = await Promise.all(Array.from({ length: 8 }, (_none, at) => call(at)));
      expect(states.filter((state) => state?.exceeded)).toHaveLength(3);
    }
    const spread = await Promise.all(client.nodes('master').map(async (node) => (await node.keys(`${namespace}*`)).length));
    expect(Math.min(...spread)).toBeGreaterThan(0);
  });
});

onScale('a primary of Redis Cluster is killed, and its replica lacks the last writes', () => {
  test('jobs are queued again, and every sale is delivered', async () => {
    const { url, nodes } = await startCluster();
    await loseJobs(url, async (prefix) => ({ ...(await whereIs(prefix, nodes)), keys: prefixTogether(url, prefix) }));
  });

  test('strict attempts wait until the processes have registered their leases again; the queue tells of the loss', async () => {
    const { url, nodes } = await startCluster();
    const name = newName();
    const prefix = prefixTogether(url, name);
    const [one, other] = (await openTwo(url)).map((redis) => new RedisGate({ redis, prefix, leaseMs, log })) as [
      RedisGate,
      RedisGate,
    ];
    const queue = new RedisQueue({ url, prefix, attemptDeadlineMs: 15_000, log });
    onTestFinished(() => queue.close());
    const losses: unknown[] = [];
    queue.onBack((loss) => losses.push(loss));
    const strict = { endpointId: 'end_1', maxInFlight: 1, maxPerSecond: null, strict: true };
    const kindOf = async (gate: RedisGate, deliveryId: string) => (await gate.enter([{ ...strict, deliveryId }]))[0]?.kind;
    await other.enter([{ ...strict, endpointId: 'end_2', deliveryId: 'before' }]);
    await eventually(() => expect(losses).toEqual([{ emptied: true }]));
    const { primary, replica } = await whereIs(name, nodes);
    await cutOff({ primary: clientOf(primary), replica: clientOf(replica) });
    const [held] = await one.enter([{ ...strict, deliveryId: 'held' }]);
    await primary.kill();
    const answers: unknown[] = [];
    await eventually(async () => {
      answers.push(await kindOf(other, 'next'));
      expect(await one.inFlight(['end_1'])).toEqual([1]);
    });
    answers.push(await kindOf(other, 'next'));
    expect(new Set(answers)).toEqual(new Set(['full']));
    if (held?.kind === 'admitted') await one.leave([held.lease]);
    await eventually(async () => expect(await kindOf(other, 'next')).toBe('admitted'));
    await eventually(() => expect(losses).toEqual([{ emptied: true }, { emptied: false }]));
  });
});

onScale('a primary of Redis Cluster hangs', () => {
  test('calls do not wait for it, and are counted again once its replica has taken over', async () => {
    const { url, nodes } = await startCluster();
    const [counters] = await openTwo(url);
    const name = newName();
    const count = () => counters.incr(`{${name}}:calls`);
    expect(await count()).toBe(1);
    const { primary } = await whereIs(name, nodes);
    primary.hang();
    await expect(Promise.all([count(), count()])).rejects.toThrow();
    expect(await eventually(count)).toBeGreaterThan(1);
  });
});
