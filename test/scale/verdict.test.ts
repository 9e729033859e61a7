import { expect, test } from 'vitest';
import { verdictTexts } from '../../gateway/manage/figures/verdict.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { startPostgres, startRedis } from './private-services.ts';
import { installation, manage, onScale, openShop, register, start } from './services.ts';

onScale('the verdict of the overview', () => {
  test.each(['killed', 'hung'] as const)(
    'queue_down: Redis is %s, and the reply comes although it does not answer',
    async (how) => {
      const redis = await startRedis();
      const shared = await installation({ REDIS_URL: redis.url });
      const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
      const overview = async () => (await manage(api, 'GET', '/overview')).body.data;
      await eventually(async () => expect(await overview()).toMatchObject({ verdict: { state: 'ok' }, queue: {} }));
      await (how === 'killed' ? redis.kill() : redis.hang());
      await eventually(async () =>
        expect((await overview()).verdict).toMatchObject({
          state: 'error',
          text: verdictTexts.queue_down,
          problems: [{ case: 'queue_down' }],
        }),
      );
      await (how === 'killed' ? redis.start() : redis.resume());
      await eventually(async () => expect((await overview()).verdict).toMatchObject({ state: 'ok', problems: [] }));
    },
  );

  test.each(['killed', 'hung'] as const)('store_down: PostgreSQL is %s, and the overview gets 503', async (how) => {
    const postgres = await startPostgres();
    const shared = await installation({ DATABASE_URL: postgres.url });
    const api = await start(shared);
    await eventually(async () => expect((await manage(api, 'GET', '/overview')).body.data.verdict.state).toBe('ok'));
    await (how === 'killed' ? postgres.kill() : postgres.hang());
    await eventually(async () => expect((await manage(api, 'GET', '/overview')).status).toBe(503));
    await (how === 'killed' ? postgres.start() : postgres.resume());
    // The operator's own calls, which got 503, are none of the two APIs'.
    await eventually(async () =>
      expect((await manage(api, 'GET', '/overview')).body.data?.verdict).toMatchObject({ state: 'ok', problems: [] }),
    );
  });

  test('failing: the attempts of another process count within seconds', async () => {
    const shared = await installation({ WEBHOOK_RETRY_SECONDS: '0,3600' });
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const { url } = await receiver((response) => response.writeHead(500).end());
    const id = await register(api, url);
    const shop = await openShop(api);
    for (let sale = 0; sale < 3; sale++) await shop.sell(api);
    await eventually(async () =>
      expect((await manage(api, 'GET', '/overview')).body.data.verdict.problems).toMatchObject([
        { case: 'failing', endpoints: [{ id }], cause: { values: { failure: 500, failed: 3, attempts: 3 } }, owed: 3 },
      ]),
    );
  });
});
