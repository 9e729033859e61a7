import type { Page } from 'playwright-core';
import type { ServiceName } from '../../spec/documents/services.ts';
import { operationsOf, type ProviderOperation } from '../../spec/openapi/operations.ts';

/** Shows an operation in the open reference page. */
export async function goTo(page: Page, api: ServiceName, { method, path, operation }: ProviderOperation): Promise<void> {
  const [tag = ''] = (operation as { tags?: string[] }).tags ?? [];
  await page.goto(`${page.url().split('#')[0]}#${api}/tag/${tag.toLowerCase()}/${method}${path}`);
}

export async function openForm(page: Page, api: ServiceName, found: ProviderOperation): Promise<void> {
  await goTo(page, api, found);
  const name = `Test Request (${found.method.toLowerCase()} ${found.path})`;
  await page.getByRole('button', { name, exact: true }).click();
}

/** Sends the form that is open and waits until the page shows the reply. */
export async function sendForm(page: Page): Promise<{ status: number; body: string }> {
  const [reply] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/')),
    page.getByRole('button', { name: /^Send/ }).first().click(),
  ]);
  await page
    .getByRole('dialog')
    .getByText(new RegExp(`^${reply.status()} `))
    .waitFor();
  return { status: reply.status(), body: await reply.text() };
}

export const operation = (api: ServiceName, id: string) =>
  operationsOf(api).find((found) => found.operation.operationId === id) as ProviderOperation;

export const closeForm = (page: Page) => page.getByRole('button', { name: 'Close Client', exact: true }).last().click();
