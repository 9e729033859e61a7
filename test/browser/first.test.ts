import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../e2e/process.ts';
import { sharedByTests } from '../helper.ts';
import { manage, openShop, operatorToken, register, saleReferences } from '../scale/services.ts';
import { aSale, call, openStub, signIn as stubToken } from '../stubs/partner.ts';
import { type Received, receiver } from '../webhooks/receiver.ts';
import { violationsOn } from './axe.ts';
import { emptyGateway, inBrowser, opened, operator, settled, signIn, visit } from './console.ts';
import { addEndpoint, partnersOf, visitProfile } from './partner-page.ts';

/** Axe looks at every page that these tests show. */
async function isAccessible(page: Page): Promise<void> {
  await settled(page);
  expect(await violationsOn(page, 'all'), page.url()).toEqual([]);
}

/** The gate runs these tests, and `.ci/release` all of the browser's. They share one gateway, and leave no endpoint behind. */
inBrowser('what operators and partners do first', () => {
  const world = sharedByTests(async (atEnd) => {
    // One failed attempt makes a dead letter.
    const gateway = await emptyGateway({ DEMO: 'on', WEBHOOK_RETRY_SECONDS: '0' }, atEnd);
    return { gateway, shop: await openShop(gateway), ...partnersOf(gateway) };
  });
  const asOperator = (path = '') => visit(world().gateway, { path, credential: operatorToken, bypassCSP: true });
  const removedAtEnd = (id: string) =>
    onTestFinished(async () => void (await manage(world().gateway, 'DELETE', `/endpoints/${id}`)));

  test('an operator signs in, no script can read the session, and signing out ends it', async () => {
    const { gateway } = world();
    const page = await visit(gateway, { bypassCSP: true });
    await isAccessible(page);
    await signIn(page, operatorToken);
    const held: string = await page.evaluate(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])',
    );
    expect(held).not.toContain(operatorToken);
    const [cookie] = await page.context().cookies(`${gateway.greeting.url}/manage/v1/session`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(held).not.toContain(cookie?.value);

    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Credential').waitFor();
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
    expect((await fetch(`${gateway.greeting.url}/manage/v1/session`, { headers })).status).toBe(401);
  });

  test('deliveries are filtered; one shows its attempt, the exact bytes and a valid signature', async () => {
    const { gateway, shop } = world();
    const { url, received } = await receiver();
    const made = (await manage(gateway, 'POST', '/endpoints', { service: 'pos', url, events: ['sale.completed'] })).body.data;
    removedAtEnd(made.id);
    await shop.sell(gateway);
    const listed = async () => (await manage(gateway, 'GET', `/deliveries?endpoint_id=${made.id}&status=delivered`)).body.data;
    await until(async () => (await listed()).length === 1);
    const page = await asOperator('/deliveries');
    await page.getByLabel('Endpoint', { exact: true }).selectOption(made.id);
    await page.getByLabel('Status', { exact: true }).selectOption('delivered');
    await page.waitForURL(/status=delivered/);
    const rows = page.getByRole('row').filter({ hasText: 'sale.completed' });
    await expect.poll(() => rows.count()).toBe(1);
    await isAccessible(page);
    const { click, clicks } = operator();
    await click(rows.getByRole('link').first());
    await click(page.getByLabel('Format of Request body').getByText('Exact bytes'));
    await click(page.getByRole('button', { name: 'Compare', exact: true }));
    await click(page.getByRole('button', { name: 'Compare with attempt 1', exact: true }));
    await page.getByText('The signature is valid, and its timestamp is within').waitFor();
    expect(clicks()).toBe(4);
    // The page shows what the receiver got, and what the secret signs.
    const [{ body, headers }] = received as [Received];
    expect(await page.getByRole('region', { name: 'Request body' }).locator('pre').textContent()).toBe(body);
    const hmac = createHmac('sha256', made.secret).update(body).digest('hex');
    const shown = await page.getByRole('region', { name: 'Request headers' }).textContent();
    expect(shown).toContain(`sha256=${hmac}`);
    expect(shown).toContain(`webhook-timestamp: ${headers['webhook-timestamp']}`);
    await page.getByText(`${Buffer.byteLength(body)} bytes, the same in every attempt`).waitFor();
    await isAccessible(page);
  });

  test('a failing receiver is found from the overview, its fix is tested, and what failed is retried', async () => {
    const { gateway, shop } = world();
    const sales = 4;
    let isBroken = true;
    const failing = await receiver((response) => {
      if (isBroken) response.writeHead(500, { 'content-type': 'text/plain' }).end('the disk of the shop is full');
      else response.end('ok');
    });
    const endpointId = await register(gateway, failing.url);
    removedAtEnd(endpointId);
    const ledger = async (query = '') => (await manage(gateway, 'GET', `/ledger${query}`)).body.data;
    const ofEndpoint = async () => (await ledger(`?endpoint_id=${endpointId}`)).deliveries;
    for (let sale = 0; sale < sales; sale += 1) expect((await shop.sell(gateway)).status).toBe(201);
    await until(async () => (await ofEndpoint()).failed === sales);

    const page = await asOperator();
    await page
      .getByRole('status')
      .filter({ hasText: new URL(failing.url).host })
      .waitFor();
    await isAccessible(page);
    await page.getByRole('link', { name: new RegExp(`^${sales} deliveries failed permanently in the last hour`) }).click();

    // The link opens the list, with its filter in the address.
    await page.getByRole('heading', { level: 1, name: 'Deliveries', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    const rows = page.getByRole('row').filter({ hasText: 'sale.completed' });
    await expect.poll(() => rows.count()).toBe(sales);

    // One delivery shows the receiver's own response.
    await rows.first().getByRole('link').first().click();
    await page.getByText('the disk of the shop is full').first().waitFor();
    await page.getByRole('heading', { name: 'Attempt 1', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Request headers' }).getByText('webhook-signature').waitFor();

    // The receiver is fixed, and a test event confirms it.
    isBroken = false;
    await page.goto(`${gateway.greeting.url}/console/endpoints/${endpointId}`);
    await isAccessible(page);
    await page.getByRole('button', { name: 'Send test event', exact: true }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Test event delivered').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    // The recovery counts the dead letters first, then sends them and shows when all are delivered.
    await page.getByRole('button', { name: 'Retry now', exact: true }).first().click();
    await page.getByRole('button', { name: `Retry ${sales} deliveries now`, exact: true }).click();
    await page.getByText('all were delivered').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const refused = saleReferences(failing.received.slice(0, sales));
    expect([refused.size, saleReferences(failing.received.slice(-sales))]).toEqual([sales, refused]);

    // Nothing is missing, and the overview is well again.
    await page.getByText('The ledger balances').waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^All is well/ })
      .waitFor();
    expect(await ofEndpoint()).toMatchObject({ delivered: sales + 1, failed: 0, pending: 0 });
    expect((await ledger()).unaccounted).toBe(0);
  });

  test('a wrong credential of a partner is refused with words; a sign-out needs another sign-in', async () => {
    const { gateway, account } = world();
    const page = await opened(`${gateway.greeting.url}/profile`, { bypassCSP: true });
    await page.getByRole('textbox', { name: 'API key', exact: true }).fill(account.key);
    const secret = page.getByRole('textbox', { name: 'API secret', exact: true });
    const enter = page.getByRole('button', { name: 'Sign in', exact: true });
    await secret.fill('sk_of_somebody_else');
    await enter.click();
    await page.locator('.mantine-InputWrapper-error').waitFor();
    await isAccessible(page);
    await secret.fill(account.secret);
    await enter.click();
    await page.getByRole('heading', { level: 1, name: 'You' }).waitFor();
    await isAccessible(page);
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in to your profile' }).waitFor();
  });

  test('a partner creates a token, which is shown once', async () => {
    const { gateway, user, structure } = world();
    const page = await visitProfile(gateway, { signIn: user, bypassCSP: true });
    await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
    await page.getByRole('button', { name: 'New token', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('The dashboard of the region');
    await form.getByLabel('read:stats').check();
    await form.getByRole('textbox', { name: 'Structures' }).fill(String(structure));
    await form.getByRole('button', { name: 'New token', exact: true }).click();
    const created = await page.getByText(/^\d+\|[\w-]+/).textContent();
    expect((await gateway.call('GET', '/cohesion/api/v1/stats', { token: created ?? '' })).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'The dashboard of the region' }).waitFor();
    expect(await page.content()).not.toContain(created);
    await isAccessible(page);
  });

  test('a partner repairs an endpoint, resends and retries deliveries; another partner sees none of it', async () => {
    const { gateway, user, account } = world();
    let answer = 401;
    const hook = await receiver((response) => response.writeHead(answer).end('{"error":"wrong signature"}'));
    const page = await visitProfile(gateway, { signIn: user, path: '/endpoints', bypassCSP: true });
    expect(await addEndpoint(page, hook.url)).toMatch(/^whsec_/);
    const endpointId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    removedAtEnd(endpointId);
    await page.getByRole('button', { name: 'Verify now', exact: true }).click();
    await page.getByText('The endpoint is not verified', { exact: true }).waitFor();
    await page.getByText('wrong signature').first().waitFor();
    await isAccessible(page);
    answer = 200;
    await page.getByRole('button', { name: 'Verify again', exact: true }).click();
    await page.getByText('The endpoint is verified.').waitFor();

    const validate = async () => {
      const { body } = await manage(gateway, 'GET', '/cohesion/interventions?statut=en_cours&limit=1');
      const validated = await manage(gateway, 'POST', `/cohesion/interventions/${body.data[0].id}/validate`);
      expect(validated.status).toBe(200);
    };
    await validate();
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    const delivered = page.getByRole('row').filter({ hasText: 'intervention.validated' }).filter({ hasText: 'delivered' });
    await delivered.first().waitFor();
    await isAccessible(page);
    await delivered.first().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'intervention.validated' }).waitFor();
    const ids = () => hook.received.map(({ headers }) => headers['webhook-id']);
    const repeated = () => ids().length - new Set(ids()).size;
    const before = repeated();
    await page.getByRole('button', { name: /^Resend/ }).click();
    await page.getByRole('button', { name: 'Send now', exact: true }).click();
    await expect.poll(repeated).toBe(before + 1);
    await page.getByRole('link', { name: /^Attempt 2/ }).waitFor();
    await isAccessible(page);

    const delivery = page.url();

    // What failed is counted before it is sent again.
    answer = 500;
    await validate();
    const failed = `/deliveries?endpoint_id=${endpointId}&status=failed`;
    const isOwed = ({ test }: { test: boolean }) => !test;
    await until(async () => (await manage(gateway, 'GET', failed)).body.data.some(isOwed));
    answer = 200;
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('button', { name: 'Retry everything owed', exact: true }).click();
    await page.getByRole('button', { name: 'Retry 1 delivery now', exact: true }).click();
    await page.getByText('all were delivered').waitFor();

    // Nothing that another partner's browser gets names the endpoint or its delivery: there they do not exist.
    const other = await visitProfile(gateway, { signIn: account, path: '/deliveries' });
    const got: Promise<string>[] = [];
    // A reply of a page that was left has no text.
    other.on('response', (response) => void got.push(response.text().catch(() => '')));
    await other.reload();
    await other.getByText('No deliveries yet').waitFor();
    await other.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await other.getByText('No endpoints yet').waitFor();
    const all = (await Promise.all(got)).join();
    const deliveryId = new URL(delivery).pathname.split('/').at(-1);
    for (const mark of [hook.url, endpointId, deliveryId]) expect(all).not.toContain(mark);
    for (const address of [delivery, `${gateway.greeting.url}/profile/endpoints/${endpointId}`]) {
      await other.goto(address);
      await other.getByRole('alert').filter({ hasText: 'Not found' }).waitFor();
      expect(await other.content()).not.toContain(hook.url);
    }
  });

  test('a person at a stub adds a fault, sees the call that fails with it, and removes it', async () => {
    const stub = await openStub('pos');
    const page = await opened(stub.url, { bypassCSP: true });
    await page.getByRole('heading', { level: 1, name: 'Stub of pos' }).waitFor();
    const rowsOf = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('row');
    await page.getByText('No calls yet').waitFor();
    await page.getByText(`curl -s ${stub.url}/api/auth`).waitFor();
    const form = page.getByRole('form', { name: 'Add a fault' });
    await page.getByLabel('Calls', { exact: true }).selectOption('createSale');
    await form.getByLabel('HTTP status').fill('503');
    await form.getByLabel('Retry-After').fill('5');
    await form.getByLabel('How many calls').fill('2');
    await form.getByRole('button', { name: 'Add a fault', exact: true }).click();
    await rowsOf('Faults').getByText('createSale:status=503,retry=5s,times=2').waitFor();
    expect(stub.faults.list()).toMatchObject([{ text: 'createSale:status=503,retry=5s,times=2' }]);

    const token = await stubToken(stub);
    const reply = await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    await rowsOf('Faults').filter({ hasText: 'fault-1' }).getByText('1 time').waitFor();
    const failed = rowsOf('Calls, newest first').filter({ hasText: '/api/v1/sales' });
    await failed.getByText('createSale:status=503').waitFor();
    await isAccessible(page);
    await failed.getByRole('button', { name: 'Remove its fault', exact: true }).click();
    await page.getByText('No faults').waitFor();
    expect(stub.faults.list()).toEqual([]);
    expect((await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() })).status).toBe(201);
    await rowsOf('Calls, newest first').filter({ hasText: '201' }).waitFor();
    expect(stub.uncheckedCalls()).toHaveLength(3);
  });
});
