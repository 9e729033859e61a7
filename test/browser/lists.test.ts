import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Served, until } from '../e2e/process.ts';
import { manage, openShop, operatorToken, register } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';

const sales = 3;
const longPath = 'hook/'.repeat(380);

/** A gateway with three failed sales of a store, and an endpoint with a URL of two kilobytes. */
async function gatewayWithSales() {
  const gateway = await emptyGateway({ WEBHOOK_RETRY_SECONDS: '0' });
  const failing = await receiver((response) => response.writeHead(500).end('the disk is full'));
  const endpointId = await register(gateway, `${failing.url}${longPath}`);
  const shop = await openShop(gateway);
  for (let sale = 0; sale < sales; sale++) await shop.sell(gateway);
  await until(async () => (await manage(gateway, 'GET', '/deliveries?status=failed')).body.data.length === sales);
  return { gateway, endpointId };
}

const open = async (page: Page, gateway: Served, path: string) => {
  await page.goto(`${gateway.greeting.url}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

inBrowser('lists', () => {
  test('the keyboard reaches the rows in three steps, and u switches all times to UTC and back', async () => {
    const { gateway } = await gatewayWithSales();
    const page = await visit(gateway, { path: '/deliveries', credential: operatorToken, timezoneId: 'Asia/Tokyo' });
    await open(page, gateway, '/deliveries');
    const time = page.getByRole('row').nth(1).locator('time').first();
    await time.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toMatch(/\/deliveries\/dlv_/);
    await expect.poll(() => time.textContent()).toMatch(/GMT\+9$/);
    await page.keyboard.press('u');
    await expect.poll(() => time.textContent()).toMatch(/UTC$/);
    await page.reload();
    await expect.poll(() => time.textContent()).toMatch(/UTC$/);
    await page.getByRole('button', { name: /^All times are in UTC/ }).click();
    await expect.poll(() => time.textContent()).toMatch(/GMT\+9$/);
  });

  test('a phone shows the same facts and actions, and a URL of two kilobytes takes two lines until it is asked for', async () => {
    const { gateway, endpointId } = await gatewayWithSales();
    const page = await visit(gateway, { credential: operatorToken, viewport: { width: 390, height: 844 } });
    await open(page, gateway, '/deliveries');
    const card = page.getByRole('list', { name: 'Deliveries, newest first' }).getByRole('listitem').first();
    for (const fact of ['failed', 'sale.completed', 'Shop', '127.0.0.1', '500', 'Attempts'])
      await card.getByText(fact).first().waitFor();
    for (const name of ['Retry these now', 'Export']) await page.getByRole('button', { name }).waitFor();
    await open(page, gateway, `/endpoints/${endpointId}`);
    const heading = page.getByRole('heading', { level: 1 });
    const height = async () => (await heading.boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(100);
    await page.getByRole('button', { name: 'Show all', exact: true }).first().click();
    expect(await height()).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'Show less', exact: true }).first().click();
    await expect.poll(height).toBeLessThan(100);
  });
});
