import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { manage, operatorToken, register } from '../scale/services.ts';
import { receiver } from '../webhooks/receiver.ts';
import { emptyGateway, inBrowser, visit } from './console.ts';

const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');
const englishPage = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true });
const frenchPage = (page: Page) => page.getByRole('navigation', { name: 'Pages de la console' });

async function signInInFrench(page: Page): Promise<void> {
  await page.getByLabel('Identifiant secret').fill(operatorToken);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
  await frenchPage(page).waitFor();
}

inBrowser('the language of the console', () => {
  test('a browser that prefers French gets French; the switch changes to English, and that is remembered', async () => {
    const page = await visit(await emptyGateway(), { locale: 'fr-FR' });
    expect(await languageOf(page)).toBe('fr');
    await signInInFrench(page);

    await page.getByRole('button', { name: 'English', exact: true }).click();
    await englishPage(page).waitFor();
    expect(await languageOf(page)).toBe('en');
    await page.reload();
    await englishPage(page).waitFor();

    await page.getByRole('button', { name: 'Français', exact: true }).click();
    await frenchPage(page).waitFor();
    expect(await languageOf(page)).toBe('fr');
  });

  test('a browser that prefers neither language gets English', async () => {
    const page = await visit(await emptyGateway(), { locale: 'de-DE', credential: operatorToken });
    expect(await languageOf(page)).toBe('en');
  });

  test('numbers, durations, times and dates are written as in French', async () => {
    const gateway = await emptyGateway();
    const { url } = await receiver((response) => response.end('ok'));
    await register(gateway, url);
    await manage(gateway, 'GET', '/endpoints');
    const page = await visit(gateway, { locale: 'fr-FR', timezoneId: 'UTC' });
    await page.route('**/manage/v1/calls/count*', (route) =>
      route.fulfill({ json: { data: { count: 12_345, more: true, searched_to: null } } }),
    );
    await page.route('**/manage/v1/calls?*', async (route) => {
      const reply = await route.fetch();
      const { data, ...page } = await reply.json();
      const slow = { at: '2025-03-04T05:06:07.000Z', duration_ms: 1249 };
      await route.fulfill({ json: { ...page, data: data.map((call: object) => ({ ...call, ...slow })) } });
    });
    await signInInFrench(page);
    await page.getByRole('link', { name: 'Appels', exact: true }).click();
    await page.getByText(/^Plus de 12\s345 appels$/).waitFor();
    await page.getByText('1,2 s', { exact: true }).first().waitFor();
    const time = page.getByText(/4 mars 2025/).first();
    expect(await time.getAttribute('title')).toContain('mardi 4 mars 2025');
  });
});
