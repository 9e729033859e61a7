import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { newDataDir, type Started, startProcess } from '../e2e/process.ts';
import { type Environment, operatorToken } from '../scale/services.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Describes what needs a browser; where there is none it says so and skips. */
export function inBrowser(name: string, body: () => void): void {
  if (existsSync(executablePath)) describe(name, body);
  else describe.skip(`${name} (skipped: no Chromium at ${executablePath}; apt-get install chromium, or set CHROMIUM)`, body);
}

let browser: Promise<Browser> | undefined;

/** One browser for all tests of a file; each test has a context of its own. */
export function launched(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return browser;
}

afterAll(async () => (await browser)?.close());

/** A gateway without demo data, whose operator signs in with `operatorToken`; it delivers to this machine. */
export const emptyGateway = (settings: Environment = {}): Promise<Started> =>
  startProcess({
    DATA_DIR: newDataDir({ empty: true }),
    DEMO: 'off',
    WEBHOOK_LOOPBACK: 'on',
    OPERATOR_TOKEN: operatorToken,
    LOG_LEVEL: 'silent',
    ...settings,
  });

export interface Visit extends BrowserContextOptions {
  /** Path below /console. */
  path?: string;
  /** Nobody is signed in where it is left out. */
  credential?: string;
}

/** A page that fails its test where its script throws, or where the page's policy (CSP) had to step in. */
export async function visit(gateway: Started, { path = '', credential, ...options }: Visit = {}): Promise<Page> {
  const context = await (await launched()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|violates/.test(message.text())) faults.push(message.text());
  });
  onTestFinished(() => expect(faults).toEqual([]));
  await page.goto(`${gateway.greeting.url}/console${path}`);
  if (credential !== undefined) await signIn(page, credential);
  return page;
}

export async function signIn(page: Page, credential: string): Promise<void> {
  await page.getByLabel('Credential').fill(credential);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
