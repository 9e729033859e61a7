import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventsOf, operationsOf } from '../../contracts/openapi/operations.ts';
import { call, openStub } from './partner.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

test.each(['pos', 'cohesion'] as const)('/docs of %s reads without scripts, and runs none but its own', async (api) => {
  const stub = await openStub(api);
  const { status, headers, body } = await call(stub, 'GET', '/docs');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha/,
  );
  expect(body.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/try.js" defer>']);
  for (const { operation } of operationsOf(api)) {
    expect(body).toContain(`<article id="${operation.operationId}"`);
    for (const gap of operation['x-gap'] ?? []) expect(body).toContain(`href="/docs/gaps#${gap}"`);
  }
  for (const type of Object.keys(eventsOf(api))) expect(body).toContain(`<article id="${type}"`);
  // What stands between tags is text of ours, escaped.
  expect(body.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
});

test('the page is no call: the journal stays empty', async () => {
  const stub = await openStub('pos');
  await call(stub, 'GET', '/docs');
  expect((await call(stub, 'GET', '/docs/try.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(stub.calls()).toEqual([]);
});

describe.skipIf(!existsSync(executablePath))(
  `in a browser${existsSync(executablePath) ? '' : ` (skipped: no Chromium at ${executablePath})`}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(() => browser?.close());

    /** The page, and what went wrong on it. */
    async function open(url: string): Promise<{ page: Page; errors: string[] }> {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => message.text().includes('Content Security Policy') && errors.push(message.text()));
      await page.goto(`${url}/docs`);
      return { page, errors };
    }

    test.each(['pos', 'cohesion'] as const)('every form of %s works as it is filled in', async (api) => {
      const stub = await openStub(api);
      const { page, errors } = await open(stub.url);
      for (const { operation } of operationsOf(api)) {
        await page.click(`#${operation.operationId} button`);
        expect(await page.textContent(`#${operation.operationId} .status`), operation.operationId).toMatch(/^20[01] /);
      }
      expect(errors).toEqual([]);
    });

    test('a refusal shows its reply and what to do; a fault on demand comes', async () => {
      const stub = await openStub('cohesion');
      const { page } = await open(stub.url);
      await page.fill('#createFinancing textarea', '{}');
      await page.click('#createFinancing button');
      expect(await page.textContent('#createFinancing .status')).toMatch(/^422 /);
      expect(await page.textContent('#createFinancing .hint')).toContain('Fix the fields below');
      await page.fill('#readMe input[name=prefer]', 'code=503');
      await page.click('#readMe button');
      expect(await page.textContent('#readMe .status')).toMatch(/^503 /);
      expect(await page.textContent('#readMe .hint')).toContain('Prefer');
    });
  },
);
