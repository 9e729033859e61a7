import { expect, test } from 'vitest';
import { until } from '../e2e/process.ts';
import { manage, openShop, operatorToken, register } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';

const sales = 12;

inBrowser('an incident, handled in the console alone', () => {
  test('an endpoint fails: the operator finds the cause, tests the fix, recovers the dead letters, and the ledger balances', async () => {
    // One failed attempt makes a dead letter, to keep the test short.
    const gateway = await emptyGateway({ WEBHOOK_RETRY_SECONDS: '0' });
    let broken = true;
    const healthy = await receiver();
    const failing = await receiver((response) => {
      if (broken) response.writeHead(500, { 'content-type': 'text/plain' }).end('the disk of the shop is full');
      else response.end('ok');
    });
    await register(gateway, healthy.url);
    const endpointId = await register(gateway, failing.url);
    // The operator decides what is sent again.
    await manage(gateway, 'PATCH', `/endpoints/${endpointId}`, { auto_recovery: false });
    const shop = await openShop(gateway);
    await Promise.all(Array.from({ length: sales }, () => shop.sell(gateway)));
    const ledger = async () => (await manage(gateway, 'GET', '/ledger')).body.data;
    await until(async () => (await ledger()).deliveries.failed === sales);

    // The overview says which endpoint fails and how many deliveries failed.
    const page = await visit(gateway, { credential: operatorToken });
    const host = new URL(failing.url).host;
    const verdict = page.getByRole('status').filter({ hasText: host });
    await verdict.waitFor();
    await page.getByText(`${sales} deliveries failed permanently in the last hour`).click();

    // The link opens the list, with its filter in the address.
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    const rows = page.getByRole('row').filter({ hasText: 'sale.completed' });
    await expect.poll(() => rows.count()).toBe(sales);

    // One delivery shows the receiver's own response.
    await rows.first().getByRole('link').first().click();
    await page.getByText('the disk of the shop is full').first().waitFor();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    expect(await page.getByText('webhook-signature').count()).toBeGreaterThan(0);

    // The receiver is fixed, and a test event confirms it.
    broken = false;
    await page.goto(`${gateway.greeting.url}/console/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Send test event' }).first().click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Test event delivered').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    // The recovery counts the dead letters first, then sends them and shows when all are delivered.
    await page.getByRole('button', { name: 'Retry now' }).first().click();
    await page.getByRole('button', { name: `Retry ${sales} deliveries now` }).click();
    await page.getByText('all were delivered').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const ids = new Set(healthy.received.map(({ headers }) => headers['webhook-id']));
    const recovered = new Set(failing.received.slice(-sales).map(({ headers }) => headers['webhook-id']));
    expect(recovered).toEqual(ids);

    // Nothing is missing, and the overview is well again.
    await page.getByText('The ledger balances').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText(/^All is well/).waitFor();
    expect(await ledger()).toMatchObject({ unaccounted: 0, deliveries: { delivered: 2 * sales + 1, failed: 0, pending: 0 } });
  });
});
