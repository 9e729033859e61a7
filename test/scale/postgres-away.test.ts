import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { allPages } from '../e2e/operator-walk.ts';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { listeningLog } from '../queue/conformance.ts';
import { proxyTo } from './network.ts';
import { startPostgres } from './private-services.ts';
import { installation, manage, onScale, openShop, type Shop, start } from './services.ts';

/** Sells without a pause until stopped. Every reply must be 201, or 503 with Retry-After: 30 if PostgreSQL itself ended a query. */
function keepSelling(shop: Shop, gateway: Started) {
  const sold: string[] = [];
  let refused = 0;
  const surprises: unknown[] = [];
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      const { status, headers, body } = await shop.sell(gateway);
      if (status === 201) sold.push(body.data.reference);
      else if (status === 503 && ['5', '30'].includes(headers.get('retry-after') ?? '')) refused++;
      else surprises.push({ status, body });
    }
  };
  const running = Promise.all([run(), run(), run(), run()]);
  const stop = async () => {
    stopped = true;
    await running;
    expect(surprises).toEqual([]);
  };
  return { sold, refused: () => refused, surprises, stop };
}

onScale('PostgreSQL is away', () => {
  test('a pooler that starts again within a second refuses no call', async () => {
    const postgres = await startPostgres();
    let [refuses, refused] = [0, 0];
    const sockets = new Set<Socket>();
    const url = await proxyTo(
      () => postgres.url,
      (client, server) => {
        sockets.add(client);
        if (refuses === 0) return void client.pipe(server).pipe(client);
        refuses--;
        refused++;
        client.destroy();
        server.destroy();
      },
    );
    const { log, logged } = listeningLog('debug');
    const store = await openPostgres({ url, connections: 2, log });
    onTestFinished(() => store.close());
    refuses = 3;
    for (const socket of sockets) socket.destroy();
    await eventually(() => expect(logged).toContain('database.connection_lost'));
    expect(await store.transaction((tx) => tx.list('facts'))).toEqual([]);
    expect(refused).toBe(3);
  });

  test('a transaction that a hanging database interrupts leaves nothing half done', async () => {
    const postgres = await startPostgres();
    const shared = await installation({ DATABASE_URL: postgres.url });
    const api = await start(shared, 'api');
    const shop = await openShop(api);
    await shop.sell(api);
    const selling = keepSelling(shop, api);
    for (let round = 0; round < 2; round++) {
      const [sold, refused] = [selling.sold.length, selling.refused()];
      await eventually(() => expect(selling.sold.length).toBeGreaterThan(sold + 5));
      postgres.hang();
      await eventually(() => expect(selling.refused()).toBeGreaterThan(refused));
      postgres.resume();
    }
    await selling.stop();
    await eventually(async () => expect((await shop.sell(api)).status).toBe(201));
    // Each sale took one from the stock and stored one event, or changed nothing. A server that hung may end one only now.
    await eventually(async () => {
      const stored = (await allPages(async (path) => (await manage(api, 'GET', path)).body, '/pos/sales?')).length;
      const { stock } = (await manage(api, 'GET', '/pos/stores/STORE-1')).body.data;
      expect(stock).toMatchObject([{ quantity: 1_000_000 - stored }]);
      const events = await manage(api, 'GET', '/events?type=sale.completed&limit=100');
      expect(Math.min(100, stored)).toBe(events.body.data.length);
    });
  });
});
