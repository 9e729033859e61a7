import type { Seed } from '../../seed/types.ts';
import {
  type Asked,
  body,
  type Cause,
  changing,
  everywhere,
  query,
  reply,
  request,
  type Scene,
  untilLimited,
  withBody,
  withHeaders,
  withQuery,
} from './cause.ts';
import { sharedCauses } from './shared.ts';

const store = 'STORE-ABJ-01';
const free = { api_key: 'pk_demo_free', api_secret: 'sk_demo_free' };
const enterprise = { api_key: 'pk_demo_enterprise', api_secret: 'sk_demo_enterprise' };

export const seed: Exclude<Seed<'pos'>, string> = {
  stores: [
    {
      id: store,
      name: 'Plateau',
      products: [
        { product_id: 'PRD-0001', name: 'Riz parfumé 5 kg', category: 'Alimentation', price: 2500, quantity: 40 },
        { product_id: 'PRD-0002', name: 'Huile 1 l', category: 'Alimentation', price: 1500, quantity: 12 },
      ],
    },
  ],
  accounts: [
    { name: 'Boutiques du Plateau', plan: 'enterprise', ...enterprise },
    { name: 'Kiosque', plan: 'free', ...free },
  ],
};

const post = (url: string, body: object): Asked => ({ method: 'POST', url, headers: {}, body });
const get = (url: string): Asked => ({ method: 'GET', url, headers: {} });

const sale = {
  store_id: store,
  items: [{ product_id: 'PRD-0001', quantity: 2, price: 2500 }],
  payment_method: 'cash',
  customer_phone: '+2250700000000',
  total: 5000,
};

/** The correct request of each operation. A payment also needs its sale: `paying` makes one. */
export const requests: Readonly<Record<string, Asked>> = {
  issueToken: post('/api/auth', enterprise),
  createSale: post('/api/v1/sales', sale),
  payByMobileMoney: post('/api/v1/payment/mobile', {
    reference: 'S-20261121-000000',
    amount: 5000,
    phone: '+2250700000000',
    provider: 'orange_money',
  }),
  readInventory: get(`/api/v1/inventory?store_id=${store}`),
  reportSales: get(`/api/v1/reports/sales?store_id=${store}&start_date=2026-11-01&end_date=2026-11-21`),
};

/** The credentials of a request, which its token is got with. */
export async function signedIn({ call }: Pick<Scene, 'call'>, credentials: object = enterprise): Promise<Record<string, string>> {
  return { authorization: `Bearer ${(await call(post('/api/auth', credentials))).token}` };
}

/** Makes a sale, and fills its reference into a payment. */
async function paying({ call, correct }: Scene, fields: object = {}): Promise<Asked> {
  const body = { ...sale, payment_method: 'mobile_money', ...fields };
  const { data } = await call({ ...(requests.createSale as Asked), headers: correct.headers, body });
  return withBody(correct, { reference: (data as { reference: string }).reference });
}

const idempotencyKey = { 'idempotency-key': 'till-4-000123' };
const isSale = ({ url }: Asked) => url === requests.createSale?.url;

const [ofToken, ofSale, ofPayment, ofInventory, ofReport] = Object.keys(requests).map((name) => [name]);
const ofStore = ['createSale', 'readInventory', 'reportSales'];
const secured = ['createSale', 'payByMobileMoney', 'readInventory', 'reportSales'];
const writing = ['createSale', 'payByMobileMoney'];
const withBodies = [...writing, 'issueToken'];

/** Of the causes with one status, the first is the usual one: `code=400` gives its reply. */
export const causes: Cause[] = [
  reply('issued', ofToken, 'The credentials are right.'),
  reply('completed', ofSale, 'A sale by cash or card is completed at once.'),
  reply('pending', ofSale, 'A mobile-money sale waits for its payments.', body({ payment_method: 'mobile_money' })),
  reply('settled', ofPayment, 'The payment reaches the total, which completes the sale.', paying),
  reply('partly_paid', ofPayment, 'A part of the total is paid.', async (scene) =>
    withBody(await paying(scene), { amount: 2000 }),
  ),
  reply('replayed', writing, 'The Idempotency-Key repeats an earlier request.', async (scene) => {
    const asked = withHeaders(isSale(scene.correct) ? scene.correct : await paying(scene), idempotencyKey);
    await scene.call(asked);
    return asked;
  }),
  reply('inventory', ofInventory, 'The store has products.'),
  reply('report', ofReport, 'The store sold something in the period.', async ({ call, correct }) => {
    await call({ ...(requests.createSale as Asked), headers: correct.headers });
    return undefined;
  }),
  reply(
    'empty_report',
    ofReport,
    'The store sold nothing in the period.',
    query({ start_date: '2026-01-01', end_date: '2026-01-31' }),
  ),
  reply('invalid_request', withBodies, 'A required field is missing, or a value is wrong.', request({ body: {} })),
  reply('invalid_request', ['readInventory', 'reportSales'], 'A required parameter is missing.', ({ correct }) => ({
    ...correct,
    url: correct.url.split('?')[0] ?? '',
  })),
  reply('unknown_field', withBodies, 'The body has a field that the document does not name.', body({ note: 'fragile' })),
  reply(
    'unknown_field',
    ['readInventory', 'reportSales'],
    'The query has a parameter that the document does not name.',
    query({ page: '2' }),
  ),
  reply(
    'insufficient_stock',
    ofSale,
    'The store has less of a product than the sale asks for.',
    body({ items: [{ product_id: 'PRD-0001', quantity: 50, price: 2500 }], total: 125000 }),
  ),
  reply('sum_of_lines', ofSale, 'The total is not the sum of the lines.', body({ total: 4999 })),
  reply('idempotency_key_reused', writing, 'The Idempotency-Key was used with another request.', async ({ call, correct }) => {
    const keyed = withHeaders(correct, idempotencyKey);
    await call({ ...(requests.createSale as Asked), headers: keyed.headers });
    return isSale(keyed) ? withBody(keyed, { customer_phone: '+2250500000000' }) : keyed;
  }),
  reply('amount_over_remaining', ofPayment, 'The amount is more than what remains to be paid.', async (scene) =>
    withBody(await paying(scene), { amount: 5001 }),
  ),
  reply('already_paid', ofPayment, 'The sale is completed.', async (scene) => {
    const asked = await paying(scene);
    await scene.call(asked);
    return asked;
  }),
  reply('not_mobile_money', ofPayment, 'The sale is paid by cash or card.', (scene) => paying(scene, { payment_method: 'cash' })),
  reply(
    'after_start',
    ofReport,
    'The period ends before it begins.',
    query({ start_date: '2026-11-21', end_date: '2026-11-01' }),
  ),
  reply('max_days', ofReport, 'The period is too long.', query({ start_date: '2025-01-01' })),
  reply('wrong_credentials', ofToken, 'The api_key or the api_secret is wrong.', body({ api_secret: 'sk_wrong' })),
  reply('token_expired', secured, 'The token is older than an hour.', async ({ advance }) => {
    await advance(3_601_000);
    return undefined;
  }),
  reply('token_signature', secured, 'The token was changed, or issued by another gateway.', ({ correct }) =>
    withHeaders(correct, { authorization: `${correct.headers.authorization?.slice(0, -4)}AAAA` }),
  ),
  reply('token_foreign', secured, 'The token was issued for another service.', async ({ core, correct }) =>
    withHeaders(correct, { authorization: `Bearer ${await foreignToken(core.services.keys.derive('pos tokens'))}` }),
  ),
  reply(
    'key_revoked',
    everywhere,
    'The API key was revoked.',
    changing('api_keys', { id: enterprise.api_key }, { revoked_at: 1 }),
  ),
  reply(
    'key_expired',
    everywhere,
    'The API key was replaced, and its overlap with the new one is over.',
    changing('api_keys', { id: enterprise.api_key }, { expires_at: 1 }),
  ),
  reply('account_inactive', everywhere, 'The account is not active.', changing('accounts', { id: 'acc_1' }, { active: false })),
  reply('store_not_found', ofStore, 'There is no such store, or the account may not use it.', ({ correct }) =>
    correct.method === 'GET' ? withQuery(correct, { store_id: 'STORE-ABJ-99' }) : withBody(correct, { store_id: 'STORE-ABJ-99' }),
  ),
  reply(
    'product_not_found',
    ofSale,
    'The store does not have the product.',
    body({ items: [{ product_id: 'PRD-9999', quantity: 2, price: 2500 }] }),
  ),
  reply('sale_not_found', ofPayment, 'The account has no sale with this reference.', body({ reference: 'S-20261121-000000' })),
  reply('rate_limited', secured, "The calls of the account's plan are used up.", async (scene) =>
    untilLimited(scene, withHeaders(scene.correct, await signedIn(scene, free))),
  ),
  reply('rate_limited', ofToken, 'Too many logins from this address failed.', (scene) =>
    untilLimited(scene, withBody(scene.correct, { api_secret: 'sk_wrong' })),
  ),
  ...sharedCauses({ secured, withBody: withBodies }),
];

/** A token with the right signature and another audience. */
async function foreignToken(secret: Buffer): Promise<string> {
  const [{ default: fastify }, { default: jwt }] = await Promise.all([import('fastify'), import('@fastify/jwt')]);
  const app = fastify();
  await app.register(jwt, { secret, sign: { algorithm: 'HS256', iss: 'elsewhere', aud: 'other' } });
  await app.ready();
  return app.jwt.sign({ sub: 'acc_1', key: enterprise.api_key, iat: 0, exp: 2 ** 32 });
}
