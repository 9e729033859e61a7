import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { checkEnd, sellWithoutPause, unreliableReceiver } from '../e2e/chaos.ts';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { type Fault, type Network, networkTo } from './network.ts';
import { type Service, startPostgres, startRedis } from './private-services.ts';
import { clientOf } from './selling.ts';
import {
  connected,
  type Environment,
  installation,
  ledgerOf,
  onScale,
  openShop,
  operatorToken,
  register,
  shortDeadline,
  start,
} from './services.ts';

interface Weather {
  /** Begins it, and returns what ends it. */
  begin(server: Service, network: Network): Promise<() => unknown>;
  /** Calls that need the service get 503 meanwhile. */
  breaks?: true;
  /** What `/readyz` says of the service meanwhile; undefined if it may say that all is well. */
  says?: RegExp;
}

const suffers =
  (fault: Fault): Weather['begin'] =>
  async (_server, network) => {
    network.suffers(fault);
    return () => network.suffers({});
  };

const noAnswer = /timeout|not answer|no answer/i;
const isAway = /ECONN|terminat|not answer|away|closed/i;

const ofBoth: Record<string, Weather> = {
  'every message is late': { begin: suffers({ requests: { delayMs: 20 }, answers: { delayMs: 20 } }) },
  'half open': { begin: suffers({ requests: { held: true }, answers: { held: true } }), breaks: true, says: noAnswer },
  'answers are cut off': { begin: suffers({ answers: { held: true } }), breaks: true, says: noAnswer },
  'reset in the middle of a statement': { begin: suffers({ requests: { resetAfterBytes: 5000 } }), breaks: true },
  'reset in the middle of an answer': { begin: suffers({ answers: { resetAfterBytes: 3000 } }), breaks: true },
  'it is killed': {
    breaks: true,
    says: isAway,
    async begin(server) {
      await server.kill();
      return server.start;
    },
  },
};

const folderOf = async (redis: Redis) => ((await redis.config('GET', 'dir')) as string[])[1] ?? '';

const ofRedis: Record<string, Weather> = {
  'it is killed, and back empty': {
    says: isAway,
    async begin(server) {
      const folder = await folderOf(clientOf(server));
      await server.kill();
      rmSync(join(folder, 'appendonlydir'), { recursive: true });
      return server.start;
    },
  },
  'it is at maxmemory': {
    says: /OOM/,
    async begin({ url }) {
      const redis = clientOf({ url });
      await redis.config('SET', 'maxmemory', '1');
      return () => redis.config('SET', 'maxmemory', '0');
    },
  },
  'it cannot save its data': {
    says: /MISCONF/,
    async begin({ url }) {
      const redis = clientOf({ url });
      const obstacle = join(await folderOf(redis), 'dump.rdb');
      const saved = async (state: string) => {
        await redis.bgsave('SCHEDULE');
        await eventually(async () => expect(await redis.info('persistence')).toContain(`rdb_last_bgsave_status:${state}`));
      };
      await redis.config('SET', 'save', '3600 1');
      mkdirSync(obstacle);
      await saved('err');
      return async () => {
        rmdirSync(obstacle);
        await saved('ok');
      };
    },
  },
  'it is a replica, and the address leads to the new primary later': {
    says: /READONLY|away|closed/,
    async begin({ url }, network) {
      const [old, other] = [new URL(url), await startRedis()];
      const promoted = clientOf(other);
      await promoted.replicaof(old.hostname, old.port);
      await eventually(async () => expect(await promoted.info('replication')).toContain('master_link_status:up'));
      await clientOf({ url }).replicaof(old.hostname, new URL(other.url).port);
      await promoted.call('replicaof', 'no', 'one');
      return () => network.leadsTo(other.url);
    },
  },
};

const services = {
  PostgreSQL: { startIt: startPostgres, setting: 'DATABASE_URL', weather: ofBoth, isNeeded: true, settings: shortDeadline },
  Redis: {
    startIt: startRedis,
    setting: 'REDIS_URL',
    weather: { ...ofBoth, ...ofRedis },
    isNeeded: false,
    // No round of the reconciler helps.
    settings: { ...shortDeadline, RECONCILE_SECONDS: '3600' },
  },
} as const;

const readyz = async ({ greeting }: Started) => (await fetch(`${greeting.url}/readyz`)).text();

/** Every attempt is recorded, and every sale is in the store once: with its stock, and with its event. */
async function checkRows(shared: Environment, received: number): Promise<void> {
  const { rows } = await (await connected(shared)).query(`
    select (select count(*)::int from passerelle.attempts) as attempts,
      ((select 1000000 - quantity from passerelle.stock) - (select count(*) from passerelle.sales))::int as unpaid,
      (select count(*)::int from passerelle.sales) -
        (select count(distinct body::json -> 'data' ->> 'id')::int from passerelle.events where type = 'sale.completed') as unknown`);
  expect(rows).toEqual([{ attempts: received, unpaid: 0, unknown: 0 }]);
}

onScale('bad weather', () => {
  test.each(['PostgreSQL', 'Redis'] as const)(
    'between the processes and %s: what was acknowledged is delivered, and every attempt is recorded',
    async (service) => {
      const { startIt, setting, weather, isNeeded, settings } = services[service];
      const server = await startIt();
      const network = await networkTo(server.url);
      const shared = await installation({ ...settings, [setting]: network.url });
      const [api, worker] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
      const target = await unreliableReceiver(() => 1);
      await register(api, target.url, { events: null });
      const { account, product } = await openShop(api);
      const acknowledged: Parameters<typeof checkEnd>[0]['acknowledged'][number][] = [];

      for (const [name, { begin, breaks, says }] of Object.entries(weather)) {
        const statuses: number[] = [];
        const call: Started['call'] = async (...sale) => {
          const reply = await api.call(...sale);
          statuses.push(reply.status);
          return reply;
        };
        const sellers = sellWithoutPause(() => call, account, [product]);
        const count = (status: number) => statuses.filter((one) => one === status).length;
        const more = async (status: number, some: number) => {
          const before = count(status);
          await eventually(() => expect(count(status), name).toBeGreaterThanOrEqual(before + some));
        };
        await more(200, 4);
        await more(201, 10);
        const end = await begin(server, network);
        await more(isNeeded && breaks ? 503 : 201, 4);
        if (says) for (const one of [api, worker]) await eventually(async () => expect(await readyz(one), name).toMatch(says));
        await end();
        await more(201, 10);
        await sellers.stop();
        expect(
          statuses.filter((one) => ![200, 201, ...(isNeeded ? [503] : [])].includes(one)),
          name,
        ).toEqual([]);
        for (const one of [api, worker]) await eventually(async () => expect(await readyz(one), name).toBe('{"status":"ready"}'));
        acknowledged.push(...sellers.acknowledged);
        await eventually(async () => expect((await ledgerOf(api)).deliveries, name).toMatchObject({ pending: 0 }));
        process.stdout.write(`${service}, ${name}: ${count(201)} sold, ${count(503)} refused\n`);
      }
      await checkEnd({ what: `weather of ${service}`, gateway: api, operatorToken, receivers: [target], acknowledged });
      await checkRows(shared, target.history.length);
    },
  );
});
