/**
 * Takes the screenshots in docs/console/*.png (`npm run screenshots`). Runs an hour of a gateway in about a minute: the clock is
 * advanced by hand, while calls, receivers and deliveries are real.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ManualClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { openLog } from '../../gateway/base/log.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { demoCredentials, makeDemo } from '../../gateway/start/demo.ts';
import { memorySettings, openMemory } from '../../gateway/start/memory.ts';
import { plans } from '../../spec/documents/plans.ts';
import { chromiumPath } from './chromium.ts';

const minutes = 58;
const minuteMs = 60_000;
const folder = join(import.meta.dirname, '../../docs/console');
const operatorToken = 'operator-token-of-the-pictures';

// Recorded calls use Date.now(). It follows the manual clock, so that calls and events have matching times.
const endMs = Date.now();
const clock = new ManualClock(endMs - minutes * minuteMs);
const realNow = Date.now;
Date.now = () => clock.now();

const log = openLog('silent');
const memory = openMemory(clock, log);
const { store } = memory;
const keys = new Keyring(randomBytes(32));
await makeDemo(store, clock, keys);
const demo = await demoCredentials(store, keys);
const gateway = await startGateway({ ...memory, operatorToken, keys, clock, log, settings: memorySettings() });
const url = await gateway.app.listen({ port: 0 });

async function call(method: string, path: string, token: string | undefined, body?: unknown) {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  return (await reply.json()) as any;
}
const manage = (method: string, path: string, body?: unknown) => call(method, `/manage/v1${path}`, operatorToken, body);

async function receiver(answer: RequestListener) {
  const server = createServer((request, response) => request.resume().on('end', () => answer(request, response)));
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let crmIsDown = false;
const accept: RequestListener = (_request, response) => response.end('ok');
const till = await receiver(accept);
const books = await receiver((request, response) => void setTimeout(() => accept(request, response), 20 + Math.random() * 60));
const crm = await receiver((request, response) => {
  if (!crmIsDown) return accept(request, response);
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"connection pool exhausted","retry":true}');
});
const old = await receiver((request) => request.socket.destroy());
const [proAccount] = (await manage('GET', '/partners?q=Golfe&service=pos')).data;
const endpoints = [
  { service: 'pos', url: `${till}/till/events`, description: 'Till displays', events: ['sale.completed', 'payment.received'] },
  { service: 'pos', url: `${books}/ledger/hook`, description: 'Accounting' },
  {
    service: 'pos',
    url: `${crm}/crm/webhooks`,
    description: 'Customer loyalty',
    events: ['sale.completed'],
    owner: proAccount.id,
  },
  { service: 'cohesion', url: `${old}/erp`, description: 'Regional ERP, old server' },
];
for (const endpoint of endpoints) await manage('POST', '/endpoints', endpoint);

const accountOf = (plan: string) => demo?.pos.accounts.find((one) => one.plan === plan);
const tokenOf = async (plan: string) => {
  const account = accountOf(plan);
  return (await call('POST', '/pos/api/auth', undefined, { api_key: account?.apiKey, api_secret: account?.apiSecret })).token;
};
const tokens = await Promise.all(plans.map(tokenOf));
const cohesion = demo?.cohesion.tokens.at(-1)?.token;
const store_id = demo?.pos.stores[0];
const inventory = await call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, tokens[2]);
const products = inventory.data.items as { product_id: string; price: number }[];

async function sell(token: string, index: number) {
  const product = products[index % products.length];
  const quantity = 1 + (index % 3);
  const total = (product?.price ?? 0) * quantity;
  const items = [{ product_id: product?.product_id, quantity, price: product?.price }];
  const sale = { store_id, items, payment_method: 'cash', customer_phone: '+22507010203', total };
  return call('POST', '/pos/api/v1/sales', token, index % 17 === 0 ? { ...sale, total: total + 1 } : sale);
}

const running = (await manage('GET', '/cohesion/interventions?statut=en_cours&limit=1')).data[0]?.id;

/** The sales in a minute. They rise and fall, so that the charts show a curve. */
const salesIn = (minute: number) => Math.round(10 + 6 * Math.sin(minute / 7) + 4 * Math.sin(minute / 2.3));

for (let minute = 0; minute < minutes; minute += 1) {
  crmIsDown = minute >= 49;
  const calls = Array.from({ length: salesIn(minute) }, async (_, index) => {
    await sell(tokens[1 + (index % 2)], minute * 7 + index);
    await call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, tokens[index % 3]);
    await call('GET', '/cohesion/api/v1/indicateurs?per_page=5', index % 9 === 0 ? 'a-wrong-token' : cohesion);
  });
  await Promise.all(calls);
  // One partner exceeds the limit of its plan.
  if (minute > 40 && minute < 47)
    await Promise.all(Array.from({ length: 125 }, () => call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, tokens[0])));
  if (minute % 6 === 3) await manage('POST', `/cohesion/interventions/${running}/${minute % 12 === 3 ? 'suspend' : 'resume'}`);
  await gateway.settled();
  await clock.advance(minuteMs - (minute === minutes - 1 ? 5000 : 0));
  await gateway.settled();
}
Date.now = realNow;

const failed = (await manage('GET', `/deliveries?reason=status&owner=${proAccount.id}&limit=100`)).data;
const shownDelivery = failed.find(({ attempts }: { attempts: number }) => attempts > 1) ?? failed[0];
const crmId = (await manage('GET', '/endpoints?q=crm')).data[0].id;
const [refusedCall] = (await manage('GET', `/calls?status=4xx&api=pos&caller=${proAccount.id}`)).data;
await manage('POST', '/profile-links', { owner: proAccount.id });
await manage('POST', '/profile-links', { owner: proAccount.id, read_only: true, expires_in_minutes: 1440 });

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });

/** Who looks at a page: where it is served, and how the viewer signs in. */
const viewers = {
  operator: { page: '/console', session: '/manage/v1/session', signIn: { credential: operatorToken } },
  account: {
    page: '/profile',
    session: '/profile/v1/session',
    signIn: { api_key: accountOf('pro')?.apiKey, api_secret: accountOf('pro')?.apiSecret },
  },
} as const;

interface Shot {
  name: string;
  path: string;
  /** Default: the operator. */
  viewer?: keyof typeof viewers;
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
}

const shots: readonly Shot[] = [
  { name: 'overview', path: '/' },
  { name: 'overview-dark', path: '/', colorScheme: 'dark' },
  { name: 'deliveries', path: '/deliveries' },
  { name: 'delivery', path: `/deliveries/${shownDelivery.id}`, height: 1250 },
  { name: 'endpoints', path: '/endpoints' },
  { name: 'endpoint', path: `/endpoints/${crmId}`, height: 1300 },
  { name: 'events', path: '/events?view=catalogue' },
  { name: 'call', path: `/calls/${refusedCall.id}` },
  { name: 'limits', path: '/limits' },
  { name: 'back-office', path: '/back-office/interventions', colorScheme: 'dark' },
  { name: 'profile', path: '/endpoints', viewer: 'account' },
  { name: 'phone', path: `/deliveries/${shownDelivery.id}`, width: 390, height: 844 },
];

for (const { name, path, viewer = 'operator', colorScheme = 'light', width = 1280, height = 900 } of shots) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: 'en' });
  const { page: prefix, session, signIn } = viewers[viewer];
  await context.request.post(`${url}${session}`, { data: signIn });
  const page = await context.newPage();
  await page.goto(`${url}${prefix}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle', { timeout: 4000 }).catch(() => {});
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
  process.stderr.write(`${folder}/${name}.png\n`);
}
await browser.close();
await gateway.close();
process.exit(0);
