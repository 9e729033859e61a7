import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser } from './console.ts';
import { demoGateway, visitProfile } from './partner-page.ts';

const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');
const englishPage = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true });

inBrowser('the language of the pages', () => {
  test('a partner whose browser prefers French gets French; the switch changes to English, and that is remembered', async () => {
    const { gateway, account } = await demoGateway();
    const page = await visitProfile(gateway, { signIn: account, locale: 'fr-FR' });
    const toEnglish = page.getByRole('button', { name: 'English', exact: true });
    await toEnglish.waitFor();
    expect(await languageOf(page)).toBe('fr');

    await toEnglish.click();
    await englishPage(page).waitFor();
    expect(await languageOf(page)).toBe('en');
    await page.reload();
    await englishPage(page).waitFor();

    await page.getByRole('button', { name: 'Français', exact: true }).click();
    await toEnglish.waitFor();
    expect(await languageOf(page)).toBe('fr');
  });
});
