import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Stub } from '../../stubs/stub.ts';
import { aSale, call, openReceiver, openStub, signIn } from '../stubs/partner.ts';
import { violationsOn } from './axe.ts';
import { inBrowser, launched } from './console.ts';

/** Opens the stub's page. The test fails if a script throws, the policy is violated or another server is asked. */
async function open(
  stub: Pick<Stub, 'url'>,
  path = '/',
  options: Parameters<Awaited<ReturnType<typeof launched>>['newContext']>[0] = {},
) {
  const context = await (await launched()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|violates/.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${stub.url}/`)) problems.push(request.url());
  });
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(`${stub.url}${path}`);
  await page.getByRole('heading', { level: 1, name: 'Stub of' }).waitFor();
  return page;
}

/** Opens a view, and waits until it has replaced the one before, which happens after the click. */
const view = async (page: Page, name: string) => {
  const nav = page.getByRole('navigation');
  await nav.getByRole('link', { name }).click();
  await nav.locator('[aria-current=page]', { hasText: name }).waitFor();
};
const rowsOf = (page: Page, list: string): Locator => page.getByRole('list', { name: list }).getByRole('listitem');
const said = (page: Page) => page.getByRole('status');

inBrowser('the stub’s page', () => {
  test('a fault is added by the form, the call that fails is seen with it, and the fault is removed', async () => {
    const stub = await openStub('pos');
    const page = await open(stub);
    await page.getByText('No calls yet').waitFor();
    const form = page.getByRole('form', { name: 'Add a fault', exact: true });
    await form.getByLabel('Calls', { exact: true }).selectOption('createSale');
    await form.getByLabel('Status').fill('503');
    await form.getByLabel('Retry-After').fill('5');
    await form.getByLabel('How many calls').fill('2');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByText('createSale:status=503,retry=5s,times=2').first().waitFor();
    expect(stub.faults.list()).toMatchObject([{ text: 'createSale:status=503,retry=5s,times=2' }]);

    const token = await signIn(stub);
    const reply = await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    await page.getByText('fault-1, applied 1 time').waitFor();
    const failed = rowsOf(page, 'Calls').filter({ hasText: '/api/v1/sales' });
    await failed.getByText('createSale:status=503').waitFor();
    await failed.getByRole('button', { name: /POST/ }).click();
    await failed.getByText('"product_id": "PRD-0001"').waitFor();
    await failed.getByText('Request headers').click();
    await failed.getByText('Bearer [redacted]').first().waitFor();
    expect(await page.content()).not.toContain(token);
    await failed.getByText(/^curl /).waitFor();

    await failed.getByRole('button', { name: 'Remove fault-1' }).click();
    await page.getByText('No faults').waitFor();
    expect(stub.faults.list()).toEqual([]);
    expect((await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() })).status).toBe(201);
    await rowsOf(page, 'Calls').filter({ hasText: '201' }).waitFor();
    // What is open stays open while other calls come.
    await failed.filter({ hasText: 'fault' }).getByRole('button', { name: /POST/, expanded: true }).waitFor();
    expect(stub.uncheckedCalls()).toHaveLength(3);
  });

  test('mistakes are shown at their field, in the stub’s words', async () => {
    const stub = await openStub('pos');
    const page = await open(stub);
    const form = page.getByRole('form', { name: 'Add a fault', exact: true });
    await form.getByLabel('Status').fill('999');
    await form.getByLabel('How many calls').fill('none');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await form.getByText('must be 200 to 599').waitFor();
    const status = form.getByLabel('Status');
    expect(await status.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.value')).toBe('999');
    const described = String(await status.getAttribute('aria-describedby'))
      .split(' ')
      .at(-1);
    expect(await page.locator(`#${described}`).textContent()).toBe('must be 200 to 599');
    await form.getByText('must be a whole number').waitFor();

    await status.fill('400');
    await form.getByLabel('How many calls').fill('');
    await form.getByLabel('Calls', { exact: true }).selectOption('createSale');
    await form.getByText('With other headers').click();
    await form.getByLabel('Body').first().fill('{"success": fals}');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await form.getByText('This is not JSON').waitFor();
    await form.getByLabel('Body').first().fill('{"ok": 1}');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await form.getByText('To send it anyway').waitFor();
    await form.getByLabel('Body').first().fill('');

    await form.getByText('Only some of these calls').click();
    await form.getByRole('button', { name: 'Add a condition' }).click();
    await form.getByLabel('Condition 1: name').fill('payment_metod');
    await form.getByLabel('Condition 1: value').fill('cash');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await form.getByText('Did you mean payment_method?').waitFor();
    await form.getByLabel('Condition 1: name').fill('payment_method');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByText('createSale:status=400,body.payment_method=cash').first().waitFor();

    await page.getByText('Or write it as a rule').click();
    const text = page.getByRole('form', { name: 'Add a fault as text' });
    await text.getByLabel('Rule').fill('createSael:status=503');
    await text.getByRole('button').click();
    await text.getByText('Did you mean createSale?').waitFor();
    await text.getByLabel('Rule').fill('readInventory:reset');
    await text.getByRole('button').click();
    await page.getByText('fault-2, applied 0 times').waitFor();
    expect(stub.faults.list()).toHaveLength(2);
  });

  test('an endpoint, an event, its delivery, a retry by the clock and a resend', async () => {
    const receiver = await openReceiver(401, 204);
    const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z' });
    const page = await open(stub, '/_stub/page#webhooks');
    await page.getByText('Nothing was delivered yet').waitFor();
    const endpoint = page.getByRole('form', { name: 'Add an endpoint' });
    await endpoint.getByLabel('URL').fill('nowhere');
    await endpoint.getByRole('button', { name: 'Add the endpoint' }).click();
    await expect.poll(() => endpoint.locator('[aria-invalid=true]').count()).toBe(1);
    await endpoint.getByLabel('URL').fill(receiver.url);
    await endpoint.getByRole('button', { name: 'Add the endpoint' }).click();
    await rowsOf(page, 'Endpoints').filter({ hasText: receiver.url }).getByText(stub.secret).waitFor();

    const event = page.getByRole('form', { name: 'Send an event' });
    await event.getByLabel('Event').selectOption('inventory.low');
    await event.getByLabel('On the record').fill('PRD-9999');
    await event.getByRole('button', { name: 'Send the event' }).click();
    await event.getByText('PRD-9999').waitFor();
    await event.getByLabel('On the record').fill('');
    await event.getByRole('button', { name: 'Send the event' }).click();
    await page.getByText(/took \d+ of PRD-/).waitFor();
    const delivery = rowsOf(page, 'Deliveries').filter({ hasText: 'inventory.low' });
    await delivery.getByText('pending').waitFor();
    await delivery.getByRole('button', { name: /inventory\.low/ }).click();
    await delivery.getByText('its check of the signature may have failed').waitFor();
    await delivery.getByText('"event": "inventory.low"').waitFor();

    await page.getByLabel('Advance the clock by').fill('soon');
    await page.getByRole('button', { name: 'Advance' }).click();
    await page.getByText('"soon" is not a duration').waitFor();
    await page.getByLabel('Advance the clock by').fill('6s');
    await page.getByRole('button', { name: 'Advance' }).click();
    await page.getByText('2026-03-01 08:00:06').waitFor();
    await delivery.getByText('The receiver accepted it with 204.').waitFor();
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await said(page).filter({ hasText: 'Sent again: delivered' }).waitFor();
    await delivery.getByText('3 attempts').waitFor();
    expect(receiver.received).toHaveLength(3);

    await page.getByRole('button', { name: `Remove ${receiver.url}` }).click();
    await page.getByText('No endpoints').waitFor();
    expect(stub.endpoints.list()).toEqual([]);
  });

  test('an endpoint of a partner shows its owner, and so do its deliveries', async () => {
    const receiver = await openReceiver(204);
    const stub = await openStub('pos');
    const owner = stub.credentials.owner;
    const page = await open(stub, '/_stub/page#webhooks');
    const endpoint = page.getByRole('form', { name: 'Add an endpoint' });
    await endpoint.getByLabel('URL').fill(receiver.url);
    await endpoint.getByText('Of a partner, only some events, or another secret').click();
    await endpoint.getByLabel('Owner').fill(`${owner}x`);
    await endpoint.getByRole('button', { name: 'Add the endpoint' }).click();
    await endpoint.getByText(`Did you mean ${owner}`).waitFor();
    await endpoint.getByLabel('Owner').fill(owner);
    await endpoint.getByRole('button', { name: 'Add the endpoint' }).click();
    await rowsOf(page, 'Endpoints').getByText(`all events, of ${owner}`).waitFor();
    const event = page.getByRole('form', { name: 'Send an event' });
    await event.getByLabel('Event').selectOption('inventory.low');
    await event.getByRole('button', { name: 'Send the event' }).click();
    const delivery = rowsOf(page, 'Deliveries').filter({ hasText: 'inventory.low' });
    await delivery.getByRole('button', { name: /inventory\.low/ }).click();
    await delivery.getByText(`The endpoint belongs to ${owner}.`).waitFor();
  });

  test('a reply by its name for the next call, and a reset', async () => {
    const stub = await openStub('cohesion');
    const page = await open(stub, '/_stub/page#replies');
    await page.getByLabel('Find').fill('404');
    const reply = rowsOf(page, 'Replies of readIndicator').filter({ visible: true }).first();
    await reply.getByRole('button').click();
    await reply.getByRole('button', { name: 'The next call gets it' }).click();
    await said(page).filter({ hasText: 'Added: readIndicator:example=' }).waitFor();
    const { token } = stub.credentials;
    expect((await call(stub, 'GET', '/api/v1/indicateurs/1', { token })).status).toBe(404);
    await view(page, 'This stub');
    await page.getByText(token).first().waitFor();
    await page.getByRole('button', { name: 'Reset the stub' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await said(page).filter({ hasText: 'as it was at its start' }).waitFor();
    expect(stub.faults.list()).toEqual([]);
    await view(page, 'Calls and faults');
    await page.getByText('No calls yet').waitFor();
  });

  test('an alternative is found, played and ended, and the replies of the API follow', async () => {
    const stub = await openStub('pos');
    const token = await signIn(stub);
    const statusOfSale = async () => (await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1) })).status;
    expect(await statusOfSale()).toBe(201);
    const page = await open(stub);
    await view(page, 'Assumptions');
    await page.getByText('the stub answers as the register chose').waitFor();
    await page.getByLabel('Search the register').fill('Pos.Sale-Status=200 succeeds');
    const entry = page.locator('#part-register li:visible').filter({ hasText: 'pos.sale-status' });
    await page.getByText(/^1 of \d+ entries$/).waitFor();
    // By the keyboard alone.
    await entry.getByRole('button', { name: /^pos\.sale-status/ }).focus();
    await page.keyboard.press('Enter');
    await entry.getByText('Our choice').waitFor();
    await entry.getByText('POST /api/v1/sales').waitFor();
    expect(await entry.getByRole('link', { name: /register/ }).getAttribute('href')).toBe('/docs/gaps#pos.sale-status');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Play pos.sale-status=200');
    await page.keyboard.press('Enter');
    await said(page).filter({ hasText: 'Active now: pos.sale-status=200.' }).waitFor();
    await entry.getByText('active: 200').waitFor();
    expect(stub.assumptions.list()).toMatchObject([{ gap: 'pos.sale-status', alternative: '200' }]);
    expect(await statusOfSale()).toBe(200);
    await view(page, 'Calls and faults');
    await rowsOf(page, 'Calls').filter({ hasText: '200' }).filter({ hasText: '/api/v1/sales' }).waitFor();
    await page.getByRole('link', { name: 'pos.sale-status=200' }).filter({ visible: true }).waitFor();
    await page.getByRole('link', { name: 'Change them' }).click();
    // The same button ends it, and keeps the focus.
    await entry.getByRole('button', { name: 'End pos.sale-status=200' }).press('Enter');
    await entry.getByText('active: 200').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Play pos.sale-status=200');
    expect(await statusOfSale()).toBe(201);
  });

  test('what the page says of active alternatives follows the list, also when they change elsewhere', async () => {
    const stub = await openStub('pos');
    const page = await open(stub, '/_stub/page#assumptions');
    await page.getByLabel('By name, as for --assume').fill('pos.sale-status=200');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await said(page).filter({ hasText: 'Active now: pos.sale-status=200.' }).waitFor();
    await rowsOf(page, 'Active alternatives').filter({ hasText: 'pos.sale-status=200' }).waitFor();
    await stub.assumptions.replace({ 'pos.sale-total': 'trusted' });
    await said(page).filter({ hasText: 'Active now: pos.sale-total=trusted.' }).waitFor();
    await stub.reset();
    await said(page).filter({ hasText: 'No alternative is active.' }).waitFor();
  });

  test('an alternative that cannot be played is refused at its place: a contradiction, an unknown name, one that no stub plays', async () => {
    const stub = await openStub('pos', { assume: 'pos.success-envelope=beside-success' });
    const page = await open(stub, '/_stub/page#assumptions');
    await rowsOf(page, 'Active alternatives').filter({ hasText: 'pos.success-envelope=beside-success' }).waitFor();
    const opened = async (id: string) => {
      await page.getByLabel('Search the register').fill(id);
      const entry = page.locator('#part-register .list > li:visible').filter({ hasText: id }).first();
      await entry.getByRole('button').first().click();
      return entry;
    };
    const inventory = await opened('pos.inventory-response');
    await inventory.getByRole('button', { name: 'Play pos.inventory-response=bare-array' }).click();
    await inventory.getByRole('alert').filter({ hasText: 'contradicts' }).waitFor();
    expect(stub.assumptions.list()).toHaveLength(1);
    const plain = await opened('pos.plain-http');
    await plain.getByText('The stub does not play it. A stub is reached over plain http only').first().waitFor();
    expect(await plain.getByRole('button', { name: /^Play/ }).count()).toBe(0);

    const form = page.getByRole('form', { name: 'Play by name' });
    await form.getByLabel('By name').fill('pos.sale-statuss=200');
    await form.getByRole('button').click();
    await form.getByText('Did you mean pos.sale-status?').waitFor();
    expect(await form.getByLabel('By name').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('By name').fill('pos.sale-status=200, harmless.gzip');
    await form.getByRole('button').click();
    await rowsOf(page, 'Active alternatives').filter({ hasText: 'harmless.gzip=on' }).waitFor();
    expect(stub.assumptions.list()).toHaveLength(3);
    await page.getByLabel('Search the register').fill('');
    await page.getByLabel('Entries').selectOption('active');
    await page.getByText(/^3 of \d+ entries$/).waitFor();
    await page.getByRole('button', { name: 'End harmless.gzip=on' }).click();
    await page.getByText(/^2 of \d+ entries$/).waitFor();
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByText('the stub answers as the register chose').waitFor();
    expect(stub.assumptions.list()).toEqual([]);
  });

  test('mobile money: a pending payment is seen, and refused; a stub of cohesion has no such part', async () => {
    const stub = await openStub('pos', { mobileMoney: 'pending:1h' });
    const token = await signIn(stub);
    const sale = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(), payment_method: 'mobile_money' } });
    const { reference } = sale.body.data;
    const body = { amount: 9000, phone: '+2250700000000', provider: 'orange_money', reference };
    await call(stub, 'POST', '/api/v1/payment/mobile', { token, body });
    const page = await open(stub);
    await view(page, 'Mobile money');
    await page.getByText('pending:3600s,received', { exact: true }).waitFor();
    const payment = rowsOf(page, 'Payments').filter({ hasText: reference });
    await payment.getByText('9000 from +2250700000000').waitFor();
    await payment.getByText('will be received at').waitFor();
    await payment.getByRole('button', { name: 'Refused' }).click();
    await payment.getByText('refused at').waitFor();
    expect(await payment.getByRole('button').count()).toBe(0);
    expect(await stub.payments.list({ reference })).toMatchObject([{ status: 'refused' }]);

    const cohesion = await open(await openStub('cohesion'), '/_stub/page#payments');
    await cohesion.getByRole('heading', { level: 2, name: 'Calls' }).waitFor();
    expect(await cohesion.getByRole('navigation').getByRole('link', { name: 'Mobile money' }).isVisible()).toBe(false);
  });

  test('markup in a call is text, and a keyboard opens it', async () => {
    const stub = await openStub('pos');
    const markup = '<img src=x onerror="document.title=\'owned\'">';
    await call(stub, 'POST', `/api/v1/${encodeURIComponent(markup)}`, { body: { note: markup }, headers: { 'x-note': markup } });
    const page = await open(stub);
    const row = rowsOf(page, 'Calls').getByRole('button', { name: /POST/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Request body' }).getByText('<img src=x').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Stub of pos - Passerelle');
  });

  test('from another machine the page asks for the operator’s token', async () => {
    const stub = await openStub('pos', { seed: 'empty' });
    const { port } = new URL(stub.url);
    const browser = await launched();
    // A name of another machine that leads here.
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const elsewhere = `http://elsewhere.localhost:${port}`;
    await page.goto(`${elsewhere}/_stub/page`);
    await page.getByRole('textbox').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('without the operator').first().waitFor();
    await page.getByRole('textbox').fill(stub.operatorToken);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: 'Stub of pos' }).waitFor();
  });

  test('a stub that ends and comes back is noticed', async () => {
    const stub = await openStub('pos', { seed: 'empty' });
    const page = await open(stub);
    await stub.close();
    await page.getByRole('alert').filter({ hasText: 'No stub answers' }).waitFor();
    await openStub('pos', { seed: 'empty', port: Number(new URL(stub.url).port) });
    await page.getByRole('alert').filter({ hasText: 'No stub answers' }).waitFor({ state: 'hidden' });
  });

  test('no view violates a rule of axe, in light and dark, and each fits the width of a phone', async () => {
    const receiver = await openReceiver(401);
    const stub = await openStub('pos', {
      webhooks: [{ url: receiver.url }],
      faults: ['createSale:status=503', '*:delay=1ms'],
      assume: ['pos.sale-status=200', 'harmless.whitespace'],
    });
    const token = await signIn(stub);
    await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() });
    await call(stub, 'GET', '/api/v1/nowhere', { token });
    await stub.trigger('inventory.low');
    const found: string[] = [];
    const page = await open(stub, '/', { bypassCSP: true });
    const shots = process.env.PASSERELLE_SHOTS;
    for (const name of ['Calls and faults', 'Webhooks', 'Mobile money', 'Replies', 'Assumptions', 'This stub']) {
      await view(page, name);
      const rows = page.locator('.row').filter({ visible: true });
      if (!['This stub', 'Mobile money'].includes(name)) await rows.first().click();
      for (const summary of await page.locator('summary').filter({ visible: true }).all()) await summary.click();
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [1440, 390]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          // Only the rules on colours depend on the scheme.
          const violations = await violationsOn(page, colorScheme === 'light' ? 'all' : 'colours');
          found.push(...violations.map((violation) => `${name} (${colorScheme}, ${width}): ${violation}`));
          if (((await page.evaluate('document.documentElement.scrollWidth')) as number) > width)
            found.push(`${name} is wider than ${width}`);
          const header = (await page.evaluate('document.querySelector("header").offsetHeight')) as number;
          if (header > 240) found.push(`${name}: at ${width} the header takes ${header} px`);
          if (shots !== undefined)
            await page.screenshot({ path: `${shots}/stub-${name}-${colorScheme}-${width}.png`, fullPage: true });
        }
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    expect(found).toEqual([]);
  });
});
