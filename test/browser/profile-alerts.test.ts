import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { emailChannel } from '../alerts/harness.ts';
import { mailServer } from '../alerts/mail-server.ts';
import { manage, operatorToken } from '../scale/services.ts';
import { tooWideForPhone, violationsInEveryForm } from './axe.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';
import { visitProfile } from './partner-page.ts';

const shots = process.env.PASSERELLE_SHOTS;
const shot = async (page: Page, name: string) => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
};

/** Looks at a page in light and dark, on a desktop and a phone. Only the width of the words depends on the language. */
async function inspect(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await shot(page, `${name}-desktop`);
  expect(await (name.startsWith('en') ? violationsInEveryForm(page) : tooWideForPhone(page)), name).toEqual([]);
  await shot(page, `${name}-phone`);
}

/** Returns whether the middle of the text is inside of everything around it: a cut text has parts outside. */
const isWithinItsParts = (page: Page, text: string) =>
  page
    .locator('main')
    .getByText(text)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      for (let around = element.parentElement; around; around = around.parentElement)
        if (middle > around.getBoundingClientRect().bottom) return false;
      return true;
    });

inBrowser("alerts on the profile's page", () => {
  test('an account adds an address, enters the code, gets a test, switches a kind off, and reads what was sent', async () => {
    const gateway = await emptyGateway({ PUBLIC_URL: 'https://gateway.example.org' });
    const mail = await mailServer();
    const { body: account } = await manage(gateway, 'POST', '/pos/accounts', { name: 'Boutique du Plateau', plan: 'pro' });
    const { body: key } = await manage(gateway, 'POST', `/pos/accounts/${account.data.id}/keys`);
    const signIn = (options: BrowserContextOptions = {}) =>
      visitProfile(gateway, { signIn: { key: key.data.api_key, secret: key.data.api_secret }, path: '/alerts', ...options });

    const page = await signIn();
    await page.getByText('No e-mail is sent').waitFor();
    await page.getByText('Nobody is told').waitFor();
    const channel = { ...emailChannel(mail.port), for_partners: true };
    expect((await manage(gateway, 'POST', '/alerts/channels', channel)).status).toBe(201);

    await page.getByRole('link', { name: 'Add an address', exact: true }).click();
    await page.getByRole('button', { name: 'Add an address', exact: true }).click();
    await page.getByLabel('E-mail address').fill('caisse@example.org');
    await page.getByRole('dialog').getByRole('button', { name: 'Add an address', exact: true }).click();
    await page.getByText('A code was sent to caisse@example.org.').waitFor();
    const code = /\b([2-9A-Z]{8})\b/.exec(mail.mails.at(-1)?.body ?? '')?.[1] ?? '';
    await page.getByRole('link', { name: 'caisse@example.org', exact: true }).click();
    await page.getByRole('button', { name: 'Enter the code', exact: true }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill('wrongone');
    await page.getByRole('dialog').getByRole('button', { name: 'Enter the code', exact: true }).last().click();
    await page.getByText(/This is not the code/).waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByRole('dialog').getByRole('button', { name: 'Enter the code', exact: true }).last().click();
    await page.getByText('caisse@example.org gets your alerts.').waitFor();
    await shot(page, 'address');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Send a test', exact: true }).click();
    await page.getByText('The mail server took the test.').waitFor();
    expect(mail.mails.at(-1)).toMatchObject({ to: ['caisse@example.org'], subject: '[Passerelle] Test of your alerts' });
    await page.getByRole('switch', { name: 'An endpoint works again' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Language of the messages').selectOption('fr');
    await expect
      .poll(async () => (await gateway.call('GET', '/profile/v1/alerts', { token: await tokenOf() })).body.data)
      .toMatchObject({ language: 'fr', kinds: { endpoint_recovered: false, endpoint_held: true } });

    expect((await manage(gateway, 'POST', '/endpoints', ownedBy(account.data.id))).status).toBe(201);
    const [endpoint] = (await manage(gateway, 'GET', '/endpoints')).body.data;
    expect((await manage(gateway, 'PATCH', `/endpoints/${endpoint.id}`, { active: false })).status).toBe(200);
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await expect.poll(() => mail.mails.at(-1)?.subject).toMatch(/désactivé votre endpoint « Caisse »/);
    await page.reload();
    await page
      .getByRole('link', { name: /An endpoint is disabled/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText(/^250 /).waitFor();
    await shot(page, 'message');

    for (const locale of ['en-GB', 'fr-FR']) {
      const other = await signIn({ locale, bypassCSP: true });
      for (const path of ['', '/addresses', '/messages']) {
        await other.goto(`${gateway.greeting.url}/profile/alerts${path}`);
        await other.getByRole('navigation', { name: /^Pages/ }).waitFor();
        await other
          .locator('main')
          .getByText(/caisse@example\.org|Caisse/)
          .first()
          .waitFor();
        await inspect(other, `${locale}${path.replace('/', '-')}`);
      }
      const operators = await visit(gateway, { path: '/alerts', credential: operatorToken, locale, bypassCSP: true });
      await operators.locator('main').getByText('Boutique du Plateau').first().waitFor();
      await inspect(operators, `${locale}-operators`);
      expect(await isWithinItsParts(operators, 'Boutique du Plateau'), 'the partner on a phone').toBe(true);
    }

    async function tokenOf(): Promise<string> {
      const { api_key, api_secret } = key.data;
      return (await gateway.call('POST', '/pos/api/auth', { body: { api_key, api_secret } })).body.token;
    }
  });
});

const ownedBy = (account: string) => ({
  service: 'pos',
  owner: `account:${account}`,
  url: 'https://example.com/hook',
  description: 'Caisse',
});
