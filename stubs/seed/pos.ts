import { z } from 'zod';
import { posAccounts } from '../../fixtures/pos.ts';
import { createStore, putProduct } from '../../gateway/api/pos/back-office/stores.ts';
import { hashSecret } from '../../gateway/base/keyring.ts';
import type { Services } from '../../gateway/http/api.ts';
import { text } from '../../gateway/http/fields.ts';
import { newAccount, newProduct, newStore } from '../../gateway/manage/pos/shapes.ts';
import { apiKeyOf, apiSecretOf } from '../../gateway/start/demo.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { PosAccount } from '../credentials.ts';
import { readFixtures } from './fields.ts';

const product = newProduct.extend({
  category: newProduct.shape.category.default('Divers'),
  quantity: newProduct.shape.quantity.default(100),
  low_threshold: newProduct.shape.low_threshold.default(10),
});

const store = newStore.extend({
  name: newStore.shape.name.optional(),
  city: newStore.shape.city.default('Abidjan'),
  products: z.array(product).default([]),
});

const account = newAccount.extend({
  plan: newAccount.shape.plan.default('enterprise'),
  api_key: text(200),
  api_secret: text(200),
});

/** The initial data of the point-of-sale API. Accounts have a default. */
export const posFixtures = z
  .strictObject({
    stores: z.array(store).default([]).refine(unique('id'), 'contains an id twice'),
    accounts: z.array(account).min(1).refine(unique('api_key'), 'contains an api_key twice').optional(),
  })
  .superRefine(({ stores, accounts = [] }, context) => {
    const known = new Set(stores.map(({ id }) => id));
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

/** Stores fixtures. Returns the accounts' credentials, in their order. */
export async function seedPosFixtures(
  { change, keys }: Pick<Services, 'change' | 'keys'>,
  given: unknown,
): Promise<PosAccount[]> {
  const { stores, accounts } = readFixtures(posFixtures, given);
  const made = accounts?.map((one, at) => ({ ...one, id: `acc_${at + 1}` })) ?? usualAccounts(keys);
  await change(async (step) => {
    for (const { products, name, ...one } of stores) {
      await createStore(step, { ...one, name: name ?? one.id });
      for (const goods of products) await putProduct(step, one.id, goods);
    }
    await storeAccounts(step, made);
  });
  return made.map(({ plan, api_key, api_secret }) => ({ plan, apiKey: api_key, apiSecret: api_secret }));
}

type Account = z.output<typeof account> & { id: string };

function usualAccounts(keys: Services['keys']): Account[] {
  return posAccounts.map(({ id, name, plan }) => ({
    ...{ id, name, plan, store_ids: null, active: true },
    api_key: apiKeyOf(plan),
    api_secret: apiSecretOf(keys, plan),
  }));
}

async function storeAccounts({ tx, now }: Change, accounts: readonly Account[]): Promise<void> {
  await tx.append(
    'accounts',
    accounts.map(({ id, name, plan, store_ids, active }) => ({ id, name, plan, store_ids, active, created_at: now })),
  );
  await tx.append(
    'api_keys',
    accounts.map(({ id, api_key, api_secret }) => ({
      id: api_key,
      account_id: id,
      secret_hash: hashSecret(api_secret),
      created_at: now,
      last_used_at: null,
      revoked_at: null,
    })),
  );
}

function unique<K extends string>(field: K) {
  return (rows: readonly Record<K, unknown>[]) => new Set(rows.map((row) => row[field])).size === rows.length;
}
