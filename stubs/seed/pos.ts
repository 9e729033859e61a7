import { z } from 'zod';
import { posAccounts } from '../../fixtures/pos.ts';
import { createStore, putProduct } from '../../gateway/api/pos/back-office/stores.ts';
import { apiKeyRow } from '../../gateway/api/pos/domain/rows.ts';
import type { Services } from '../../gateway/http/api.ts';
import { text } from '../../gateway/http/fields.ts';
import { newAccount, newProduct, newStore } from '../../gateway/manage/pos/shapes.ts';
import { apiKeyOf, apiSecretOf } from '../../gateway/start/demo.ts';
import { paymentMethods } from '../../gateway/store/tables/pos.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { PosAccount } from '../credentials.ts';
import { pastEvents, storeEvents } from './events.ts';
import { once, readFixtures } from './fields.ts';
import { type PaymentEnding, refuseWrongSales, sale, storeSales } from './sales.ts';

const product = newProduct.extend({
  category: newProduct.shape.category.default('Divers'),
  quantity: newProduct.shape.quantity.default(100),
  low_threshold: newProduct.shape.low_threshold.default(10),
});

const store = newStore.extend({
  name: newStore.shape.name.optional(),
  city: newStore.shape.city.default('Abidjan'),
  products: z.array(product).default([]).superRefine(once('product_id')),
});

/** The ids of the demo data have underscores. */
const accountId = z.string().regex(/^acc_[0-9a-z_]{1,60}$/, 'must be acc_ and lower-case letters, digits or underscores');

const account = newAccount.extend({
  id: accountId.optional(),
  plan: newAccount.shape.plan.default('enterprise'),
  api_key: text(200),
  api_secret: text(200),
});

/** The initial data of the point-of-sale API, whose sales have these methods of payment. Accounts have a default. */
const posFixturesWith = (methods: typeof paymentMethods) =>
  z
    .strictObject({
      $schema: z.string().optional(),
      stores: z.array(store).default([]).superRefine(once('id')),
      accounts: z.array(account).min(1).superRefine(once('id', 'api_key')).optional(),
      sales: z
        .array(sale.extend({ payment_method: z.enum(methods).default('cash') }))
        .default([])
        .superRefine(once('id', 'reference')),
      events: pastEvents('pos'),
    })
    .superRefine(({ stores, accounts = [], sales }, context) => {
      const known = new Set(stores.map(({ id }) => id));
      const apiKeys =
        accounts.length > 0 ? accounts.map(({ api_key }) => api_key) : posAccounts.map(({ plan }) => apiKeyOf(plan));
      refuseWrongSales(sales, stores, new Set(apiKeys), (path, message) => context.addIssue({ code: 'custom', path, message }));
      for (const [at, { store_ids }] of accounts.entries()) {
        for (const id of store_ids ?? [])
          if (!known.has(id))
            context.addIssue({
              code: 'custom',
              path: ['accounts', at, 'store_ids'],
              message: `stores has no entry with the id ${id}`,
            });
      }
    });

export const posFixtures = posFixturesWith(paymentMethods);

interface PosSeeding {
  /** The methods of payment that the service takes beside those of the reference. */
  methods: readonly string[];
  /** Called for each pending payment: `ending` says how and when it ends. */
  ending(id: string, ending: PaymentEnding): void;
}

/** Stores fixtures. Returns the accounts' credentials, in their order. */
export async function seedPosFixtures(
  { change, keys }: Pick<Services, 'change' | 'keys'>,
  given: unknown,
  { methods, ending }: PosSeeding,
): Promise<PosAccount[]> {
  const { stores, accounts, sales, events } = readFixtures(
    // Sales are stored with any text as their method.
    posFixturesWith([...new Set([...paymentMethods, ...methods])] as unknown as typeof paymentMethods),
    given,
  );
  const made = accounts ? identified(accounts) : usualAccounts(keys);
  await change(async (step) => {
    for (const { products, name, ...one } of stores) {
      await createStore(step, { ...one, name: name ?? one.id });
      for (const goods of products) await putProduct(step, one.id, goods);
    }
    await storeAccounts(step, made);
    const shown = made.find(({ plan }) => plan === 'enterprise') ?? made[0];
    const accountOf = (apiKey: string | undefined) => (made.find(({ api_key }) => api_key === apiKey) ?? shown)?.id ?? '';
    for (const [id, one] of await storeSales(step, sales, stores, accountOf)) ending(id, one);
    await storeEvents(step, 'pos', events);
  });
  return made.map(({ id, plan, api_key, api_secret }) => ({
    owner: `account:${id}` as const,
    plan,
    apiKey: api_key,
    apiSecret: api_secret,
  }));
}

type Account = z.output<typeof account> & { id: string };

/** An account without an id gets the first free one of `acc_1`, `acc_2` and so on. */
function identified(accounts: readonly z.output<typeof account>[]): Account[] {
  const taken = new Set(accounts.map(({ id }) => id));
  let next = 1;
  return accounts.map((one) => {
    while (one.id === undefined && taken.has(`acc_${next}`)) next += 1;
    return { ...one, id: one.id ?? `acc_${next++}` };
  });
}

const usualAccounts = (keys: Services['keys']): Account[] =>
  posAccounts.map(({ id, name, plan }) => ({
    id,
    name,
    plan,
    store_ids: null,
    active: true,
    api_key: apiKeyOf(plan),
    api_secret: apiSecretOf(keys, plan),
  }));

async function storeAccounts({ tx, now }: Change, accounts: readonly Account[]): Promise<void> {
  await tx.append(
    'accounts',
    accounts.map(({ id, name, plan, store_ids, active }) => ({ id, name, plan, store_ids, active, created_at: now })),
  );
  await tx.append(
    'api_keys',
    accounts.map(({ id, api_key, api_secret }) => apiKeyRow(api_key, id, api_secret, now)),
  );
}
