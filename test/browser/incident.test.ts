import { expect, test } from 'vitest';
import { until } from '../e2e/process.ts';
import { manage, openShop, operatorToken, register } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';

const sales = 12;

inBrowser('an incident, in the console alone', () => {
  test('an endpoint fails; the operator sees it, understands it, sees the fix work, recovers what failed, and the ledger balances', async () => {
    // A dead letter after the first attempt, so that the incident is short.
    const gateway = await emptyGateway({ WEBHOOK_RETRY_SECONDS: '0' });
    let broken = true;
    const healthy = await receiver();
    const failing = await receiver((response) => {
      if (broken) response.writeHead(500, { 'content-type': 'text/plain' }).end('the disk of the shop is full');
      else response.end('ok');
    });
    await register(gateway, healthy.url);
    const endpointId = await register(gateway, failing.url);
    const shop = await openShop(gateway);
    await Promise.all(Array.from({ length: sales }, () => shop.sell(gateway)));
    const ledger = async () => (await manage(gateway, 'GET', '/ledger')).body.data;
    await until(async () => (await ledger()).deliveries.failed === sales);

    // The overview says that something is wrong, where, and how much of it.
    const page = await visit(gateway, { credential: operatorToken });
    const host = new URL(failing.url).host;
    const verdict = page.getByRole('status').filter({ hasText: host });
    await verdict.waitFor();
    await page.getByText(`${sales} deliveries of the last hour failed for good`).click();

    // The list behind it, in an address that can be shared.
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    const rows = page.getByRole('row').filter({ hasText: 'sale.completed' });
    await expect.poll(() => rows.count()).toBe(sales);

    // One delivery: what went wrong, the receiver's own words, and what to do.
    await rows.first().getByRole('link').first().click();
    await page.getByText('the disk of the shop is full').first().waitFor();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    expect(await page.getByText('webhook-signature').count()).toBeGreaterThan(0);

    // The shop mends its disk; a test event shows that it did.
    broken = false;
    await page.goto(`${gateway.greeting.url}/console/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Send test event' }).first().click();
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('It arrived').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    // All that failed is counted, then sent again, and watched until the last one is there.
    await page.getByRole('button', { name: 'Recover failed' }).first().click();
    await page.getByRole('button', { name: `Send ${sales} deliveries again` }).click();
    await page.getByText('all of them were delivered').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const ids = new Set(healthy.received.map(({ headers }) => headers['webhook-id']));
    const recovered = new Set(failing.received.slice(-sales).map(({ headers }) => headers['webhook-id']));
    expect(recovered).toEqual(ids);

    // Nothing is missing, and the overview says so.
    await page.getByText('The ledger balances').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText(/^All is well/).waitFor();
    expect(await ledger()).toMatchObject({ unaccounted: 0, deliveries: { delivered: 2 * sales + 1, failed: 0, pending: 0 } });
  });
});
