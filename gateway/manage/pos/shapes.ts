import { z } from 'zod';
import { paymentMethods, plans, sale, saleStatuses, stockItem } from '../../api/pos/schemas.ts';
import { amount, instant, positiveAmount, text, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { pageQuery } from '../../http/page.ts';
import type { Row } from '../../store/tables/index.ts';

/** Shapes of the point-of-sale part of the manage API. */

const identifier = () =>
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be 1 to 64 letters, digits, points, hyphens or underscores, beginning with a letter or digit',
    );

/** Ids in paths and cursors come from anyone: text that the store cannot hold is refused before it is asked. */
export const idPath = z.strictObject({ id: text(100) });
export const keyPath = idPath.extend({ api_key: text(200) });
export const listQuery = { ...pageQuery, cursor: text(200).optional().describe('`next` of the page before.') };

const storeIds = z
  .array(text(64))
  .max(1000)
  .nullable()
  .describe('Stores that the account may use; null means all of them.')
  .meta({ 'x-gap': ['pos.store-access'] });
const plan = z.enum(plans).describe('Free: 100 calls a minute, Pro: 1000, Enterprise: unlimited.');

export const newAccount = z.strictObject({
  name: text(200).meta({ example: 'Boutique Adjamé' }),
  plan,
  store_ids: storeIds.default(null),
  active: z.boolean().default(true),
});

export const accountPatch = z
  .strictObject({
    name: text(200).optional(),
    plan: plan.optional(),
    store_ids: storeIds.optional(),
    active: z.boolean().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    message: 'must have at least one of name, plan, store_ids, active',
    params: { rule: 'not_empty' },
  });

export const account = z.object({
  id: z.string(),
  name: z.string(),
  plan,
  store_ids: z.array(z.string()).nullable(),
  active: z.boolean(),
  created_at: instant(),
});

export const accountView = ({ created_at, ...row }: Row<'accounts'>) => ({
  ...row,
  plan: row.plan as 'free',
  created_at: toInstant(created_at),
});

export const apiKey = z.object({
  api_key: z.string().describe('The public half.'),
  account_id: z.string(),
  created_at: instant(),
  last_used_at: instant().nullable(),
  revoked_at: instant().nullable(),
});

export const apiKeyWithSecret = apiKey.extend({ api_secret: z.string().describe('Shown here once; only its hash is kept.') });

export const apiKeyView = (row: Row<'api_keys'>) => ({
  api_key: row.id,
  account_id: row.account_id,
  created_at: toInstant(row.created_at),
  last_used_at: toInstantOrNull(row.last_used_at),
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

export const store = z.object({
  id: z.string(),
  name: z.string(),
  city: z.string(),
  currency: z.string(),
  created_at: instant(),
  synchronized_at: instant().nullable().describe('When it was last synchronized.'),
});

export const storeView = (row: Row<'stores'>) => ({
  ...row,
  created_at: toInstant(row.created_at),
  synchronized_at: toInstantOrNull(row.synchronized_at),
});

export const storeWithStock = store.extend({ stock: z.array(stockItem).describe('Every product, by product_id.') });

export const newProduct = z.strictObject({
  product_id: identifier().meta({ example: 'PRD-0101' }),
  name: text(200).meta({ example: 'Attiéké 1 kg' }),
  category: text(100).meta({ example: 'Alimentation' }),
  price: amount().meta({ example: 800 }),
  quantity: amount().meta({ example: 120 }),
  low_threshold: amount().describe('At this quantity and below, stock is low.').meta({ example: 20 }),
});

const lines = <S extends z.ZodType>(quantity: S) =>
  z.array(z.strictObject({ product_id: text(64), quantity })).max(1000, 'must have at most 1000 lines');

export const arrival = z.strictObject({
  items: lines(positiveAmount().describe('How many came in.')).min(1, 'must have at least one line'),
});

export const count = z.strictObject({ items: lines(amount().describe('How many were counted.')).default([]) });

export const salesQuery = z.strictObject({
  ...listQuery,
  store_id: text(64).optional(),
  account_id: text(100).optional(),
  status: z.enum(saleStatuses).optional(),
  payment_method: z.enum(paymentMethods).optional(),
});

export const managedSale = sale.extend({ account_id: z.string() });
