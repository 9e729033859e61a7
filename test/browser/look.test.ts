import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Served, until } from '../e2e/process.ts';
import { manage, openShop, operatorToken, register } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { violationsInEveryForm } from './axe.ts';
import { emptyGateway, inBrowser, settled, visit } from './console.ts';

const markup = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';

const backOffice = [
  ...['accounts', 'stores', 'sales', 'users', 'users?of=tokens', 'structures', 'interventions', 'indicators', 'financings'],
  'plans-and-reports',
];

/** A gateway with a failing endpoint, a sale, a delivery and a call. */
async function gatewayWithData(): Promise<{ gateway: Served; pages: string[]; deliveryId: string }> {
  const gateway = await emptyGateway({ WEBHOOK_RETRY_SECONDS: '0,3600' });
  const failing = await receiver((response) => response.writeHead(500, { 'content-type': 'text/html' }).end(markup));
  const endpointId = await register(gateway, failing.url);
  await manage(gateway, 'PATCH', `/endpoints/${endpointId}`, { description: markup });
  const shop = await openShop(gateway);
  await shop.sell(gateway);
  const deliveries = async () => (await manage(gateway, 'GET', '/deliveries')).body.data;
  await until(async () => (await deliveries())[0]?.attempts === 1);
  const [delivery] = await deliveries();
  const chat = { kind: 'slack', name: '<b>chat</b>', credential: failing.url };
  const { data: channel } = (await manage(gateway, 'POST', '/alerts/channels', chat)).body;
  await manage(gateway, 'POST', `/alerts/channels/${channel.id}/test`);
  const [call] = (await manage(gateway, 'GET', '/calls?api=pos')).body.data;
  const [account] = (await manage(gateway, 'GET', '/pos/accounts')).body.data;
  const pages = [
    ...['/', '/deliveries', `/deliveries/${delivery.id}`, '/deliveries?colour=red', '/deliveries?status=skipped'],
    ...['/deliveries?partner=nobody', '/deliveries?blocking=true', '/endpoints?new=1'],
    ...['/endpoints', `/endpoints/${endpointId}`, '/events', `/events/${delivery.event_id}`, '/events?view=catalogue'],
    ...['/calls', `/calls/${call.id}`, '/limits', '/operators'],
    ...['/nowhere', '/deliveries/dlv_nowhere', '/deliveries?response_status=banana'],
    ...backOffice.map((part) => `/back-office/${part}`),
    `/back-office/accounts?row=${account.id}`,
    ...['/audit', '/alerts', '/alerts/chat'],
  ];
  return { gateway, pages, deliveryId: delivery.id };
}

/** Columns whose cells are cut, although another column that shares the table's width has room. A URL is cut in its middle. */
const cutBesideRoom = `[...document.querySelectorAll('table.rows')].flatMap((table) => {
  const cellsOf = (index) => [...table.querySelectorAll('tr:not(.spacer)')].map((row) => row.cells[index]);
  const widthOf = (cell) => {
    const rects = [];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      rects.push(...range.getClientRects());
    }
    return Math.max(0, ...rects.map(({ right }) => right)) - Math.min(...rects.map(({ left }) => left));
  };
  const columns = [...table.tHead.rows[0].cells].map((head, index) => ({
    name: head.innerText,
    isShared: head.dataset.kind === undefined,
    room: Math.min(...cellsOf(index).map((cell) => cell.clientWidth - 20 - widthOf(cell))),
    isCut: cellsOf(index).some((cell) => [cell, ...cell.querySelectorAll('*')].some((part) => !part.closest('.middle') &&
      (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1) && getComputedStyle(part).overflow === 'hidden')),
  }));
  return columns.some(({ isShared, room }) => isShared && room > 60) ? columns.filter(({ isCut }) => isCut).map(({ name }) => name) : [];
})`;

async function open(page: Page, gateway: Served, path: string): Promise<void> {
  await page.goto(`${gateway.greeting.url}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

inBrowser('how the console looks', () => {
  test('no page violates a rule of axe, cuts a cell beside room, or is wider than a phone', async () => {
    const { gateway, pages } = await gatewayWithData();
    const found: string[] = [];
    const page = await visit(gateway, { credential: operatorToken, bypassCSP: true });
    for (const path of pages) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(page, gateway, path);
      const cut = (await page.evaluate<string[]>(cutBesideRoom)).map((column) => `cuts ${column}`);
      found.push(...[...cut, ...(await violationsInEveryForm(page))].map((one) => `${path}: ${one}`));
    }
    expect(found).toEqual([]);
  }, 1_200_000);

  test('markup in received data is shown as text', async () => {
    const { gateway, deliveryId } = await gatewayWithData();
    const page = await visit(gateway, { path: `/deliveries/${deliveryId}`, credential: operatorToken });
    await page.getByText('<img src=x onerror=').first().waitFor();
    await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
    await page.getByText('<img src=x onerror=').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
  });
});
