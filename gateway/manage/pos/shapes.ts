import { z } from 'zod';
import { planLimits, plans } from '../../../spec/documents/plans.ts';
import { sale, stockItem } from '../../api/pos/schemas.ts';
import {
  amount,
  changeOf,
  instant,
  named,
  positiveAmount,
  text,
  toInstant,
  toInstantOrNull,
  withInstants,
} from '../../http/fields.ts';
import { pageQuery } from '../../http/page.ts';
import type { Row } from '../../store/tables/index.ts';
import { paymentMethods, saleStatuses } from '../../store/tables/pos.ts';

/** Schemas of the point-of-sale part of the manage API. */

const identifier = () =>
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be 1 to 64 letters, digits, points, hyphens or underscores, and begin with a letter or digit',
    );

/** An id in a path or cursor. Text that the store cannot hold is refused before any query. */
export const idPath = z.strictObject({ id: text(100) });
export const keyPath = idPath.extend({ api_key: text(200) });
export const listQuery = { ...pageQuery, cursor: text(200).optional().describe('`next` of the previous page.') };

const storeIds = z
  .array(text(64))
  .max(1000)
  .nullable()
  .describe('Ids of the stores that the account may use; null means all.')
  .meta({ 'x-gap': ['pos.store-access'] });
const plan = z.enum(plans).describe(`Calls a minute: ${planLimits()}.`);

export const newAccount = z.strictObject({
  name: text(200).meta({ example: 'Boutique Adjamé' }),
  plan,
  store_ids: storeIds.default(null),
  active: z.boolean().default(true),
});

export const accountPatch = changeOf(
  { name: text(200), plan, store_ids: storeIds, active: z.boolean() },
  'must contain at least one of name, plan, store_ids, active',
);

export const account = named('Account', {
  id: z.string(),
  name: z.string(),
  plan,
  store_ids: z.array(z.string()).nullable(),
  active: z.boolean(),
  created_at: instant(),
});

export const accountView = (row: Row<'accounts'>) => ({ ...withInstants(row, 'created_at'), plan: row.plan as 'free' });

export const apiKey = named('ApiKey', {
  api_key: z.string().describe('The public part of the credentials.'),
  account_id: z.string(),
  created_at: instant(),
  last_used_at: instant().nullable(),
  expires_at: instant().nullable().describe('When a rotation ends it; null for a key that is not being replaced.'),
  revoked_at: instant().nullable(),
});

export const apiKeyWithSecret = apiKey.extend({
  api_secret: z.string().describe('Shown only in this reply; only its hash is stored.'),
});

export const apiKeyView = (row: Row<'api_keys'>) => ({
  api_key: row.id,
  account_id: row.account_id,
  created_at: toInstant(row.created_at),
  last_used_at: toInstantOrNull(row.last_used_at),
  expires_at: toInstantOrNull(row.expires_at),
  revoked_at: toInstantOrNull(row.revoked_at),
});

export const newStore = z.strictObject({
  id: identifier().meta({ example: 'STORE-ABJ-02' }),
  name: text(200).meta({ example: 'Marché de Treichville' }),
  city: text(100).meta({ example: 'Abidjan' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code: three capital letters')
    .default('XOF'),
});

export const store = named('Store', {
  id: z.string(),
  name: z.string(),
  city: z.string(),
  currency: z.string(),
  created_at: instant(),
  synchronized_at: instant().nullable().describe('Time of the last synchronization.'),
});

export const storeView = (row: Row<'stores'>) => withInstants(row, 'created_at', 'synchronized_at');

export const storeWithStock = store.extend({ stock: z.array(stockItem).describe('All products, in order of product_id.') });

export const newProduct = z.strictObject({
  product_id: identifier().meta({ example: 'PRD-0101' }),
  name: text(200).meta({ example: 'Attiéké 1 kg' }),
  category: text(100).meta({ example: 'Alimentation' }),
  price: amount().meta({ example: 800 }),
  quantity: amount().meta({ example: 120 }),
  low_threshold: amount().describe('Stock is low at this quantity and below.').meta({ example: 20 }),
});

const lines = <S extends z.ZodType>(quantity: S) =>
  z.array(z.strictObject({ product_id: text(64), quantity })).max(1000, 'must contain at most 1000 lines');

export const arrival = z.strictObject({
  items: lines(positiveAmount().describe('The quantity received.')).min(1, 'must contain at least one line'),
});

export const count = z.strictObject({ items: lines(amount().describe('The quantity counted.')).default([]) });

export const salesQuery = z.strictObject({
  ...listQuery,
  store_id: text(64).optional(),
  account_id: text(100).optional(),
  status: z.enum(saleStatuses).optional(),
  payment_method: z.enum(paymentMethods).optional(),
});

export const managedSale = sale.extend({ account_id: z.string() });

/** The order of lists of API keys. Those of demo data and seeds have ids without a time. */
export const keyOrder = 'Sorted by `api_key`, from z to a. Of the keys that the gateway made, the newest come first.';
