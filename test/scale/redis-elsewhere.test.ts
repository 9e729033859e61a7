import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { type Certificate, certificateFor, startCluster, startRedis, startSentinels } from './private-services.ts';
import { clientOf, loseJobs, startSelling } from './selling.ts';
import { type Environment, installation, metricsOf, onScale, spawned } from './services.ts';

onScale('Redis behind Sentinel', () => {
  test('a failover to a replica that lacks jobs delays deliveries, and loses none', async () => {
    const primary = await startRedis();
    const { port } = new URL(primary.url);
    const replica = await startRedis({ settings: { replicaof: `127.0.0.1 ${port}` } });
    const copy = clientOf(replica);
    await eventually(async () => expect(await copy.info('replication')).toContain('master_link_status:up'));
    const url = await startSentinels(primary);
    const sentinel = clientOf({ url: url.replace(/^redis-sentinel(.*?),.*/, 'redis$1') });
    await eventually(async () => expect(await sentinel.call('sentinel', 'replicas', 'passerelle')).toHaveLength(1));
    await loseJobs(url, async (keys) => ({ primary, replica, keys }));
  });
});

/** The rights that the guide names, for a password. */
const rights = (password: string) => {
  const guide = readFileSync(join(root, 'docs/deploying/many-machines.md'), 'utf8');
  return /ACL SETUSER passerelle (.*)$/m.exec(guide)?.[1]?.replace('PASSWORD', password) ?? '';
};

onScale('Redis over TLS with a user of its own', () => {
  const places: Record<string, (certificate: Certificate) => Promise<string>> = {
    async 'a server'(certificate) {
      const { url } = await startRedis({ certificate, settings: { user: `passerelle ${rights('secret')}` } });
      return url.replace('redis://', 'rediss://passerelle:secret@');
    },
    async 'Sentinels with a login of their own'(certificate) {
      const redis = await startRedis({ certificate, settings: { user: `passerelle ${rights('secret')}` } });
      const settings = { requirepass: 'a+b' };
      const url = await startSentinels(redis, { certificate, settings });
      return `${url.replace('://', '://passerelle:secret@')}&sentinel_user=default&sentinel_password=a+b`;
    },
    async 'a cluster'(certificate) {
      const { url } = await startCluster({ certificate, settings: { user: `passerelle ${rights('secret')}` } });
      return url.replace('://', '://passerelle:secret@');
    },
  };

  test.each(Object.entries(places))('%s: the rights that the guide names are enough', async (_name, open) => {
    const certificate = await certificateFor('IP:127.0.0.1');
    const { first, sell, allDelivered } = await startSelling({
      REDIS_URL: await open(certificate),
      REDIS_PREFIX: 'passerelle',
      NODE_EXTRA_CA_CERTS: certificate.authority,
    });
    await sell(10);
    await allDelivered();
    expect(await metricsOf(first)).toContain('passerelle_limits_uncounted_total 0');
  });
});

onScale('a start with a REDIS_URL that leads elsewhere ends with one line', () => {
  const ends = async (REDIS_URL: string, more: Environment = {}) => {
    const { exited, output } = spawned(await installation({ REDIS_URL, ...more }));
    expect(await exited).toBe(2);
    return output().stderr.trim();
  };

  test('Sentinels that ask for another password', async () => {
    const url = await startSentinels(await startRedis(), { settings: { requirepass: 'secret' } });
    expect(await ends(url)).toMatch(/Redis or a Sentinel rejected the credentials in REDIS_URL: .*NOAUTH.*$/);
    expect(await ends(`${url}&sentinel_password=other`)).toMatch(/rejected the credentials in REDIS_URL: .*WRONGPASS.*$/);
  });

  test('Sentinels that are away, and some that know no primary of this name', async () => {
    const known = await startSentinels(await startRedis());
    const url = known.replace('://', '://127.0.0.1:1,').replace('=passerelle', '=other');
    const [, ...addresses] = url.match(/127[.\d]+:\d+/g) ?? [];
    expect(await ends(url, { START_WAIT_SECONDS: '0' })).toBe(
      `passerelle: Redis did not answer within 0 s (START_WAIT_SECONDS): No Sentinel leads to Redis. 127.0.0.1:1 does not answer; ${addresses.map((one) => `${one} knows no primary "other"`).join('; ')}.`,
    );
  });

  test('a node of a cluster, a server that is none, a cluster with another password', async () => {
    const { nodes } = await startCluster({ settings: { requirepass: 'secret', masterauth: 'secret' } });
    const [of = ''] = nodes.map(({ url }) => url.replace('redis://', ''));
    expect(await ends(`redis://:secret@${of}`)).toMatch(/points to a node of Redis Cluster. Write redis-cluster:\/\/ .*$/);
    expect(await ends(`redis-cluster://:other@${of}`)).toMatch(/rejected the credentials in REDIS_URL: .*WRONGPASS.*$/);
    const { url } = await startRedis();
    expect(await ends(url.replace('redis', 'redis-cluster'))).toMatch(/no node of a cluster. Write redis:\/\/ or rediss:\/\/\.$/);
  });
});
