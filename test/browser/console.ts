import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { builtFolder } from '../../gateway/console/serve.ts';
import { greetingOf } from '../../gateway/start/greeting.ts';
import { caller, type Served } from '../e2e/process.ts';
import { buildTestApp } from '../helper.ts';
import { type Environment, operatorToken } from '../scale/services.ts';
import { chromiumPath } from './chromium.ts';

/** `describe` for tests that need Chromium. Without it they are skipped, with the reason in their name. */
export function inBrowser(name: string, body: () => void): void {
  if (existsSync(chromiumPath)) describe(name, body);
  else describe.skip(`${name} (skipped: no Chromium; apt-get install chromium-headless-shell, or set CHROMIUM)`, body);
}

let browser: Promise<Browser> | undefined;

/** The browser that all tests of a file share. Each test has its own context. */
export function launched(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  return browser;
}

afterAll(async () => (await browser)?.close());

/**
 * Opens a gateway without demo data on the memory tier, in this process: one with a database takes half of a test's time to start. The
 * operator signs in with `operatorToken`; webhooks may go to loopback addresses.
 */
export async function emptyGateway(environment: Environment = {}): Promise<Served> {
  const settings = { DEMO: 'off', ...environment };
  const { app, demo } = await buildTestApp({ demo: settings.DEMO === 'on', settings, operatorToken, pagesFolder: builtFolder });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { greeting: greetingOf(url, operatorToken, demo), call: caller(url) };
}

export interface Visit extends BrowserContextOptions {
  /** Path below /console. */
  path?: string;
  /** Signs in with this credential. Without it, the page is signed out. */
  credential?: string;
}

/** Opens a page of the console. */
export async function visit(gateway: Served, { path = '', credential, ...options }: Visit = {}): Promise<Page> {
  const page = await opened(`${gateway.greeting.url}/console${path}`, options);
  if (credential !== undefined) await signIn(page, credential);
  return page;
}

/** The requests of each page that have no reply yet. */
const inFlight = new WeakMap<Page, Set<Request>>();

/** Opens an address. The test fails if a script throws or the content security policy is violated. */
export async function opened(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await launched()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const requests = new Set<Request>();
  inFlight.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|violates/.test(message.text())) errors.push(message.text());
  });
  onTestFinished(() => expect(errors).toEqual([]));
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const unanswered = [...requests].map((request) => `${request.method()} ${request.url()}`).join(', ') || 'none';
    const shown = (await page.locator('body').innerText()).slice(0, 4000);
    process.stderr.write(`The page when the test failed: ${page.url()}. Requests without a reply: ${unanswered}.\n${shown}\n`);
  });
  await page.goto(url);
  return page;
}

const twoFrames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Waits until a page has everything it asked for, and shows it. Playwright's `networkidle` is half a second without requests. */
export async function settled(page: Page): Promise<void> {
  const isQuiet = async () => {
    await page.evaluate(twoFrames);
    return inFlight.get(page)?.size === 0 && (await page.locator('.mantine-Skeleton-root').count()) === 0;
  };
  // What a reply leads to may be asked for a moment later.
  await expect.poll(async () => (await isQuiet()) && (await isQuiet())).toBe(true);
}

export async function signIn(page: Page, credential: string): Promise<void> {
  await page.getByLabel(/^(Credential|Identifiant secret)/).fill(credential);
  await page.getByRole('button', { name: /^(Sign in|Se connecter)$/ }).click();
  await page.getByRole('navigation', { name: /^Pages/ }).waitFor();
}

/** Clicks as an operator does, and counts the clicks. */
export function operator() {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    /** Returns the clicks since the last question. */
    clicks: () => {
      const made = clicks;
      clicks = 0;
      return made;
    },
  };
}
