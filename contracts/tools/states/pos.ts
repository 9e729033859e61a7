import { z } from 'zod';
import { plans } from '../../../spec/documents/plans.ts';
import { absence, eventStates, type State, state, type World } from './state.ts';

const plan = z.enum(plans);
const storeId = z.string().min(1).max(64).default('STORE-1');
const product = z.strictObject({
  product_id: z.string().min(1).max(64),
  name: z.string().default('Riz 5 kg'),
  price: z.number().default(4500),
  quantity: z.number().default(100),
  low_threshold: z.number().default(10),
});
const products = z
  .array(product)
  .min(1)
  .default([
    { product_id: 'PROD-1', name: 'Riz 5 kg', price: 4500, quantity: 100, low_threshold: 10 },
    { product_id: 'PROD-2', name: 'Huile 1 l', price: 1200, quantity: 50, low_threshold: 5 },
  ]);
type Product = z.output<typeof product>;

const saleShape = { store_id: storeId, total: z.number().positive().optional() };
const saleReturns = ['store_id', 'reference', 'total'] as const;
const tokenLifetimeMs = 3_600_000;
/**
 * Calls per minute as the document has them (section 8). They are not read from the gateway, because a gateway with other numbers
 * must fail a pact.
 */
const documentedCalls = { free: 100, pro: 1000 };
const limitedPlan = z.enum(Object.keys(documentedCalls) as ['free', 'pro']);

const owner = { word: 'account', open: async (world: World) => `account:${(await accountOf(world, 'enterprise')).id}` } as const;
const eventState = eventStates(owner, { paysAll: true });

export const posStates: readonly State[] = [
  state(
    'an account with an API key',
    { plan: plan.default('pro'), revoked: z.boolean().default(false) },
    ['api_key', 'api_secret'],
    async (world, params) => {
      const { api_key, api_secret } = await accountOf(world, params.plan);
      if (params.revoked) await revokeKey(world);
      return { api_key, api_secret };
    },
  ),
  state('an access token', { plan: plan.default('pro') }, ['token'], async (world, params) => ({
    token: await tokenOf(world, params.plan),
  })),
  state('an expired access token', {}, ['token'], async (world) => {
    const token = await tokenOf(world, 'pro');
    world.reference.shiftClock(tokenLifetimeMs + 1000);
    return { token };
  }),
  state('a revoked access token', {}, ['token'], async (world) => {
    const token = await tokenOf(world, 'pro');
    await revokeKey(world);
    return { token };
  }),
  state('a forged access token', {}, ['token'], async (world) => ({ token: unsigned(await tokenOf(world, 'pro')) })),
  state("the plan's limit is used up", { plan: limitedPlan.default('free') }, ['token'], async (world, params) => {
    const token = await tokenOf(world, params.plan);
    await openStore(world, 'STORE-1', products.parse(undefined));
    for (let call = 0; call < documentedCalls[params.plan]; call++) {
      await world.reference.call('GET', '/api/v1/inventory?store_id=STORE-1', token);
    }
    return { token };
  }),
  state('a store', { store_id: storeId, products }, ['store_id'], async (world, params) => {
    await openStore(world, params.store_id, params.products);
    // Its products must not appear in the store's inventory.
    await openStore(world, otherStore(params.store_id), [product.parse({ product_id: 'PROD-0', name: 'Sel 1 kg' })]);
    return { store_id: params.store_id };
  }),
  absence('no store', 'store_id', z.string()),
  state('a sale awaiting payment', saleShape, saleReturns, async (world, params) => sell(world, params)),
  absence('no sale', 'reference', z.string()),
  state('a paid sale', saleShape, saleReturns, async (world, params) => {
    const sale = await sell(world, params);
    await pay(world, sale);
    return sale;
  }),
  state('sales on a day', { store_id: storeId, date: z.iso.date().optional() }, ['store_id', 'date'], async (world, params) => {
    const today = new Date(world.reference.now()).toISOString().slice(0, 10);
    const date = params.date ?? today;
    const byMs = Date.parse(`${date}T12:00:00Z`) - Date.parse(`${today}T12:00:00Z`);
    world.reference.shiftClock(byMs);
    await sell(world, params, 'cash');
    await sell(world, params, 'card');
    // A report on the store must not count the sales of another.
    await sell(world, { store_id: otherStore(params.store_id) }, 'cash');
    world.reference.shiftClock(-byMs);
    return { store_id: params.store_id, date };
  }),
  eventState('a sale was completed', 'sale.completed', async (world) => {
    await readyToSell(world, 'STORE-1');
    return 'STORE-1';
  }),
  eventState('a payment was received', 'payment.received', async (world) => {
    const { reference } = await sell(world, { store_id: 'STORE-1' });
    return reference;
  }),
  eventState('stock fell to its threshold', 'inventory.low', async (world) => {
    await openStore(world, 'STORE-1', [product.parse({ product_id: 'PROD-1', quantity: 11, low_threshold: 10 })]);
    await accountOf(world, 'enterprise');
    return 'PROD-1';
  }),
  eventState('a synchronization finished', 'sync.completed', async (world) => {
    await openStore(world, 'STORE-1', products.parse(undefined));
    return 'STORE-1';
  }),
];

/** Returns the id of another store. Ids have at most 64 characters. */
const otherStore = (id: string) => `${id}-2`.slice(-64);

interface Account {
  id: string;
  api_key: string;
  api_secret: string;
}

/** Returns the interaction's only account and changes its plan. With one account, every token sees all sales. */
async function accountOf({ reference, values }: World, planName: string): Promise<Account> {
  if (values.account !== undefined) {
    const account = values.account as Account;
    await reference.manage('PATCH', `/pos/accounts/${account.id}`, { plan: planName });
    return account;
  }
  const { id } = await reference.manage('POST', '/pos/accounts', { name: 'Boutique du Plateau', plan: planName });
  const { api_key, api_secret } = await reference.manage('POST', `/pos/accounts/${id}/keys`);
  values.account = { id, api_key, api_secret };
  return values.account as Account;
}

async function tokenOf(world: World, planName: string): Promise<string> {
  const { api_key, api_secret } = await accountOf(world, planName);
  const { token } = await world.reference.call('POST', '/api/auth', undefined, { api_key, api_secret });
  return token as string;
}

/** Revokes the key of the interaction's only account, and so the tokens that were issued for it. */
async function revokeKey({ reference, values }: World): Promise<void> {
  const { id, api_key } = values.account as Account;
  await reference.manage('DELETE', `/pos/accounts/${id}/keys/${api_key}`);
}

/** A JWT with the claims of this one, which says that it has no signature. */
function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${token.split('.')[1]}.`;
}

/** The products of each store that a state created, by store id. */
function stocked({ values }: World): Map<string, Product[]> {
  values.stocked ??= new Map<string, Product[]>();
  return values.stocked as Map<string, Product[]>;
}

async function openStore(world: World, id: string, goods: Product[]): Promise<void> {
  if (stocked(world).has(id)) return;
  await world.reference.manage('POST', '/pos/stores', { id, name: 'Boutique du Plateau', city: 'Abidjan' });
  for (const one of goods)
    await world.reference.manage('POST', `/pos/stores/${id}/products`, { category: 'Alimentation', ...one });
  stocked(world).set(id, goods);
}

/** Creates the store and returns a token of the account and the store's first product. */
async function readyToSell(world: World, storeIdentifier: string): Promise<{ till: string; first: Product }> {
  await openStore(world, storeIdentifier, products.parse(undefined));
  world.values.till ??= world.values.token ?? (await tokenOf(world, 'enterprise'));
  return { till: world.values.till as string, first: stocked(world).get(storeIdentifier)?.[0] as Product };
}

async function sell(world: World, params: { store_id: string; total?: number | undefined }, method = 'mobile_money') {
  const { till, first } = await readyToSell(world, params.store_id);
  const total = params.total ?? first.price;
  if (total % first.price !== 0)
    throw new Error(`total must be a multiple of ${first.price}, the price of ${first.product_id}, got ${total}.`);
  const { data } = await world.reference.call('POST', '/api/v1/sales', till, {
    store_id: params.store_id,
    items: [{ product_id: first.product_id, quantity: total / first.price, price: first.price }],
    payment_method: method,
    customer_phone: '+2250701020304',
    total,
  });
  return { store_id: params.store_id, reference: (data as { reference: string }).reference, total };
}

async function pay(world: World, sale: { store_id: string; reference: string; total: number }): Promise<void> {
  const { till } = await readyToSell(world, sale.store_id);
  const payment = { amount: sale.total, phone: '+2250701020304', provider: 'orange_money', reference: sale.reference };
  await world.reference.call('POST', '/api/v1/payment/mobile', till, payment);
}
