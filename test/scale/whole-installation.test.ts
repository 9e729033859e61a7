import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { certificateFor, startNginx, startPgBouncer, startPostgres, startRedis, startSentinels } from './private-services.ts';
import {
  installation,
  ledgerOf,
  manage,
  metricsOf,
  onScale,
  openShop,
  register,
  saleReferences,
  sellMany,
  start,
} from './services.ts';

/** Two gateways and two workers behind nginx, PgBouncer and Sentinels, with the files of deploy/hosts. */
async function wholeInstallation() {
  const [postgres, redis, certificate] = await Promise.all([startPostgres(), startRedis(), certificateFor('DNS:localhost')]);
  const [pooler, REDIS_URL] = await Promise.all([startPgBouncer(postgres.url), startSentinels(redis)]);
  const shared = await installation({ DATABASE_URL: pooler.url, REDIS_URL, TRUST_PROXY: '127.0.0.1' });
  const [first, second] = await Promise.all([start(shared, 'api'), start(shared, 'api')]);
  await Promise.all([start(shared, 'worker'), start(shared, 'worker')]);
  const nginx = await startNginx([first.greeting.url, second.greeting.url], certificate);
  const dispatcher = new Agent({ connect: { ca: readFileSync(certificate.authority) } });
  onTestFinished(() => dispatcher.close());
  const call = async (
    method: string,
    path: string,
    { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Awaited<ReturnType<Started['call']>>> => {
    const reply = await request(`${nginx.url}${path}`, {
      dispatcher,
      method: method as 'GET',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await reply.body.text();
    return { status: reply.statusCode, headers: reply.headers, body: text.startsWith('{') ? JSON.parse(text) : text } as never;
  };
  return { shared, gateways: [first, second] as const, site: { call } as { call: typeof call } & Started };
}

onScale('nginx, PgBouncer and Sentinels before two gateways and two workers', () => {
  test('sell and deliver, know the caller, and go on when a gateway is restarted or killed', async () => {
    const { shared, gateways, site } = await wholeInstallation();
    const target = await receiver();
    await register(site, target.url);
    const shop = await openShop(site);
    expect(new Set(await sellMany(shop, [site], 20))).toEqual(new Set([201]));

    // A graceful stop, while calls come: no caller notices.
    const selling = sellMany(shop, [site], 60);
    gateways[0].child.kill('SIGTERM');
    expect(await gateways[0].exited).toBe(0);
    expect(new Set(await selling)).toEqual(new Set([201]));

    // When nginx has noticed its successor, the other one is killed, without calls.
    const third = await start({ ...shared, PORT: new URL(gateways[0].greeting.url).port }, 'api');
    let sold = 80;
    await eventually(async () => {
      expect((await shop.sell(site)).status).toBe(201);
      sold += 1;
      expect(await metricsOf(third)).toContain('passerelle_call_duration_seconds_count{api="pos"');
    });
    gateways[1].child.kill('SIGKILL');
    await gateways[1].exited;
    expect(new Set(await sellMany(shop, [site], 20))).toEqual(new Set([201]));

    const { delivered } = await eventually(async () => {
      const { deliveries } = await ledgerOf(third);
      expect(deliveries).toMatchObject({ pending: 0 });
      return deliveries;
    });
    expect([delivered, saleReferences(target.received).size]).toEqual([sold + 20, sold + 20]);
  });

  test('addresses that a caller makes up are ignored, bodies too large are refused as documented, and metrics stay inside', async () => {
    const { gateways, site } = await wholeInstallation();
    const forged = await site.call('GET', '/pos/api/v1/inventory?store_id=STORE-1', {
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    expect(forged.status).toBe(401);
    const calls = await eventually<unknown[]>(async () => {
      const { data } = (await manage(gateways[0], 'GET', '/calls?api=pos')).body;
      expect(data).toHaveLength(1);
      return data;
    });
    expect(JSON.stringify(calls)).not.toContain('203.0.113.9');
    expect(await site.call('GET', '/metrics')).toMatchObject({ status: 404 });
    const large = await site.call('POST', '/pos/api/auth', { body: { api_key: 'x'.repeat(600_000) } });
    expect(large).toMatchObject({ status: 413, body: { success: false } });
  });
});
