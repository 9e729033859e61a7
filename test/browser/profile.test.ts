import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { root } from '../e2e/process.ts';
import { manage } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { tooWideForPhone, violationsInEveryForm } from './axe.ts';
import { inBrowser, opened, settled } from './console.ts';
import { addEndpoint, demoGateway, visitProfile } from './partner-page.ts';

/** A call of each partner, which its list of calls shows. */
async function callOnce({ gateway, user, account }: Awaited<ReturnType<typeof demoGateway>>): Promise<void> {
  const body = { api_key: account.key, api_secret: account.secret };
  const { token } = (await gateway.call('POST', '/pos/api/auth', { body })).body;
  for (const [path, bearer] of [
    ['/pos/api/v1/inventory?store_id=nowhere', token],
    ['/cohesion/api/v1/stats', user.token],
  ])
    expect((await gateway.call('GET', path, { token: bearer })).status, path).not.toBe(401);
}

inBrowser('the profile of a partner', () => {
  test('a link replaces the session of before, even if the answer about that one comes late', async () => {
    const { gateway, user } = await demoGateway();
    const page = await visitProfile(gateway, { signIn: user });
    const [{ id, name }] = (await manage(gateway, 'GET', '/pos/accounts')).body.data;
    const { data: link } = (await manage(gateway, 'POST', '/profile-links', { owner: `account:${id}` })).body;
    const shown = Promise.withResolvers<void>();
    let isOpen = false;
    let askedBefore = 0;
    await page.context().route('**/profile/v1/session', async (route) => {
      if (route.request().method() === 'POST') {
        await route.fulfill({ response: await route.fetch() });
        isOpen = true;
      } else if (isOpen) await route.continue();
      else {
        // Nothing needs to be asked with the session of before. If it is, the answer comes late: that session has ended.
        askedBefore += 1;
        await shown.promise;
        await route.fulfill({
          status: 401,
          json: { success: false, error: { code: 'session_expired', message: 'It has ended.' } },
        });
      }
    });
    const second = await page.context().newPage();
    await second.goto(link.url);
    await second.getByRole('button', { name: `Signed in as ${name}`, exact: true }).waitFor();
    shown.resolve();
    await second.getByRole('link', { name: 'API keys', exact: true }).click();
    await second.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(askedBefore).toBe(0);
  });

  test('a link signs in once and leaves the address; a session for reading has no button that changes something', async () => {
    const { gateway } = await demoGateway();
    const { data: accounts } = (await manage(gateway, 'GET', '/pos/accounts')).body;
    const asked = { owner: `account:${accounts[0].id}`, expires_in_minutes: 60, read_only: true };
    const { data: link } = (await manage(gateway, 'POST', '/profile-links', asked)).body;
    const page = await opened(link.url);
    await page.getByText('This session may only read').waitFor();
    expect(page.url()).toBe(`${gateway.greeting.url}/profile`);
    for (const name of ['Webhooks', 'API keys', 'Deliveries', 'Calls']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      for (const button of ['Add an endpoint', 'New key', 'Retry everything owed'])
        expect(await page.getByRole('button', { name: button }).count(), `${name}: ${button}`).toBe(0);
    }
    const again = await opened(link.url);
    await again.getByRole('alert').filter({ hasText: 'This link does not sign you in' }).waitFor();
  });

  test('a tab that shows one partner does nothing in the name of another who signed in in a second tab', async () => {
    const { gateway, account } = await demoGateway();
    const stale = await visitProfile(gateway, { signIn: account, path: '/keys' });
    const owners = (await manage(gateway, 'GET', '/pos/accounts')).body.data as { id: string; name: string }[];
    const keysOf = async (id: string) => (await manage(gateway, 'GET', `/pos/accounts/${id}/keys`)).body.data.length;
    const shownIn = (page: Page) =>
      page
        .getByRole('navigation', { name: /^Pages/ })
        .getByText(/^account:/)
        .textContent();
    const first = (await shownIn(stale))?.replace('account:', '');
    const second = owners.find(({ id }) => id !== first) as (typeof owners)[number];
    const before = await keysOf(second.id);
    const { data: link } = (await manage(gateway, 'POST', '/profile-links', { owner: `account:${second.id}` })).body;
    const fresh = await stale.context().newPage();
    await fresh.goto(link.url);
    await expect.poll(() => shownIn(fresh)).toBe(`account:${second.id}`);

    await stale.getByRole('button', { name: 'New key', exact: true }).click();
    const dialog = stale.getByRole('dialog').getByRole('button', { name: 'New key', exact: true });
    const replaced = stale.getByRole('heading', { level: 1, name: 'Another partner is signed in' });
    await dialog.or(replaced).first().waitFor();
    // The page may be replaced at any moment, so this click does not wait.
    await dialog.evaluateAll('(buttons) => buttons[0]?.click()');
    await replaced.waitFor();
    expect(await keysOf(second.id)).toBe(before);
    await stale.getByRole('link', { name: 'Show who is signed in now', exact: true }).click();
    await expect.poll(() => shownIn(stale)).toBe(`account:${second.id}`);
  });

  test('calls that no limit counts are not said to be none; all that is owed has what a pause skipped', async () => {
    const { gateway, user } = await demoGateway();
    expect((await gateway.call('GET', '/cohesion/api/v1/stats', { token: user.token })).status).toBe(200);
    const page = await visitProfile(gateway, { signIn: user });
    await page.getByRole('table', { name: 'Calls by day' }).waitFor();
    await page.getByText('No limit counted your calls of the last 24 hours.').waitFor();
    expect(await page.getByText('No calls in the last 24 hours').count()).toBe(0);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('button', { name: 'Retry everything owed', exact: true }).click();
    const chosen = page.getByRole('dialog').getByRole('checkbox');
    await chosen.first().waitFor();
    expect(await Promise.all((await chosen.all()).map((one) => one.isChecked()))).toEqual([true, true, true]);
  });

  test('the Escape key does not close what shows a secret once', async () => {
    const { gateway, account } = await demoGateway();
    const page = await visitProfile(gateway, { signIn: account, path: '/endpoints' });
    expect(await page.getByRole('link', { name: 'Access tokens', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add an endpoint', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://example.com/hook');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('[data-secret]').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have copied it: verify the endpoint', exact: true }).click();

    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('row').filter({ hasText: account.key }).getByRole('link').click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page
      .getByRole('dialog', { name: /^Rotate/ })
      .getByRole('button', { name: 'Rotate', exact: true })
      .click();
    await page.getByRole('button', { name: 'I have copied it', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have copied it', exact: true }).click();
  });

  test('a phone shows in the menu who is signed in', async () => {
    const { gateway, account } = await demoGateway();
    const page = await opened(`${gateway.greeting.url}/profile`, { viewport: { width: 390, height: 844 } });
    await page.locator('input').nth(0).fill(account.key);
    await page.locator('input').nth(1).fill(account.secret);
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page
      .getByRole('navigation', { name: /^Pages/ })
      .getByText(/^account:/)
      .waitFor();
  });

  test('no page violates a rule of axe, in light and dark, on a desktop and a phone, in English and French', async () => {
    const world = await demoGateway();
    const { gateway, user, account } = world;
    const hook = await receiver();
    const failing = await receiver((response) => response.writeHead(500).end('out of order'));
    await callOnce(world);
    for (const signIn of [user, account]) {
      const page = await visitProfile(gateway, { signIn, path: '/endpoints', bypassCSP: true });
      await addEndpoint(page, failing.url);
      await page.getByRole('button', { name: 'Verify now', exact: true }).click();
      await page.getByText('The endpoint is not verified', { exact: true }).waitFor();
      expect(await violationsInEveryForm(page)).toEqual([]);
      const endpoint = new URL(page.url()).pathname;
      await page.getByRole('link', { name: 'Show the delivery', exact: true }).click();
      await page.getByRole('link', { name: /^Attempt 1/ }).waitFor();
      const delivery = new URL(page.url()).pathname;
      await page.goto(`${gateway.greeting.url}/profile/calls`);
      const call = (await page.locator('main a[href^="/profile/calls/"]').first().getAttribute('href')) ?? '';
      const credentials = 'token' in signIn ? '/profile/tokens' : '/profile/keys';
      const names = ['/endpoints', '/deliveries', '/calls', '/alerts', '/alerts/messages', '/nowhere'];
      // The pages of both kinds of partners are the same, but for what they list.
      const pages = signIn === user ? [...names.map((name) => `/profile${name}`), endpoint, delivery, call] : [];
      const paths = ['/profile', credentials, ...pages];
      // French words are longer. Everything else is the same in both languages.
      for (const locale of ['en-GB', 'fr-FR']) {
        const visitor = await visitProfile(gateway, { signIn, locale, bypassCSP: true });
        for (const path of paths) {
          await visitor.goto(`${gateway.greeting.url}${path}`);
          await visitor.getByRole('heading', { level: 1 }).waitFor();
          await settled(visitor);
          expect(await visitor.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
          const found = await (locale === 'en-GB' ? violationsInEveryForm(visitor) : tooWideForPhone(visitor));
          expect(found, `${locale} ${path}`).toEqual([]);
        }
      }
    }
    expect(hook.received).toEqual([]);
    for (const locale of ['en-GB', 'fr-FR']) {
      const signedOut = await opened(`${gateway.greeting.url}/profile`, { locale, bypassCSP: true });
      await signedOut.getByRole('heading', { level: 1 }).waitFor();
      expect(await violationsInEveryForm(signedOut), locale).toEqual([]);
    }
  }, 1_200_000);
});

test('partners load no code of the operator: no operation of the manage API, no text that only operators see', () => {
  const folder = join(root, 'gateway/console/built');
  const codeOf = (name: string) =>
    globSync(`${name}/**/*.{js,html,css}`, { cwd: folder })
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
  const [console, profile] = [codeOf('console'), codeOf('profile')];
  const ofOperators = ['/manage/v1', '/back-office/', 'OPERATOR_TOKEN', 'Operators and viewers sign in here'];
  for (const text of ofOperators) {
    // The bundles are too long to be shown by a failure.
    expect([text, console.includes(text), profile.includes(text)]).toEqual([text, true, false]);
  }
  for (const text of ['/profile/v1', 'Sign in to your profile', 'Connexion à votre profil'])
    expect([text, console.includes(text), profile.includes(text)]).toEqual([text, false, true]);
});
