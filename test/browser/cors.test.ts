import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { listening } from '../listening.ts';
import { openStub } from '../stubs/partner.ts';
import { emptyGateway, inBrowser, newPage } from './console.ts';

interface Seen {
  status: number;
  body: unknown;
  /** The headers that the page may read. */
  headers: Record<string, string>;
}

/** Opens an empty page of an origin of its own. */
async function pageElsewhere(): Promise<{ page: Page; origin: string }> {
  const origin = await listening((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>A dashboard</title>'),
  );
  const page = await newPage();
  await page.goto(origin);
  return { page, origin };
}

/** Makes a call in the page. Returns undefined if the browser keeps the reply from it. */
const fetched = (page: Page, url: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
  page.evaluate(
    async ([to, options]) => {
      const reply = await fetch(to, options).catch(() => undefined);
      return reply && { status: reply.status, body: await reply.json(), headers: Object.fromEntries(reply.headers) };
    },
    [url, init] as const,
  ) as Promise<Seen | undefined>;

const json = { 'content-type': 'application/json' };

inBrowser('a page of another origin', () => {
  test('sells on the stub of pos, and reads limits and simulated refusals', async () => {
    const stub = await openStub('pos', { plan: 'pro' });
    const { page } = await pageElsewhere();
    const { apiKey, apiSecret } = stub.credentials;
    const credentials = JSON.stringify({ api_key: apiKey, api_secret: apiSecret });
    const issued = await fetched(page, `${stub.url}/api/auth`, { method: 'POST', headers: json, body: credentials });
    const { token } = (issued?.body ?? {}) as { token?: string };
    const headers = { ...json, authorization: `Bearer ${token}`, 'idempotency-key': 'page-1' };
    const sale = {
      store_id: 'STORE-ABJ-01',
      items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }],
      payment_method: 'cash',
      total: 4500,
    };
    const sell = (more: Record<string, string> = {}) =>
      fetched(page, `${stub.url}/api/v1/sales`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(sale) });
    expect(await sell()).toMatchObject({
      status: 201,
      headers: { 'ratelimit-limit': '1000', 'ratelimit-remaining': '999', 'x-request-id': expect.stringMatching(/^call_/) },
    });
    expect((await sell())?.headers).toMatchObject({ 'idempotency-replayed': 'true' });
    expect(await sell({ prefer: 'code=503' })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5', 'x-passerelle-fault': 'Prefer: code=503' },
    });
    expect(stub.calls().map(({ method, status }) => [method, status])).toEqual([
      ['POST', 200],
      ['POST', 201],
      ['POST', 201],
      ['POST', 503],
    ]);
    expect(await fetched(page, `${stub.url}/_stub`)).toBeUndefined();
  });

  test('calls both APIs of a gateway if CORS_ORIGINS names its origin, and none otherwise', async () => {
    const { page, origin } = await pageElsewhere();
    const open = await emptyGateway({ CORS_ORIGINS: origin });
    const closed = await emptyGateway();
    const call = { method: 'POST', headers: { ...json, authorization: 'Bearer 1|wrong' }, body: '{}' };
    for (const path of ['/pos/api/v1/sales', '/cohesion/api/v1/financements']) {
      expect((await fetched(page, `${open.greeting.url}${path}`, call))?.status).toBe(401);
      expect(await fetched(page, `${closed.greeting.url}${path}`, call)).toBeUndefined();
    }
    expect(await fetched(page, `${open.greeting.url}/manage/v1/overview`)).toBeUndefined();
  });
});
