import { expect, test } from 'vitest';
import { manage, operatorToken, register } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';

inBrowser('names of endpoints', () => {
  test('lists show endpoints by URL, even old ones, without a request for their names', async () => {
    const gateway = await emptyGateway();
    const { url } = await receiver();
    const old = await Promise.all([1, 2, 3].map((number) => register(gateway, `${url}old/${number}`, ['sync.completed'])));
    await Promise.all(Array.from({ length: 101 }, (_, number) => register(gateway, `${url}new/${number}`, ['inventory.low'])));
    for (const id of old)
      expect((await manage(gateway, 'POST', `/endpoints/${id}/test`, { event_type: 'sync.completed' })).status).toBe(201);

    const page = await visit(gateway, { path: `/deliveries?endpoint_id=${old[0]}`, credential: operatorToken });
    const named = (number: number) => page.getByRole('cell').filter({ hasText: `old/${number}` });
    await named(1).waitFor();
    // The name of the chosen one is read beside the list, and may come after it.
    await page
      .getByLabel('Endpoint', { exact: true })
      .locator('option:checked', { hasText: 'old/1' })
      .waitFor({ state: 'attached' });

    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/endpoints?ids=')) asked.push(request.url());
    });
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    for (const number of [1, 2, 3]) await named(number).waitFor();
    expect(asked).toEqual([]);
  });
});
