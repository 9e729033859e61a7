import { test } from 'vitest';
import { checkEnd, randomFrom, sellWithoutPause, unreliableReceiver } from '../e2e/chaos.ts';
import { type Started, until } from '../e2e/process.ts';
import { startPostgres, startRedis } from './private-services.ts';
import { clientOf } from './selling.ts';
import { installation, onScale, openShop, operatorToken, register, start } from './services.ts';

const seeds = [33, 44, 55];

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

onScale('two gateways and two workers', () => {
  test.each(seeds)(
    'killed at random moments, Redis and PostgreSQL too, Redis’ keys wiped (seed %i): every acknowledged sale arrives',
    async (seed) => {
      const random = randomFrom(seed);
      const [postgres, redis] = [await startPostgres(), await startRedis({ kept: false })];
      const shared = await installation({
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        WEBHOOK_DEADLINE_MS: '500',
        WEBHOOK_RETRY_SECONDS: `0${',1'.repeat(29)}`,
        LOG_LEVEL: 'silent',
      });
      const gateways: Started[] = [await start(shared, 'api'), await start(shared, 'api')];
      const workers: Started[] = [await start(shared, 'worker'), await start(shared, 'worker')];
      const [first] = gateways as [Started];
      const receivers = [await unreliableReceiver(random), await unreliableReceiver(random)] as const;
      await register(first, receivers[0].url, { events: null });
      await register(first, receivers[1].url);
      const { account, product } = await openShop(first);

      let turn = 0;
      const sellers = sellWithoutPause(() => (gateways[turn++ % 2] as Started).call, account, [product]);
      const { acknowledged } = sellers;
      const moreSales = async (most: number) => {
        const enough = acknowledged.length + 1 + Math.floor(random() * most);
        await until(async () => acknowledged.length >= enough);
      };
      const replace = async (processes: Started[], role: 'api' | 'worker') => {
        const at = Math.floor(random() * processes.length);
        const doomed = processes[at] as Started;
        doomed.child.kill('SIGKILL');
        await doomed.exited;
        processes[at] = await start(shared, role);
      };
      const faults = {
        'a gateway': () => replace(gateways, 'api'),
        'a worker': () => replace(workers, 'worker'),
        'Redis’ keys': () => clientOf(redis).flushall(),
        async Redis() {
          await redis.kill();
          await moreSales(60);
          await redis.start();
        },
        async PostgreSQL() {
          await postgres.kill();
          await postgres.start();
        },
      };
      const order = shuffled(Object.entries(faults), random);
      for (const [, fault] of order) {
        await moreSales(80);
        await fault();
      }
      await moreSales(20);
      await sellers.stop();
      await checkEnd({
        what: `seed ${seed}: ${order.map(([name]) => name).join(', ')} killed`,
        gateway: gateways[0] as Started,
        operatorToken,
        receivers: [...receivers],
        acknowledged,
      });
    },
  );
});
