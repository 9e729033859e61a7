import type { Seed } from '../../seed/types.ts';
import { type Asked, type Cause, type Scene, untilLimited, withBody, withHeaders, withQuery } from './cause.ts';
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

const successes: Cause[] = [
  { name: 'issued', operations: ofToken, cause: 'The credentials are right.' },
  { name: 'completed', operations: ofSale, cause: 'A sale by cash or card is completed at once.' },
  {
    name: 'pending',
    operations: ofSale,
    cause: 'A mobile-money sale waits for its payments.',
    ask: ({ correct }) => withBody(correct, { payment_method: 'mobile_money' }),
  },
  {
    name: 'settled',
    operations: ofPayment,
    cause: 'The payment reaches the total, which completes the sale.',
    ask: (scene) => paying(scene),
  },
  {
    name: 'partly_paid',
    operations: ofPayment,
    cause: 'A part of the total is paid.',
    ask: async (scene) => withBody(await paying(scene), { amount: 2000 }),
  },
  {
    name: 'replayed',
    operations: writing,
    cause: 'The Idempotency-Key repeats an earlier request.',
    ask: async (scene) => {
      const asked = withHeaders(isSale(scene.correct) ? scene.correct : await paying(scene), idempotencyKey);
      await scene.call(asked);
      return asked;
    },
  },
  { name: 'inventory', operations: ofInventory, cause: 'The store has products.' },
  {
    name: 'report',
    operations: ofReport,
    cause: 'The store sold something in the period.',
    ask: async ({ call, correct }) => {
      await call({ ...(requests.createSale as Asked), headers: correct.headers });
      return undefined;
    },
  },
  {
    name: 'empty_report',
    operations: ofReport,
    cause: 'The store sold nothing in the period.',
    ask: ({ correct }) => withQuery(correct, { start_date: '2026-01-01', end_date: '2026-01-31' }),
  },
];

const wrongFields: Cause[] = [
  {
    name: 'invalid_request',
    operations: [...writing, 'issueToken'],
    cause: 'A required field is missing, or a value is wrong.',
    ask: ({ correct }) => ({ ...correct, body: {} }),
  },
  {
    name: 'invalid_request',
    operations: ['readInventory', 'reportSales'],
    cause: 'A required parameter is missing.',
    ask: ({ correct }) => ({ ...correct, url: correct.url.split('?')[0] ?? '' }),
  },
  {
    name: 'unknown_field',
    operations: [...writing, 'issueToken'],
    cause: 'The body has a field that the document does not name.',
    ask: ({ correct }) => withBody(correct, { note: 'fragile' }),
  },
  {
    name: 'unknown_field',
    operations: ['readInventory', 'reportSales'],
    cause: 'The query has a parameter that the document does not name.',
    ask: ({ correct }) => withQuery(correct, { page: '2' }),
  },
];

const refusedSales: Cause[] = [
  {
    name: 'insufficient_stock',
    operations: ofSale,
    cause: 'The store has less of a product than the sale asks for.',
    ask: ({ correct }) => withBody(correct, { items: [{ product_id: 'PRD-0001', quantity: 50, price: 2500 }], total: 125000 }),
  },
  {
    name: 'sum_of_lines',
    operations: ofSale,
    cause: 'The total is not the sum of the lines.',
    ask: ({ correct }) => withBody(correct, { total: 4999 }),
  },
  {
    name: 'idempotency_key_reused',
    operations: writing,
    cause: 'The Idempotency-Key was used with another request.',
    ask: async ({ call, correct }) => {
      const keyed = withHeaders(correct, idempotencyKey);
      await call({ ...(requests.createSale as Asked), headers: keyed.headers });
      return isSale(keyed) ? withBody(keyed, { customer_phone: '+2250500000000' }) : keyed;
    },
  },
];

const refusedPayments: Cause[] = [
  {
    name: 'amount_over_remaining',
    operations: ofPayment,
    cause: 'The amount is more than what remains to be paid.',
    ask: async (scene) => withBody(await paying(scene), { amount: 5001 }),
  },
  {
    name: 'already_paid',
    operations: ofPayment,
    cause: 'The sale is completed.',
    ask: async (scene) => {
      const asked = await paying(scene);
      await scene.call(asked);
      return asked;
    },
  },
  {
    name: 'not_mobile_money',
    operations: ofPayment,
    cause: 'The sale is paid by cash or card.',
    ask: (scene) => paying(scene, { payment_method: 'cash' }),
  },
];

const refusedPeriods: Cause[] = [
  {
    name: 'after_start',
    operations: ofReport,
    cause: 'The period ends before it begins.',
    ask: ({ correct }) => withQuery(correct, { start_date: '2026-11-21', end_date: '2026-11-01' }),
  },
  {
    name: 'max_days',
    operations: ofReport,
    cause: 'The period is too long.',
    ask: ({ correct }) => withQuery(correct, { start_date: '2025-01-01' }),
  },
];

const refusedCallers: Cause[] = [
  {
    name: 'wrong_credentials',
    operations: ofToken,
    cause: 'The api_key or the api_secret is wrong.',
    ask: ({ correct }) => withBody(correct, { api_secret: 'sk_wrong' }),
  },
  {
    name: 'token_expired',
    operations: secured,
    cause: 'The token is older than an hour.',
    ask: async ({ advance }) => {
      await advance(3_601_000);
      return undefined;
    },
  },
  {
    name: 'token_signature',
    operations: secured,
    cause: 'The token was changed, or issued by another gateway.',
    ask: ({ correct }) => withHeaders(correct, { authorization: `${correct.headers.authorization?.slice(0, -4)}AAAA` }),
  },
  {
    name: 'token_foreign',
    operations: secured,
    cause: 'The token was issued for another service.',
    ask: async ({ core, correct }) =>
      withHeaders(correct, { authorization: `Bearer ${await foreignToken(core.services.keys.derive('pos tokens'))}` }),
  },
  {
    name: 'key_revoked',
    cause: 'The API key was revoked.',
    ask: async ({ core }) => {
      await core.store.update('api_keys', { id: enterprise.api_key }, { revoked_at: 1 });
      return undefined;
    },
  },
  {
    name: 'key_expired',
    cause: 'The API key was replaced, and its overlap with the new one is over.',
    ask: async ({ core }) => {
      await core.store.update('api_keys', { id: enterprise.api_key }, { expires_at: 1 });
      return undefined;
    },
  },
  {
    name: 'account_inactive',
    cause: 'The account is not active.',
    ask: async ({ core }) => {
      await core.store.update('accounts', { id: 'acc_1' }, { active: false });
      return undefined;
    },
  },
];

/** A token with the right signature and another audience. */
async function foreignToken(secret: Buffer): Promise<string> {
  const [{ default: fastify }, { default: jwt }] = await Promise.all([import('fastify'), import('@fastify/jwt')]);
  const app = fastify();
  await app.register(jwt, { secret, sign: { algorithm: 'HS256', iss: 'elsewhere', aud: 'other' } });
  await app.ready();
  return app.jwt.sign({ sub: 'acc_1', key: enterprise.api_key, iat: 0, exp: 2 ** 32 });
}

const notFound: Cause[] = [
  {
    name: 'store_not_found',
    operations: ofStore,
    cause: 'There is no such store, or the account may not use it.',
    ask: ({ correct }) =>
      correct.method === 'GET'
        ? withQuery(correct, { store_id: 'STORE-ABJ-99' })
        : withBody(correct, { store_id: 'STORE-ABJ-99' }),
  },
  {
    name: 'product_not_found',
    operations: ofSale,
    cause: 'The store does not have the product.',
    ask: ({ correct }) => withBody(correct, { items: [{ product_id: 'PRD-9999', quantity: 2, price: 2500 }] }),
  },
  {
    name: 'sale_not_found',
    operations: ofPayment,
    cause: 'The account has no sale with this reference.',
    ask: ({ correct }) => withBody(correct, { reference: 'S-20261121-000000' }),
  },
];

const limited: Cause[] = [
  {
    name: 'rate_limited',
    operations: secured,
    cause: "The calls of the account's plan are used up.",
    ask: async (scene) => untilLimited(scene, withHeaders(scene.correct, await signedIn(scene, free))),
  },
  {
    name: 'rate_limited',
    operations: ofToken,
    cause: 'Too many logins from this address failed.',
    ask: (scene) => untilLimited(scene, withBody(scene.correct, { api_secret: 'sk_wrong' })),
  },
];

const uncounted: Cause = {
  name: 'limits_unavailable',
  cause: 'The gateway cannot count calls against the limit.',
  async ask(scene) {
    const { correct, loseCounters } = scene;
    const asked = correct.headers.authorization ? withHeaders(correct, await signedIn(scene, free)) : correct;
    loseCounters();
    return asked;
  },
};

/** Of the causes with one status, the first is the usual one: `code=400` gives its reply. */
export const causes: Cause[] = [
  ...[successes, wrongFields, refusedSales, refusedPayments, refusedPeriods, refusedCallers, notFound, limited].flat(),
  ...sharedCauses({ secured, withBody: [...writing, 'issueToken'] }),
  uncounted,
];
