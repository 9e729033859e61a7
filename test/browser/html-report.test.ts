import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Verification } from '../../contracts/tools/verification/result.ts';
import { attacks, hostile, interaction, price, verification } from '../contracts/verifications.ts';
import { htmlReport } from '../contracts/verify-reports.ts';
import { violationsInEveryForm } from './axe.ts';
import { inBrowser, newPage } from './console.ts';

/** Opens a report as a file. The test fails if a script runs, the policy is violated, or anything else is asked for. */
async function open(verifications: readonly Verification[], options: { bypassCSP?: boolean } = {}) {
  const file = join(mkdtempSync(join(tmpdir(), 'passerelle-html-')), 'report.html');
  writeFileSync(file, htmlReport(verifications));
  const page = await newPage({ viewport: { width: 1440, height: 900 }, ...options });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  page.on('dialog', (dialog) => problems.push(dialog.message()));
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(file).href) problems.push(request.url());
  });
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(pathToFileURL(file).href);
  return page;
}

const exchange = {
  request: { method: 'POST', path: '/api/v1/sales', query: '', headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
  reply: { status: 201, headers: { 'content-type': 'application/json' }, body: '{"success":true}' },
};
const store = [{ name: 'a store', params: {} }];
const mixed = verification(
  [
    interaction({ exchange }),
    interaction({ consumer: 'kiosk', description: 'pays', states: store, outcome: 'failed', problems: [price], exchange }),
    interaction({ consumer: 'kiosk', description: 'waits', outcome: 'pending', problems: [{ kind: 'status', message: 'No.' }] }),
  ],
  { notices: ['A note.'], unfinished: ['A teardown failed.'] },
);

inBrowser('the HTML report', () => {
  test('lists filter by result, consumer and state, together and without a script', async () => {
    const page = await open([mixed]);
    const rows = page.locator('.findings > li');
    const shown = async () =>
      (await rows.filter({ visible: true }).allTextContents()).map((text) => /pays|waits|reads/.exec(text)?.[0]);
    expect(await shown()).toEqual(['pays', 'waits', 'reads']);
    await page.getByLabel('Consumer').selectOption('kiosk');
    expect(await shown()).toEqual(['pays', 'waits']);
    await page.getByLabel('Result').selectOption('pending');
    expect(await shown()).toEqual(['waits']);
    await page.getByLabel('Result').selectOption('all');
    await page.getByLabel('Given the state').selectOption('a store');
    expect(await shown()).toEqual(['pays']);
    await page.getByLabel('Consumer').selectOption('till');
    expect(await shown()).toEqual([]);
    await page.getByLabel('Given the state').selectOption('all');
    await rows.filter({ hasText: 'reads the inventory' }).locator('summary').click();
    await page.getByText('HTTP 201').filter({ visible: true }).waitFor();
  });

  test('no page violates a rule of axe, in light and dark, and each fits the width of a phone', async () => {
    const wide = interaction({
      description: 'long-'.repeat(100),
      source: `${'folder/'.repeat(40)}a.json`,
      outcome: 'failed',
      problems: [price],
    });
    const found: string[] = [];
    for (const [name, shown] of Object.entries({ mixed: [mixed], hostile: attacks.map(hostile), wide: [verification([wide])] })) {
      const page = await open(shown, { bypassCSP: true });
      await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
      found.push(...(await violationsInEveryForm(page)).map((violation) => `${name}: ${violation}`));
    }
    expect(found).toEqual([]);
  });
});
