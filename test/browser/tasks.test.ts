import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../e2e/process.ts';
import { manage, openShop, operatorToken, register, saleReferences, untilRecorded } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, operator, visit } from './console.ts';

inBrowser('the tasks of an operator, from the overview', () => {
  test('an outage is named at the next readings, understood in one click, and one button recovers everything', async () => {
    // After ten minutes of an outage, deliveries wait for half an hour. This schedule brings them there at once.
    const gateway = await emptyGateway({ WEBHOOK_RETRY_SECONDS: '0,1800,1800' });
    let isDown = true;
    let isKnown = false;
    let readings = 0;
    const { url, received } = await receiver((response) => {
      // The hold lasts for an hour: no attempt after it delivers anything before the operator does.
      if (isDown) response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '3600' }).end('maintenance');
      else response.end('ok');
    });
    const endpointId = await register(gateway, url);
    const shop = await openShop(gateway);
    const page = await visit(gateway, { credential: operatorToken });
    const { click, clicks } = operator();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    page.on('request', (request) => {
      if (isKnown && new URL(request.url()).pathname.endsWith('/overview')) readings += 1;
    });
    const named = page.getByRole('status').getByRole('link', { name: new RegExp(new URL(url).host) });
    const readingsUntilNamed = named.waitFor().then(() => readings);
    const sales = 12;
    for (let sale = 0; sale < sales; sale += 1) await shop.sell(gateway);
    const isHeld = async () => (await manage(gateway, 'GET', `/endpoints/${endpointId}`)).body.data.health.held_until !== null;
    // Readings count from the moment at which the gateway knows, however long the sales take.
    isKnown = await until(isHeld);

    // The page reads the overview every five seconds: three readings are fifteen seconds.
    expect(await readingsUntilNamed).toBeLessThanOrEqual(3);
    expect(await named.textContent()).toContain('answered 503');

    await click(named);
    await page
      .getByText(/has answered 503 since/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Last failures' }).getByText('503').first().waitFor();
    expect([clicks(), new URL(page.url()).pathname]).toEqual([1, `/console/endpoints/${endpointId}`]);

    isDown = false;
    const refused = received.length;
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await click(page.getByRole('status').getByRole('button', { name: 'Retry now', exact: true }));
    await click(page.getByRole('button', { name: `Retry ${sales} deliveries now`, exact: true }));
    await page.getByText('all were delivered').waitFor();
    expect(clicks()).toBe(2);
    const arrived = received.slice(refused);
    expect([arrived.length, saleReferences(arrived).size]).toEqual([sales, sales]);
  });

  test('the partner who hits a limit is named, and the refused calls are exported as curl', async () => {
    const gateway = await emptyGateway();
    const { url } = await receiver();
    await register(gateway, url);
    const shop = await openShop(gateway, 'free');
    const replies = await Promise.all(Array.from({ length: 110 }, () => shop.sell(gateway)));
    for (const reply of replies) await untilRecorded(gateway, reply);
    const refused = replies.filter(({ status }) => status === 429).length;
    const page = await visit(gateway, { credential: operatorToken });
    const { click, clicks } = operator();
    await page.getByText(`Limits refused ${refused} calls in the last hour`).waitFor();
    await click(page.getByRole('region', { name: 'Refusals by limit' }).getByRole('link', { name: 'Shop', exact: true }));
    await click(page.getByRole('button', { name: 'Export', exact: true }));
    const download = page.waitForEvent('download');
    await click(page.getByRole('menuitem', { name: 'As curl commands', exact: true }));
    expect(clicks()).toBe(3);
    const script = readFileSync(await (await download).path(), 'utf8');
    const commands = script.split('\n').filter((line) => line.startsWith('curl '));
    expect(commands).toHaveLength(refused);
    for (const command of commands) {
      expect(command).toContain('/pos/api/v1/sales');
      expect(command).toContain('"product_id":"P1"');
      expect(command).not.toContain(shop.token);
    }
  });
});
