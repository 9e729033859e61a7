import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openStub } from '../stubs/partner.ts';
import { violationsOn } from './axe.ts';
import { inBrowser, opened } from './console.ts';

const phone = { viewport: { width: 390, height: 844 } };

/** Opens a guide of a stub. The test fails if the page asks another server for anything, or writes an error to the console that is not expected. */
async function openGuide(path: string, options: BrowserContextOptions = {}, expected = /^$/): Promise<Page> {
  const { url } = await openStub('pos');
  const page = await opened(`${url}/docs/guides`, options);
  const problems: string[] = [];
  page.on('request', (request) => request.url().startsWith(`${url}/`) || problems.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && !expected.test(message.text()) && problems.push(message.text()));
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(`${url}/docs/guides/${path}`);
  return page;
}

const results = (page: Page) => page.getByRole('dialog').locator('.found a');
const field = (page: Page) => page.getByRole('textbox', { name: 'Search the guides' });
const backColour = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');
const dark = 'rgb(20, 23, 29)';
const light = 'rgb(255, 255, 255)';

inBrowser('the guides', () => {
  test('the search opens with / and Ctrl+K, and its results with the keyboard', async () => {
    const page = await openGuide('partners/faults');
    await page.keyboard.press('/');
    await page.keyboard.type('rotate secret');
    await results(page).first().getByText('Rotate the secret').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    for (const query of ['429', 'Idempotency-Key']) {
      await field(page).fill(query);
      await page.getByRole('dialog').getByText(`for “${query}”`).waitFor();
      expect(await results(page).count()).toBeGreaterThan(3);
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = await results(page).nth(1).getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${second}`);
  });

  test('a result in the open page, and Enter in the field, lead to the first result', async () => {
    const page = await openGuide('partners/your-webhooks');
    await page.keyboard.press('/');
    await page.keyboard.type('rotate secret');
    await results(page).first().getByText('Rotate the secret').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/partners/your-webhooks#rotate-the-secret');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  test('Enter opens the first result of the text in the field, however late its answer comes', async () => {
    const page = await openGuide('partners/faults');
    await page.keyboard.press('/');
    await field(page).fill('signature');
    await results(page).first().waitFor();
    const asked = Promise.withResolvers<Route>();
    await page.route('**/search?q=rotate%20secret', (route) => asked.resolve(route));
    await field(page).fill('rotate secret');
    await page.keyboard.press('Enter');
    await (await asked.promise).continue();
    await page.waitForURL('**/partners/your-webhooks#rotate-the-secret');
  });

  test('a search that fails or is cut off says so, and Enter asks again', async () => {
    const page = await openGuide('fr/partners', {}, /Failed to load resource/);
    await page.keyboard.press('/');
    const query = page.getByRole('textbox', { name: 'Rechercher dans les guides' });
    const failures = [
      (route: Route) => route.fulfill({ status: 503, json: { success: false } }),
      (route: Route) => route.abort(),
    ];
    for (const fail of failures) {
      await page.route('**/search?q=429', fail, { times: 1 });
      await query.fill('429');
      await page.getByRole('alert').getByText('La recherche ne répond pas. Réessayez.').waitFor();
      expect(await results(page).count()).toBe(0);
      await query.fill('secret');
      await results(page).first().waitFor();
    }
    await page.route('**/search?q=429', (route) => route.abort(), { times: 1 });
    await query.fill('429');
    await page.getByRole('alert').waitFor();
    await query.press('Enter');
    await page.waitForURL('**#*');
  });

  test('a button copies a block as it is written', async () => {
    const page = await openGuide('partners/start-node', { permissions: ['clipboard-read', 'clipboard-write'] });
    const block = page.locator('.code').nth(4);
    await block.getByRole('button', { name: 'Copy', exact: true }).click();
    await block.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('code').textContent());
    expect(copied).toMatch(/^import \{ createServer \} from 'node:http';\n/);
  });

  test('the theme follows the system until one is chosen, which the other pages have too', async () => {
    const page = await openGuide('partners/faults', { colorScheme: 'dark' });
    expect(await backColour(page)).toBe(dark);
    await page.getByLabel('Theme').selectOption('Light');
    expect(await backColour(page)).toBe(light);
    await page.goto(new URL('/docs/gaps', page.url()).href);
    expect(await backColour(page)).toBe(light);
    await page.goto(new URL('/docs', page.url()).href);
    await page.locator('body.light-mode').waitFor();
  });

  test('on a phone nothing is wider than the page, and both lists open and close', async () => {
    const page = await openGuide('partners/faults', phone);
    for (const path of [
      'partners',
      'partners/start-node',
      'partners/receiver-java',
      'reference/refusals',
      'fr',
      'search?q=webhook',
    ]) {
      await page.goto(new URL(`/docs/guides/${path}`, page.url()).href);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
    }
    await page.goto(new URL('/docs/guides/partners/start-node', page.url()).href);
    await page.getByRole('button', { name: 'On this page', exact: true }).press('Enter');
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: '3. Call the API', exact: true })
      .click();
    await page.waitForURL('**#3-call-the-api');
    await page.getByRole('navigation', { name: 'On this page' }).waitFor({ state: 'hidden' });
    const guides = page.getByRole('navigation', { name: 'All guides' });
    await page.getByRole('button', { name: 'All guides', exact: true }).press('Enter');
    await guides.getByRole('button', { name: 'Close', exact: true }).click();
    await guides.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'All guides', exact: true }).press('Enter');
    await guides.getByRole('link', { name: 'Faults', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Faults' }).waitFor();
  });

  test('on a phone the list of guides opens at the open page, and no button covers a command', async () => {
    const page = await openGuide('partners/probe', { ...phone, permissions: ['clipboard-write'] });
    const boxes = (selector: string) => page.locator('.code').first().locator(selector).boundingBox();
    const [button, command] = await Promise.all([boxes('button'), boxes('pre')]);
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(command?.y ?? 0);
    await page.getByRole('button', { name: 'All guides', exact: true }).click();
    const bottom = `document.querySelector('#pages [aria-current]').getBoundingClientRect().bottom`;
    const isShown = () => page.evaluate(`${bottom} > 0 && ${bottom} < innerHeight`);
    await expect.poll(isShown).toBe(true);
  });

  test('a wide table has the width of a wide screen', async () => {
    const page = await openGuide('partners/helpers', { viewport: { width: 1440, height: 900 } });
    const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table'))`;
    expect(await page.evaluate(hidden)).toBe(0);
  });

  test('a partner reads the guide in French, and what is not translated in English', async () => {
    const page = await openGuide('partners');
    await page.getByRole('link', { name: 'Français', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Dépannage', exact: true }).click();
    await page.getByText('Cette page n’est pas encore traduite').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Troubleshooting' }).waitFor();
    await page.goBack();
    await page.getByRole('main').getByRole('link', { name: 'Commencer avec PHP', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Commencer avec PHP' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Les pannes', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Pannes' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('recepteur');
    await results(page).first().getByText('récepteur').first().waitFor();
  });

  test('without scripts the search is a page', async () => {
    const page = await openGuide('partners/faults', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('main').getByRole('textbox').fill('429');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Limits' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Copy', exact: true }).count()).toBe(0);
  });

  test.each(['', 'partners/start-node', 'fr/alerts', 'fr/partners/faults', 'search?q=429'])(
    '/docs/guides/%s is accessible',
    async (path) => {
      const page = await openGuide(path);
      for (const viewport of [{ width: 1440, height: 900 }, phone.viewport]) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect([viewport.width, colorScheme, ...(await violationsOn(page, 'all'))]).toEqual([viewport.width, colorScheme]);
        }
      }
    },
  );
});
