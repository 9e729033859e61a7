import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Served } from '../e2e/process.ts';
import { emptyGateway, opened } from './console.ts';

export interface PartnerVisit extends BrowserContextOptions {
  path?: string;
  signIn: { token: string } | { key: string; secret: string };
}

/** Opens the profile and signs in with the form. */
export async function visitProfile(
  gateway: Pick<Served, 'greeting'>,
  { path = '', signIn, ...options }: PartnerVisit,
): Promise<Page> {
  const page = await opened(`${gateway.greeting.url}/profile${path}`, options);
  if ('token' in signIn) {
    await page.getByRole('tab').nth(1).click();
    await page.locator('input').fill(signIn.token);
  } else {
    await page.locator('input').nth(0).fill(signIn.key);
    await page.locator('input').nth(1).fill(signIn.secret);
  }
  await page.locator('button[type=submit]').click();
  await page.getByRole('navigation', { name: /^Pages/ }).waitFor();
  return page;
}

/** Adds an endpoint in the open page of webhooks. Returns its secret. */
export async function addEndpoint(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill(url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await page.locator('[data-secret]').textContent();
  await page.getByRole('button', { name: 'I have copied it: verify the endpoint' }).click();
  return secret ?? '';
}

/** A gateway with demo data, and the credentials of its partners. */
export async function demoGateway() {
  const gateway = await emptyGateway({ DEMO: 'on', WEBHOOK_RETRY_SECONDS: '0,3600' });
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
