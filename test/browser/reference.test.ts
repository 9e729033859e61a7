import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { serviceNames } from '../../spec/documents/services.ts';
import { eventsOf, operationsOf } from '../../spec/openapi/operations.ts';
import { openStub } from '../stubs/partner.ts';
import { inBrowser, newPage } from './console.ts';
import { closeForm, goTo, openForm, operation, sendForm } from './reference.ts';

/** The reference page of a stub. The test fails on an error, a violation of the policy, or a request to another server. */
async function open(url: string): Promise<Page> {
  const page = await newPage({ viewport: { width: 1400, height: 900 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${url}/`)) problems.push(request.url());
  });
  onTestFinished(() => expect(problems.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([]));
  await page.goto(`${url}/docs`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

inBrowser('the API reference of a stub', () => {
  test.each(serviceNames)('every form of %s works as it is filled in, and every event is listed', async (api) => {
    const page = await open((await openStub(api)).url);
    for (const { summary = '' } of Object.values(eventsOf(api))) await page.getByText(summary, { exact: true }).first().waitFor();
    for (const found of operationsOf(api)) {
      await openForm(page, api, found);
      expect([found.path, (await sendForm(page)).status]).toEqual([
        found.path,
        expect.toSatisfy((status) => status === 200 || status === 201),
      ]);
      await closeForm(page);
    }
  });

  test('a refusal says what to do; a requested fault is applied', async () => {
    const page = await open((await openStub('cohesion')).url);
    await openForm(page, 'cohesion', operation('cohesion', 'createFinancing'));
    const dialog = page.getByRole('dialog');
    await dialog.locator('[contenteditable][data-language=json]').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{}');
    const { status, body } = await sendForm(page);
    expect(status).toBe(422);
    await dialog.getByText(JSON.parse(body).help.hint).waitFor();
    await page.getByRole('row').filter({ hasText: 'Prefer' }).getByLabel('Value').last().click();
    await page.keyboard.type('code=503');
    await page.keyboard.press('Tab');
    expect((await sendForm(page)).status).toBe(503);
  });

  test('an event is described, but has no form', async () => {
    const page = await open((await openStub('pos')).url);
    await page.getByText('A sale has been completed', { exact: true }).first().click();
    await page.getByText('passerelle trigger sale.completed').first().waitFor();
    expect(
      await page
        .locator('[id*="/webhook/"]')
        .getByRole('button', { name: /^Test Request/ })
        .count(),
    ).toBe(0);
  });

  test('a gap is linked to its entry in the register', async () => {
    const { url } = await openStub('cohesion');
    const page = await open(url);
    await goTo(page, 'cohesion', operation('cohesion', 'readMe'));
    const link = page.getByRole('main').getByRole('link', { name: 'cohesion.me-ability', exact: true }).first();
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('/docs/gaps#cohesion.me-ability');
  });
});
