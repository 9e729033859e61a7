import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Stub } from '../../stubs/stub.ts';
import { aSale, call, openReceiver, openStub, signIn } from '../stubs/partner.ts';
import { violationsInEveryForm } from './axe.ts';
import { inBrowser, opened, settled } from './console.ts';

/** Opens the stub's section of the console. The test also fails if another server is asked. */
async function open(stub: Pick<Stub, 'url'>, part = '', options: Parameters<typeof opened>[1] = {}) {
  // The stub sends people who open its address to the section.
  const page = await opened(part === '' ? stub.url : `${stub.url}/console/stub/${part}`, options);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${stub.url}/`)) elsewhere.push(request.url());
  });
  onTestFinished(() => expect(elsewhere).toEqual([]));
  await page.getByRole('heading', { level: 1, name: 'Stub of' }).waitFor();
  return page;
}

/** Opens a view, and waits until it has replaced the one before, which happens after the click. */
const view = async (page: Page, name: string) => {
  const nav = page.getByRole('navigation', { name: 'Stub' });
  await nav.getByRole('link', { name }).click();
  await nav.locator('[aria-current=page]', { hasText: name }).waitFor();
};
const listOf = (page: Page, name: string): Locator => page.getByRole('group', { name });
const rowsOf = (page: Page, name: string): Locator => listOf(page, name).getByRole('row');

inBrowser('the stub’s section of the console', () => {
  test('a call that failed is shown without its secret, and starts the form for calls like it', async () => {
    const stub = await openStub('pos', { faults: ['createSale:status=503,times=1'] });
    const page = await open(stub);
    const token = await signIn(stub);
    for (const status of [503, 201])
      expect((await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() })).status).toBe(status);
    const failed = rowsOf(page, 'Calls').filter({ hasText: '/api/v1/sales' });
    await expect.poll(() => failed.count()).toBe(2);
    await failed.first().getByRole('button', { name: 'Make these calls fail', exact: true }).click();
    expect(await page.getByLabel('Calls', { exact: true }).inputValue()).toBe('createSale');
    // The console does not have the body of a call that failed before it was read.
    await failed.filter({ hasText: '503' }).getByRole('button', { name: /POST/ }).click();
    const details = page.getByRole('dialog');
    await details.getByText('"product_id": "PRD-0001"').waitFor();
    await details.getByText('Bearer [redacted]').first().waitFor();
    await details.getByText(/^curl /).waitFor();
    expect(await page.content()).not.toContain(token);
    await details.getByRole('link', { name: 'This call in the console', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'POST /api/v1/sales' }).waitFor();
  });

  test('calls are filtered, saved and cleared; one that got no reply is shown too', async () => {
    const stub = await openStub('pos', { faults: ['readInventory:reset'] });
    const token = await signIn(stub);
    await call(stub, 'GET', '/api/v1/inventory', { token }).catch(() => {});
    const page = await open(stub);
    const cut = rowsOf(page, 'Calls').filter({ hasText: 'readInventory' });
    await cut.getByText('none').waitFor();
    await cut.getByRole('button', { name: /GET/ }).click();
    await page.getByRole('dialog').getByText('No reply began').waitFor();
    await page.keyboard.press('Escape');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as HAR', exact: true }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('calls.har');
    await page.getByLabel('Status', { exact: true }).selectOption('2xx');
    await cut.waitFor({ state: 'hidden' });
    await rowsOf(page, 'Calls').filter({ hasText: 'issueToken' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('No call matches.').waitFor();
    expect(stub.calls()).toEqual([]);
  });

  test('mistakes are shown at their field, in the stub’s words', async () => {
    const stub = await openStub('pos');
    const page = await open(stub);
    const form = page.getByRole('form', { name: 'Add a fault' });
    const add = () => form.getByRole('button', { name: 'Add a fault', exact: true }).click();
    const status = form.getByLabel('HTTP status');
    await status.fill('999');
    await form.getByLabel('How many calls').fill('1.5');
    await add();
    await form.getByText('must be 200 to 599').waitFor();
    expect(await status.getAttribute('aria-invalid')).toBe('true');
    await form.getByText('must be a whole number').waitFor();

    await status.fill('400');
    await form.getByLabel('How many calls').fill('');
    await page.getByLabel('Calls', { exact: true }).selectOption('createSale');
    await form.getByText('Only some of these calls').click();
    await form.getByLabel('Body, as JSON').fill('{"success": fals}');
    await add();
    await form.getByText('This is not JSON').waitFor();
    await form.getByLabel('Body, as JSON').fill('{"ok": 1}');
    await add();
    await form.getByText('To send it anyway').waitFor();
    await form.getByLabel('Body, as JSON').fill('');
    await form.getByLabel('Headers').fill('x-note');
    await add();
    await form.getByText('“x-note” is not a header').waitFor();
    await form.getByLabel('Headers').fill('');

    const when = form.getByLabel('Conditions');
    await when.fill('cash');
    await add();
    await form.getByText('“cash” is not a condition').waitFor();
    await when.fill('body.payment_metod=cash');
    await add();
    await form.getByText('Did you mean payment_method?').waitFor();
    await when.fill('body.payment_method=cash');
    await add();
    await rowsOf(page, 'Faults').getByText('createSale:status=400,body.payment_method=cash').waitFor();

    await page.getByRole('button', { name: 'Add as a rule', exact: true }).click();
    const text = page.getByRole('dialog');
    await text.getByLabel('Rule').fill('createSael:status=503');
    await text.getByRole('button', { name: 'Add as a rule', exact: true }).click();
    await text.getByText('Did you mean createSale?').waitFor();
    await text.getByLabel('Rule').fill('readInventory:reset');
    await text.getByRole('button', { name: 'Add as a rule', exact: true }).click();
    await rowsOf(page, 'Faults').filter({ hasText: 'fault-2' }).getByText('0 times').waitFor();
    expect(stub.faults.list()).toHaveLength(2);
    await page.getByRole('button', { name: 'Remove all faults', exact: true }).click();
    await page.getByText('No faults').waitFor();
  });

  test('the form adds a fault of each kind', async () => {
    const stub = await openStub('pos', { seed: 'empty' });
    const page = await open(stub);
    const add = page.getByRole('form', { name: 'Add a fault' }).getByRole('button', { name: 'Add a fault', exact: true });
    const kinds = [
      ['delay', 'createSale:delay=2s'],
      ['example', 'createSale:example='],
      ['reset', 'createSale:reset'],
      ['empty', 'createSale:empty'],
      ['hang', 'createSale:hang=30s'],
      ['truncated', 'createSale:truncated'],
      ['malformed', 'createSale:malformed'],
      ['malformed-chunk', 'createSale:malformed-chunk'],
      ['slow', 'createSale:slow=3s'],
      ['bandwidth', 'createSale:bandwidth=1000'],
      ['down', 'createSale:down'],
      ['rate-limit', 'createSale:rate-limit'],
      ['token-expired', 'createSale:token-expired'],
      ['lost', 'sale.completed:lost'],
    ] as const;
    for (const [index, [kind, rule]] of kinds.entries()) {
      await page.getByLabel('What happens').selectOption(kind);
      await page.getByLabel('Calls', { exact: true }).selectOption(rule.split(':')[0] ?? '');
      await add.click();
      await rowsOf(page, 'Faults')
        .filter({ hasText: `fault-${index + 1}` })
        .getByText(rule)
        .waitFor();
    }
    expect(stub.faults.list()).toHaveLength(kinds.length);
  });

  test('an event, its delivery and a retry by the clock', async () => {
    const receiver = await openReceiver(401, 204);
    const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z' });
    await stub.endpoints.add({ url: receiver.url, owner: stub.credentials.owner });
    const page = await open(stub, 'events');

    const event = page.getByRole('form', { name: 'Send an event' });
    await event.getByLabel('Event').selectOption('inventory.low');
    await event.getByLabel('On the record').fill('PRD-9999');
    await event.getByRole('button', { name: 'Send an event', exact: true }).click();
    await event.getByText('PRD-9999').waitFor();
    await event.getByLabel('On the record').fill('');
    await event.getByRole('button', { name: 'Send an event', exact: true }).click();
    await page.getByText(/took \d+ of PRD-/).waitFor();
    await page.getByRole('link', { name: `pending: ${receiver.url}, 401`, exact: true }).waitFor();

    const clock = page.getByRole('form', { name: 'The clock' });
    await clock.getByLabel('Advance the clock by').fill('soon');
    await clock.getByRole('button', { name: 'Advance', exact: true }).click();
    await clock.getByText('"soon" is not a duration').waitFor();
    await clock.getByLabel('Advance the clock by').fill('6s');
    await clock.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByText('2026-03-01 08:00:06').waitFor();
    expect(receiver.received).toHaveLength(2);
    await page.getByRole('link', { name: /^pending/ }).click();
    await page.getByRole('heading', { level: 1, name: 'inventory.low' }).waitFor();
  });

  test('a reply by its name for the next call, and a reset', async () => {
    const stub = await openStub('cohesion');
    const page = await open(stub, 'replies');
    await page.getByLabel('Find', { exact: true }).fill('404');
    const replies = page.getByRole('region', { name: 'readIndicator' });
    await replies.getByRole('button').first().click();
    await replies.getByRole('button', { name: 'The next call gets it', exact: true }).click();
    await page.getByText('Added: readIndicator:example=').waitFor();
    const { token } = stub.credentials;
    expect((await call(stub, 'GET', '/api/v1/indicateurs/1', { token })).status).toBe(404);
    await view(page, 'This stub');
    await page.getByText(token).first().waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the data', exact: true }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('cohesion.json');
    await page.getByRole('button', { name: 'Reset the stub', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the stub', exact: true }).click();
    await page.getByText('as it was at its start').waitFor();
    expect(stub.faults.list()).toEqual([]);
    await view(page, 'Calls and faults');
    await page.getByText('No calls yet').waitFor();
  });

  test('an alternative is found, played and ended, and the replies of the API follow', async () => {
    const stub = await openStub('pos');
    const token = await signIn(stub);
    const statusOfSale = async () => (await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1) })).status;
    expect(await statusOfSale()).toBe(201);
    const page = await open(stub, 'assumptions');
    await page.getByText('the stub answers as the register chose').waitFor();
    await page.getByLabel('Search').fill('Pos.Sale-Status succeeds');
    await page.getByText(/^1 of \d+ entries$/).waitFor();
    const entry = page.getByRole('article');
    await entry.getByText('POST /api/v1/sales').waitFor();
    expect(await entry.getByRole('link', { name: '/docs/gaps' }).getAttribute('href')).toBe('/docs/gaps#pos.sale-status');
    // By the keyboard alone. The same button ends it, and keeps the focus.
    await entry.getByRole('button', { name: 'Play pos.sale-status=200', exact: true }).press('Enter');
    await page.getByText('Active now: pos.sale-status=200.').waitFor();
    await rowsOf(page, 'Active assumptions').filter({ hasText: 'pos.sale-status=200' }).waitFor();
    expect(stub.assumptions.list()).toMatchObject([{ gap: 'pos.sale-status', alternative: '200' }]);
    expect(await statusOfSale()).toBe(200);
    await entry.getByRole('button', { name: 'End pos.sale-status=200', exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('End pos.sale-status=200');
    await page.keyboard.press('Enter');
    await page.getByText('pos.sale-status is answered as the register chose').waitFor();
    expect(await statusOfSale()).toBe(201);
    // Also when they change elsewhere.
    await stub.assumptions.replace({ 'pos.payment-status': '202' });
    await rowsOf(page, 'Active assumptions').filter({ hasText: 'pos.payment-status=202' }).waitFor();
    await stub.reset();
    await page.getByText('the stub answers as the register chose').waitFor();
  });

  test('an alternative that cannot be played is refused: a contradiction, an unknown name, one that no stub plays', async () => {
    const stub = await openStub('pos', { assume: 'pos.success-envelope=beside-success' });
    const page = await open(stub, 'assumptions');
    const active = rowsOf(page, 'Active assumptions');
    await active.filter({ hasText: 'pos.success-envelope=beside-success' }).waitFor();
    await page.getByLabel('Search').fill('pos.inventory-response');
    await page.getByRole('button', { name: 'Play pos.inventory-response=bare-array', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'contradicts' }).waitFor();
    expect(stub.assumptions.list()).toHaveLength(1);
    await page.getByLabel('Search').fill('pos.plain-http');
    const plain = page.getByRole('article').filter({ hasText: 'pos.plain-http' });
    await plain.getByText('A stub is reached over plain http only').first().waitFor();
    expect(await plain.getByRole('button', { name: /^Play/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Play by name', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('By name').fill('pos.sale-statuss=200');
    await form.getByRole('button', { name: 'Play by name', exact: true }).click();
    await form.getByText('Did you mean pos.sale-status?').waitFor();
    await form.getByLabel('By name').fill('pos.sale-status=200, harmless.gzip');
    await form.getByRole('button', { name: 'Play by name', exact: true }).click();
    await active.filter({ hasText: 'harmless.gzip=on' }).waitFor();
    expect(stub.assumptions.list()).toHaveLength(3);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Entries').selectOption('active');
    await page.getByText(/^3 of \d+ entries$/).waitFor();
    await page.getByRole('button', { name: 'End harmless.gzip=on', exact: true }).click();
    await page.getByText(/^2 of \d+ entries$/).waitFor();
    await page.getByRole('button', { name: 'End all', exact: true }).click();
    await page.getByText('the stub answers as the register chose').waitFor();
    expect(stub.assumptions.list()).toEqual([]);
  });

  test('mobile money: a pending payment is seen, and refused; a stub of cohesion has no such part', async () => {
    const stub = await openStub('pos', { mobileMoney: ['sandbox', 'pending:1h'] });
    const token = await signIn(stub);
    const sale = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(), payment_method: 'mobile_money' } });
    const { reference } = sale.body.data;
    const body = { amount: 9000, phone: '+2250700000000', provider: 'orange_money', reference };
    await call(stub, 'POST', '/api/v1/payment/mobile', { token, body });
    const page = await open(stub, 'payments');
    await page.getByText('pending:3600s,received', { exact: true }).waitFor();
    await page.getByText('+2250000000003 Pending, and not confirmed within 2 minutes.').waitFor();
    const payment = rowsOf(page, 'Payments').filter({ hasText: reference });
    await payment.getByText('9000').waitFor();
    await payment.getByText('+2250700000000, orange money').waitFor();
    await payment.getByText('will be received at').waitFor();
    await payment.getByRole('button', { name: 'Refused', exact: true }).click();
    await payment.getByText('refused at').waitFor();
    expect(await payment.getByRole('button').count()).toBe(0);
    expect(await stub.payments.list({ reference })).toMatchObject([{ status: 'refused' }]);

    const cohesion = await open(await openStub('cohesion'), 'payments');
    await cohesion.getByRole('alert').filter({ hasText: 'There is no such page' }).waitFor();
    expect(await cohesion.getByRole('navigation').getByRole('link', { name: 'Mobile money', exact: true }).count()).toBe(0);
  });

  test('markup in a call is text', async () => {
    const stub = await openStub('pos');
    const markup = '<img src=x onerror="document.title=\'owned\'">';
    await call(stub, 'POST', `/api/v1/${encodeURIComponent(markup)}?${encodeURIComponent(markup)}`, { body: { note: markup } });
    const page = await open(stub);
    await rowsOf(page, 'Calls').getByRole('button', { name: /POST/ }).press('Enter');
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
  });

  test('from another machine the console asks for the operator’s token, and the section keeps it', async () => {
    const stub = await openStub('pos', { seed: 'empty' });
    const { port } = new URL(stub.url);
    // A name of another machine that leads here.
    const page = await opened(`http://elsewhere.localhost:${port}/console/stub`);
    await page.getByLabel('Credential').fill(stub.operatorToken);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Stub of pos' }).waitFor();
    // Another tab has the session, and not the token.
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByText('without the operator').waitFor();
    await page.getByText('Sign out, then sign in with the operator token').waitFor();
  });

  test('the section goes on after a restart of the stub, and after its clock has passed the end of the session', async () => {
    const stub = await openStub('pos', { seed: 'empty' });
    const page = await open(stub);
    await stub.close();
    await page.getByRole('alert').first().waitFor();
    const again = await openStub('pos', { seed: 'empty', port: Number(new URL(stub.url).port) });
    await page.getByRole('alert').first().waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor();
    await again.clock.advance('400h');
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
  });

  test('without figures there is no overview; with them there is', async () => {
    const pagesOf = async (stub: Stub) => {
      const page = await opened(`${stub.url}/console`);
      const nav = page.getByRole('navigation', { name: 'Pages' });
      await nav.getByRole('link', { name: 'Stub', exact: true }).waitFor();
      return nav.getByRole('link').allInnerTexts();
    };
    expect(await pagesOf(await openStub('pos'))).not.toContain('Overview');
    expect(await pagesOf(await openStub('pos', { console: true }))).toContain('Overview');
  });

  test('no part violates a rule of axe, in light and dark, and each fits the width of a phone', async () => {
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
    const page = await open(stub, '', { bypassCSP: true });
    for (const name of ['Calls and faults', 'Webhooks', 'Mobile money', 'Replies', 'Assumptions', 'This stub']) {
      await view(page, name);
      // Rules of axe take long on hundreds of entries.
      if (name === 'Replies') await page.getByLabel('Find', { exact: true }).fill('stock');
      if (name === 'Assumptions') await page.getByLabel('Search').fill('pos.sale');
      await settled(page);
      for (const summary of await page.locator('summary').filter({ visible: true }).all()) await summary.click();
      found.push(...(await violationsInEveryForm(page)).map((violation) => `${name}: ${violation}`));
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    expect(found).toEqual([]);
  });
});
