import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { emailChannel } from '../alerts/harness.ts';
import { mailServer } from '../alerts/mail-server.ts';
import { manage, operatorToken } from '../scale/services.ts';
import { tooWideForPhone, violationsInEveryForm } from './axe.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';
import { visitProfile } from './partner-page.ts';

/** Looks at a page in light and dark, on a desktop and a phone. Only the width of the words depends on the language. */
async function inspect(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await (name.startsWith('en') ? violationsInEveryForm(page) : tooWideForPhone(page)), name).toEqual([]);
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
  test('an account sets its address, enters the code, and reads what was sent', async () => {
    const gateway = await emptyGateway({ PUBLIC_URL: 'https://gateway.example.org' });
    const mail = await mailServer();
    const { body: account } = await manage(gateway, 'POST', '/pos/accounts', { name: 'Boutique du Plateau', plan: 'pro' });
    const { body: key } = await manage(gateway, 'POST', `/pos/accounts/${account.data.id}/keys`);
    const signIn = (options: BrowserContextOptions = {}) =>
      visitProfile(gateway, { signIn: { key: key.data.api_key, secret: key.data.api_secret }, path: '/alerts', ...options });

    const page = await signIn();
    await page.getByText('No e-mail is sent').waitFor();
    const channel = { ...emailChannel(mail.port), for_partners: true };
    expect((await manage(gateway, 'POST', '/alerts/channels', channel)).status).toBe(201);

    await page.getByLabel('E-mail address').fill('caisse@example.org');
    await page.getByLabel('Language of the messages').selectOption('fr');
    await page.getByRole('button', { name: 'Send the code', exact: true }).click();
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    const code = /\b([2-9A-Z]{8})\b/.exec(mail.mails.at(-1)?.body ?? '')?.[1] ?? '';
    await page.getByRole('textbox', { name: 'Code' }).fill('wrongone');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText(/This is not the code/).waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('caisse@example.org gets your alerts.').first().waitFor();

    expect((await manage(gateway, 'POST', '/endpoints', ownedBy(account.data.id))).status).toBe(201);
    const [endpoint] = (await manage(gateway, 'GET', '/endpoints')).body.data;
    expect((await manage(gateway, 'PATCH', `/endpoints/${endpoint.id}`, { active: false })).status).toBe(200);
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    const told = expect.stringMatching(/votre endpoint «.Caisse.» sur example\.com a été désactivé/i);
    await expect.poll(() => mail.mails.map(({ subject }) => subject)).toContainEqual(told);
    await page.reload();
    await page
      .getByRole('link', { name: /An endpoint is disabled/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText(/^250 /).waitFor();

    for (const locale of ['en-GB', 'fr-FR']) {
      const other = await signIn({ locale, bypassCSP: true });
      for (const path of ['', '/messages']) {
        await other.goto(`${gateway.greeting.url}/profile/alerts${path}`);
        await other.getByRole('navigation', { name: /^Pages/ }).waitFor();
        await other
          .locator('main')
          .getByText(/caisse@example\.org|Caisse/)
          .first()
          .waitFor();
        await inspect(other, `${locale}${path.replace('/', '-')}`);
      }
    }
    const operators = await visit(gateway, { path: '/alerts', credential: operatorToken, bypassCSP: true });
    await operators.locator('main').getByText('Boutique du Plateau').first().waitFor();
    await inspect(operators, 'en, operators');
    expect(await isWithinItsParts(operators, 'Boutique du Plateau'), 'the partner on a phone').toBe(true);
  });
});

const ownedBy = (account: string) => ({
  service: 'pos',
  owner: `account:${account}`,
  url: 'https://example.com/hook',
  description: 'Caisse',
});
