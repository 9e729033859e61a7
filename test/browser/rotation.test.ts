import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { until } from '../e2e/process.ts';
import { manage, openShop, operatorToken } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, operator, visit } from './console.ts';

const hmac = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

inBrowser('a rotation, made in the console', () => {
  test('under sales, a receiver that checks only the documented header rejects nothing before, during and after', async () => {
    const gateway = await emptyGateway();
    const known: string[] = [];
    let rejected = 0;
    const { url, received } = await receiver((response, { headers, body }) => {
      const genuine = known.some((secret) => hmac(secret, body) === headers['x-service-signature']);
      if (!genuine) rejected += 1;
      response.writeHead(genuine ? 204 : 401).end();
    });
    const made = (await manage(gateway, 'POST', '/endpoints', { service: 'pos', url, events: ['sale.completed'] })).body.data;
    known.push(made.secret);
    const shop = await openShop(gateway);
    let selling = true;
    let sold = 0;
    const sales = (async () => {
      for (; selling; sold += 1) await shop.sell(gateway);
    })();
    const arrived = () => {
      const before = sold;
      return until(async () => received.length > before + 5);
    };
    await arrived();

    const page = await visit(gateway, { credential: operatorToken });
    const { click, clicks } = operator();
    await click(page.getByRole('link', { name: 'Endpoints', exact: true }));
    await click(
      page
        .getByRole('row')
        .filter({ hasText: new URL(url).host })
        .getByRole('link')
        .first(),
    );
    await click(page.getByRole('button', { name: 'More', exact: true }));
    await click(page.getByRole('menuitem', { name: 'Rotate secret', exact: true }));
    await click(page.getByRole('button', { name: 'Create new secret', exact: true }));
    const secret = await page.locator('[data-secret]').textContent();
    await arrived();

    // Neither Escape nor a click outside closes the dialog while it shows the secret.
    const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret' });
    await page.keyboard.press('Escape');
    await dialog.getByText('Have you copied the secret?').waitFor();
    await dialog.getByRole('button', { name: 'Show it', exact: true }).click();
    await page.mouse.click(5, 5);
    await dialog.getByText('Have you copied the secret?').waitFor();
    expect(await page.locator('[data-secret]').textContent()).toBe(secret);
    await dialog.getByRole('cell', { name: /once it is confirmed/ }).waitFor();
    await click(dialog.getByRole('button', { name: 'I have copied it', exact: true }));
    await dialog.waitFor({ state: 'hidden' });

    // The receiver gets the new secret; a test that only the new secret signs proves it.
    known.push(String(secret));
    await click(page.getByRole('button', { name: 'Test the new secret', exact: true }));
    await click(page.getByRole('button', { name: 'Send', exact: true }));
    await page.getByText('The receiver accepted the new secret').waitFor();
    await page.getByText('The new secret is not confirmed yet').waitFor({ state: 'hidden' });
    await until(async () => {
      const last = received.at(-1);
      return last !== undefined && hmac(String(secret), last.body) === last.headers['x-service-signature'];
    });
    await arrived();
    selling = false;
    await sales;
    await until(async () => (await manage(gateway, 'GET', '/ledger')).body.data.deliveries.delivered === sold + 1);
    expect([rejected, clicks()]).toEqual([0, 8]);
  });
});
