import { expect, test } from 'vitest';
import { manage, openShop, operatorToken } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { newDataDir, startProcess } from './process.ts';

const waiting = 100;
const awaited = 50;

test('deliveries go on while many calls wait for the embedded database', async () => {
  const settings = { DATA_DIR: newDataDir(), DEMO: 'off', OPERATOR_TOKEN: operatorToken, WEBHOOK_LOOPBACK: 'on' };
  const gateway = await startProcess(settings);
  const shop = await openShop(gateway);
  const { url, received } = await receiver();
  await manage(gateway, 'POST', '/endpoints', { service: 'pos', url, events: ['sale.completed'] });
  // Calls wait all the time: each is followed by another one until webhooks have arrived.
  const selling = Array.from({ length: waiting }, async () => {
    while (received.length < awaited) expect((await shop.sell(gateway)).status).toBe(201);
  });
  await Promise.all(selling);
});
