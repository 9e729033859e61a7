import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ServiceName } from '../../spec/documents/services.ts';
import { newDataDir, type Served, startProcess } from '../e2e/process.ts';
import { sharedByTests } from '../helper.ts';
import { manage, operatorToken } from '../scale/services.ts';
import { call, openStub } from '../stubs/partner.ts';
import { violationsOn } from './axe.ts';
import { inBrowser, opened } from './console.ts';
import { demoGateway, partnersOf, visitProfile } from './partner-page.ts';
import { closeForm, openForm, operation, sendForm } from './reference.ts';

/** Opens the API reference in the tab of a partner who is signed in, with the panel of the partner's own credentials. */
async function openReference(page: Page): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/docs`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('button', { name: /: your credentials$/ }).click();
}

const said = (page: Page, words: RegExp) => page.locator('#own-status').getByText(words).waitFor();
const closePanel = (page: Page) => page.getByRole('button', { name: 'Close', exact: true }).click();

/** The forms that are filled in with what belongs to the partner. `reference.test.ts` sends every form of a stub. */
const ownForms = {
  pos: ['issueToken', 'createSale', 'payByMobileMoney', 'readInventory'],
  cohesion: ['readMe', 'createFinancing', 'updateFinancing'],
} as const;

/** Sends these forms as they are filled in. Returns what was not answered with success. */
async function failuresOf(page: Page, api: ServiceName): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const id of ownForms[api]) {
    const found = operation(api, id);
    await openForm(page, api, found);
    const { status, body } = await sendForm(page);
    if (status !== 200 && status !== 201) failures.push([found.path, status, body]);
    await closeForm(page);
  }
  return failures;
}

/** Everything that the browser keeps for the gateway, without the cookies of the session, which scripts cannot read. */
const kept = (page: Page) =>
  page.evaluate(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, await indexedDB.databases(), await caches.keys(), history.state, location.href, document.cookie,
  ]))()`);

/** The calls that the gateway recorded, as an operator reads them. */
const recorded = async (gateway: Served): Promise<string> => {
  const { data } = (await manage(gateway, 'GET', '/calls?limit=100')).body as { data: { id: string }[] };
  return JSON.stringify(await Promise.all(data.map(async ({ id }) => (await manage(gateway, 'GET', `/calls/${id}`)).body)));
};

/** A sale that waits for its payment, so that the form of payments has one. */
async function sellUnpaid(gateway: Served, { key, secret }: { key: string; secret: string }): Promise<void> {
  const { body: signedIn } = await gateway.call('POST', '/pos/api/v1/auth', { body: { api_key: key, api_secret: secret } });
  const items = [{ product_id: 'PRD-0001', quantity: 1, price: 500 }];
  const sale = { store_id: 'STORE-ABJ-01', items, payment_method: 'mobile_money', customer_phone: '+2250700000000', total: 500 };
  const sold = await gateway.call('POST', '/pos/api/v1/sales', { token: signedIn.token, body: sale });
  expect(sold.status, JSON.stringify(sold.body)).toBe(201);
}

inBrowser('the API reference of a partner who is signed in', () => {
  // The first page of a reference takes a gateway four times as long as the next.
  const shared = sharedByTests(demoGateway);

  test('an account pastes its secret: requests work as they are filled in, and nothing of it is kept or recorded', async () => {
    // A process of its own, for its log.
    const gateway = await startProcess({ DATA_DIR: newDataDir(), DEMO: 'on', OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'info' });
    const { account } = partnersOf(gateway);
    await sellUnpaid(gateway, account);
    const page = await visitProfile(gateway, { signIn: account });
    await openReference(page);
    expect(await page.getByLabel('API key').inputValue()).toBe(account.key);
    await page.getByLabel('API secret').fill('sk_of_somebody_else');
    await page.getByRole('button', { name: 'Get a token', exact: true }).click();
    await said(page, /^No token: /);
    await page.getByLabel('API secret').fill(account.secret);
    await page.getByRole('button', { name: 'Get a token', exact: true }).click();
    await said(page, /^The requests of this page carry a token/);
    await closePanel(page);
    expect(await failuresOf(page, 'pos')).toEqual([]);
    await openForm(page, 'pos', operation('pos', 'createSale'));
    const token = /Bearer (\S+)/.exec(
      (await Promise.all([page.waitForRequest(/sales$/), sendForm(page)]))[0].headers().authorization ?? '',
    )?.[1];
    expect(token).toMatch(/^ey/);
    const where = [
      await kept(page),
      await recorded(gateway),
      gateway.output().stdout.slice(gateway.output().stdout.indexOf('\n')),
      gateway.output().stderr,
    ];
    for (const secret of [account.secret, token as string])
      expect(where.map((text) => String(text).includes(secret))).toEqual([false, false, false, false]);
    await page.reload();
    await page.getByRole('button', { name: /: your credentials$/ }).waitFor();
    expect(await page.content()).not.toContain(account.secret);
  }, 600_000);

  test('a token that a form brings is used from then on', async () => {
    const { gateway, account } = shared();
    const page = await visitProfile(gateway, { signIn: account });
    await openReference(page);
    await closePanel(page);
    await openForm(page, 'pos', operation('pos', 'readInventory'));
    expect((await sendForm(page)).status).toBe(401);
    await closeForm(page);
    await openForm(page, 'pos', operation('pos', 'issueToken'));
    await page.getByRole('dialog').locator('[contenteditable][data-language=json]').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify({ api_key: account.key, api_secret: account.secret }));
    expect((await sendForm(page)).status).toBe(200);
    await closeForm(page);
    await openForm(page, 'pos', operation('pos', 'readInventory'));
    expect((await sendForm(page)).status).toBe(200);
  }, 600_000);

  test('a user creates a token on the spot: requests work within the perimeter, and the token is shown once', async () => {
    const { gateway, user } = shared();
    const page = await visitProfile(gateway, { signIn: user, bypassCSP: true });
    await openReference(page);
    expect(await violationsOn(page, 'all', '#own-dialog')).toEqual([]);
    await page.getByRole('button', { name: 'Create a token for 8 hours', exact: true }).click();
    const created = page.locator('#own-created');
    await expect.poll(() => created.textContent()).toMatch(/^\d+\|[\w-]+$/);
    const token = await created.textContent();
    await closePanel(page);
    expect(await failuresOf(page, 'cohesion')).toEqual([]);
    for (const text of [await kept(page), await recorded(gateway)]) expect(String(text).includes(String(token))).toBe(false);
    await page.goto(`${gateway.greeting.url}/profile/tokens`);
    await page.getByRole('row').filter({ hasText: 'API reference' }).waitFor();
    await openReference(page);
    expect(await page.content()).not.toContain(token);
    const others = await gateway.call('POST', '/manage/v1/cohesion/users', {
      token: gateway.greeting.operator.token,
      body: { name: 'Awa', email: 'awa@example.org', role: 'gestionnaire' },
    });
    const made = await gateway.call('POST', `/manage/v1/cohesion/users/${others.body.data.id}/tokens`, {
      token: gateway.greeting.operator.token,
      body: { name: 'of Awa', abilities: ['read:stats'], structure_ids: null },
    });
    for (const [text, why] of [
      ['no token at all', /^Not used: an access token has the form number\|text/],
      ['9|é', /^Not used: an access token has the form number\|text/],
      ['999999|unknown', /^Not used: .*/],
      [made.body.data.token, new RegExp(`^Not used: it is of Awa \\(user:${others.body.data.id}\\), and you are signed in as `)],
    ] as const) {
      await page.getByLabel('Access token').fill(text);
      await page.getByRole('button', { name: 'Use this token', exact: true }).click();
      await said(page, why);
    }
    expect(await page.locator('#own-forget').isHidden()).toBe(true);
    // The one that the partner has already.
    await page.getByLabel('Access token').fill(user.token);
    await page.getByRole('button', { name: 'Use this token', exact: true }).click();
    await said(page, /^The requests of this page carry the token/);
    await closePanel(page);
    await openForm(page, 'cohesion', operation('cohesion', 'readMe'));
    expect((await sendForm(page)).status).toBe(200);
  }, 600_000);

  test('the link to sign in comes back to the reference, and leads nowhere else', async () => {
    const { gateway, account } = shared();
    const page = await opened(`${gateway.greeting.url}/docs`, {});
    const signIn = async () => {
      await page.locator('input').nth(0).fill(account.key);
      await page.locator('input').nth(1).fill(account.secret);
      await page.locator('button[type=submit]').click();
    };
    await page.getByRole('link', { name: 'Sign in to fill in your own credentials', exact: true }).click();
    await signIn();
    await page.getByRole('button', { name: /: your credentials$/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    await page.context().clearCookies();
    for (const then of ['https://example.org', '//example.org', 'constructor']) {
      await page.goto(`${gateway.greeting.url}/profile?then=${encodeURIComponent(then)}`);
      await signIn();
      await page.getByRole('navigation', { name: /^Pages/ }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/profile');
      await page.context().clearCookies();
    }
  }, 600_000);

  test('a sign-out and another partner in a second tab leave nothing of the first one', async () => {
    const { gateway, account } = shared();
    const first = await visitProfile(gateway, { signIn: account });
    const name = await first.evaluate(`fetch('/profile/v1/session').then((reply) => reply.json()).then(({ data }) => data.name)`);
    await openReference(first);
    await first.getByLabel('API secret').fill(account.secret);
    await first.getByRole('button', { name: 'Get a token', exact: true }).click();
    await said(first, /^The requests of this page carry a token/);
    const others = (await manage(gateway, 'GET', '/pos/accounts')).body.data as { id: string; name: string }[];
    const other = others.find((one) => one.name !== name) as (typeof others)[number];
    const { data: link } = (await manage(gateway, 'POST', '/profile-links', { owner: `account:${other.id}` })).body;
    const second = await first.context().newPage();
    await second.goto(link.url);
    await first.getByRole('button', { name: `${other.name}: your credentials`, exact: true }).waitFor();
    const isGone = async () => {
      const content = await first.content();
      return [name as string, account.key, account.secret].map((one) => content.includes(one));
    };
    expect(await isGone()).toEqual([false, false, false]);

    await second.getByRole('button', { name: /^Signed in as/ }).click();
    await second.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await first.getByRole('link', { name: 'Sign in to fill in your own credentials', exact: true }).waitFor();
    expect(await first.content()).not.toContain(other.name);
    expect(await isGone()).toEqual([false, false, false]);
  }, 600_000);

  test('a stub fills in its own credentials, and those of a partner who is signed in', async () => {
    const stub = await openStub('pos', { console: true });
    const [account] = stub.credentials.accounts.filter(({ apiKey }) => apiKey !== stub.credentials.apiKey);
    if (!account) throw new Error('The stub has one account only.');
    const page = await visitProfile(
      { greeting: { url: stub.url } as never },
      { signIn: { key: account.apiKey, secret: account.apiSecret } },
    );
    await openReference(page);
    expect(await page.getByLabel('API key').inputValue()).toBe(account.apiKey);
    await page.getByLabel('API secret').fill(account.apiSecret);
    await page.getByRole('button', { name: 'Get a token', exact: true }).click();
    await said(page, /^The requests of this page carry a token/);
    await closePanel(page);
    await openForm(page, 'pos', operation('pos', 'createSale'));
    expect((await sendForm(page)).status).toBe(201);
    const { body } = await call(stub, 'GET', '/manage/v1/calls?operation=createSale', { token: stub.operatorToken });
    expect(body.data.map(({ caller }: { caller: string }) => caller)).toEqual([account.owner]);
  }, 600_000);
});
