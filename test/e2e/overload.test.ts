import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { manage, openShop, operatorToken } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { newDataDir, startProcess } from './process.ts';

const sales = 150;

test('deliveries go on while many calls wait for the embedded database', async () => {
  const settings = { DATA_DIR: newDataDir(), DEMO: 'off', OPERATOR_TOKEN: operatorToken, WEBHOOK_LOOPBACK: 'on' };
  const gateway = await startProcess(settings);
  const shop = await openShop(gateway);
  let sold = 0;
  /** How many sales were acknowledged when each webhook arrived. */
  const soldBefore: number[] = [];
  const { url } = await receiver((response) => {
    soldBefore.push(sold);
    response.end();
  });
  await manage(gateway, 'POST', '/endpoints', { service: 'pos', url, events: ['sale.completed'] });
  const selling = Array.from({ length: sales }, async () => {
    expect((await shop.sell(gateway)).status).toBe(201);
    sold += 1;
  });
  await Promise.all(selling);
  await eventually(() => expect(soldBefore).toHaveLength(sales));
  expect(soldBefore[0]).toBeLessThan(sales / 2);
  expect(soldBefore.filter((before) => before < sales).length).toBeGreaterThan(sales / 4);
});
