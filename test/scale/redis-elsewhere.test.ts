import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { certificateFor, type Service, startRedis, startSentinels } from './private-services.ts';
import { type Environment, manage, onScale, saleReferences, sellMany, startTwo } from './services.ts';

const clientOf = ({ url }: Pick<Service, 'url'>): Redis => {
  const client = new Redis(url);
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  return client;
};

async function startWith(given: Environment) {
  const { gateways, first, target, shop } = await startTwo(given, 'pro');
  let sold = 0;
  const sell = async (count: number) => {
    expect(new Set(await sellMany(shop, gateways, count))).toEqual(new Set([201]));
    sold += count;
  };
  const allDelivered = () =>
    eventually(async () => {
      const { delivered, pending } = (await manage(first, 'GET', '/ledger')).body.data.deliveries;
      expect([delivered, pending, saleReferences(target.received).size]).toEqual([sold, 0, sold]);
    });
  const metrics = async () => (await fetch(`${first.greeting.url}/metrics`)).text();
  return { sell, allDelivered, metrics };
}

onScale('Redis behind Sentinel', () => {
  test('a failover to a replica that lacks jobs delays deliveries, and loses none', async () => {
    const primary = await startRedis();
    const { port } = new URL(primary.url);
    const replica = await startRedis({ settings: { replicaof: `127.0.0.1 ${port}` } });
    const of = { primary: clientOf(primary), replica: clientOf(replica) };
    await eventually(async () => expect(await of.replica.info('replication')).toContain('master_link_status:up'));
    const url = await startSentinels(primary);
    const sentinel = clientOf({ url: url.replace(/^redis-sentinel(.*?),.*/, 'redis$1') });
    await eventually(async () => expect(await sentinel.call('sentinel', 'replicas', 'mymaster')).toHaveLength(1));
    const { sell, allDelivered } = await startWith({ REDIS_URL: url });
    await sell(20);
    await allDelivered();
    // From here on the replica gets nothing more.
    replica.hang();
    const selling = sell(40);
    await primary.kill();
    replica.resume();
    await selling;
    await eventually(async () => expect(await of.replica.info('replication')).toContain('role:master'));
    await sell(20);
    await allDelivered();
  });
});

onScale('Redis over TLS with a user of its own', () => {
  test('the rights that the guide names are enough', async () => {
    const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
    const rights = /ACL SETUSER passerelle (.*)$/m.exec(guide)?.[1]?.replace('PASSWORD', 'secret') ?? '';
    const certificate = await certificateFor('IP:127.0.0.1');
    const redis = await startRedis({ certificate, settings: { user: `passerelle ${rights}` } });
    const { sell, allDelivered, metrics } = await startWith({
      REDIS_URL: redis.url.replace('redis://', 'rediss://passerelle:secret@'),
      REDIS_PREFIX: 'passerelle',
      NODE_EXTRA_CA_CERTS: certificate.authority,
    });
    await sell(10);
    await allDelivered();
    expect(await metrics()).toContain('passerelle_limits_uncounted_total 0');
  });
});
