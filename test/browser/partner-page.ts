import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Served } from '../e2e/process.ts';
import type { AtEnd } from '../helper.ts';
import { profileHeaders } from '../profile/harness.ts';
import { emptyGateway, openSession, watched } from './console.ts';

export interface PartnerVisit extends BrowserContextOptions {
  path?: string;
  signIn: { token: string } | { key: string; secret: string };
}

/** Opens the profile of a partner who is signed in. */
export async function visitProfile(
  gateway: Pick<Served, 'greeting'>,
  { path = '', signIn, ...options }: PartnerVisit,
): Promise<Page> {
  const page = await watched(options);
  const data = 'token' in signIn ? signIn : { api_key: signIn.key, api_secret: signIn.secret };
  await openSession(page, { url: `${gateway.greeting.url}/profile/v1/session`, headers: profileHeaders }, data);
  await page.goto(`${gateway.greeting.url}/profile${path}`);
  await page.getByRole('navigation', { name: /^Pages/ }).waitFor();
  return page;
}

/** Adds an endpoint in the open page of webhooks. Returns its secret. */
export async function addEndpoint(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'Add an endpoint', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill(url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await page.locator('[data-secret]').textContent();
  await page.getByRole('button', { name: 'I have copied it: verify the endpoint', exact: true }).click();
  return secret ?? '';
}

/** A gateway with demo data, and the credentials of its partners. */
export async function demoGateway(atEnd?: AtEnd) {
  const gateway = await emptyGateway({ DEMO: 'on', WEBHOOK_RETRY_SECONDS: '0,3600' }, atEnd);
  return { gateway, ...partnersOf(gateway) };
}

export function partnersOf({ greeting: { cohesion, pos } }: Pick<Served, 'greeting'>) {
  const user = cohesion.tokens?.find(({ name }) => name === 'demo all abilities');
  const account = pos.accounts?.[0];
  if (!user || !account) throw new Error('The demo data has no token with all abilities, or no account.');
  return {
    user: { token: user.token },
    account: { key: account.apiKey, secret: account.apiSecret },
    structure: user.structures[0] ?? 0,
  };
}
