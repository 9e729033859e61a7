import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { builtFolder } from '../../gateway/console/serve.ts';
import { greetingOf } from '../../gateway/start/greeting.ts';
import { caller, type Served } from '../e2e/process.ts';
import { type AtEnd, buildTestApp } from '../helper.ts';
import { type Environment, operatorToken } from '../scale/services.ts';
import { chromiumPath } from './chromium.ts';

/** `describe` for tests that need Chromium. Without it they are skipped, with the reason in their name. */
export function inBrowser(name: string, body: () => void): void {
  if (existsSync(chromiumPath)) describe(name, body);
  else describe.skip(`${name} (skipped: no Chromium; apt-get install chromium-headless-shell, or set CHROMIUM)`, body);
}

let browser: Promise<Browser> | undefined;

/** Pages that ended tests have left, by the options of their contexts. */
const left = new Map<string, Page[]>();

afterAll(async () => (await browser)?.close());

/**
 * Nothing on a page moves: a click on what still moves misses it. The console's policy does not concern a sheet
 * that is constructed.
 */
const noMotion = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; scroll-behavior: auto !important; }');
  document.adoptedStyleSheets = [sheet];
}`;

/**
 * An empty page in a context of its own, in the browser that all tests of a file share. A page that an ended test
 * has left is given again, without cookies and storage: its process has the page's scripts, so it shows the console
 * in a third of the time.
 */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const key = JSON.stringify(options);
  const page = left.get(key)?.pop() ?? (await firstPage(options));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail' || !page.url().startsWith('http')) await page.context().close();
    else await leave(page, key, options);
  });
  return page;
}

async function firstPage(options: BrowserContextOptions): Promise<Page> {
  browser ??= chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  // The only limit on a step, for one that never ends: a busy machine takes a minute for what usually takes a second.
  context.setDefaultTimeout(120_000);
  await context.addInitScript(noMotion);
  return context.newPage();
}

async function leave(page: Page, key: string, { viewport, colorScheme }: BrowserContextOptions): Promise<void> {
  const context = page.context();
  await Promise.all(context.pages().map((other) => other !== page && other.close()));
  for (const event of ['request', 'response', 'requestfinished', 'requestfailed', 'pageerror', 'console'] as const)
    page.removeAllListeners(event);
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearCookies()]);
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
  await page.setViewportSize(viewport ?? { width: 1280, height: 900 });
  // Another document of the same server: an empty page would be in another process. An ended server has none.
  const isThere = await page.goto(new URL('/healthz', page.url()).href).catch(() => null);
  if (!isThere) return context.close();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  left.set(key, [...(left.get(key) ?? []), page]);
}

/**
 * Opens a gateway without demo data on the memory tier, in this process: one with a database takes half of a test's time to start. The
 * operator signs in with `operatorToken`; webhooks may go to loopback addresses. It is closed when the test ends, unless `atEnd` says
 * otherwise.
 */
export async function emptyGateway(environment: Environment = {}, atEnd: AtEnd = onTestFinished): Promise<Served> {
  const settings = { DEMO: 'off', ...environment };
  const options = { demo: settings.DEMO === 'on', settings, operatorToken, pagesFolder: builtFolder, atEnd };
  const { app, demo } = await buildTestApp(options);
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
  const page = await watched(options);
  const session = { url: `${gateway.greeting.url}/manage/v1/session`, headers: { 'x-passerelle-console': '1' } };
  if (credential !== undefined) await openSession(page, session, { credential });
  await page.goto(`${gateway.greeting.url}/console${path}`);
  if (credential !== undefined) await page.getByRole('navigation', { name: /^Pages/ }).waitFor();
  return page;
}

/** Signs in without the form. */
export async function openSession(
  page: Page,
  { url, headers }: { url: string; headers: Record<string, string> },
  data: object,
): Promise<void> {
  const reply = await page.context().request.post(url, { headers, data });
  if (!reply.ok()) throw new Error(`Signing in failed with ${reply.status()}: ${await reply.text()}`);
}

/** Opens an address. The test fails if a script throws or the content security policy is violated. */
export async function opened(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await watched(options);
  await page.goto(url);
  return page;
}

/** The requests of each page that have no reply yet. */
const inFlight = new WeakMap<Page, Set<Request>>();

/** An empty page. The test fails if a script throws or the content security policy is violated. */
export async function watched(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
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
  return page;
}

const twoFrames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Waits until a page has everything it asked for, and shows it. Playwright's `networkidle` is half a second without requests. */
export async function settled(page: Page): Promise<void> {
  const isQuiet = async () => {
    await page.evaluate(twoFrames);
    return (inFlight.get(page)?.size ?? 0) === 0 && (await page.locator('.mantine-Skeleton-root').count()) === 0;
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
