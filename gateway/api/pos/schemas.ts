import { z } from 'zod';
import { amount, instant, isoDate, positiveAmount, text } from '../../http/fields.ts';
import { paymentMethods, paymentProviders, paymentStatuses, saleStatuses } from '../../store/tables/pos.ts';

/** Schemas of the point-of-sale document's requests and replies. Amounts are in the store's currency. */

const storeId = () =>
  text(64)
    .describe("The store's identifier.")
    .meta({ example: 'STORE-ABJ-01', 'x-gap': ['pos.store-access'] });
const productId = () => text(64).describe("The product's identifier.").meta({ example: 'PRD-0001' });

export const phonePattern = /^\+?(?:[ .-]*[0-9]){8,15}[ .-]*$/;

/** A telephone number of 8 to 15 digits (E.164). A leading plus sign, spaces, points and hyphens are optional. */
export const phone = (description: string) =>
  text(40)
    .refine((value) => phonePattern.test(value), {
      message: 'must be a telephone number of 8 to 15 digits, such as +2250700000000',
      params: { rule: 'phone' },
    })
    .describe(description)
    .meta({ example: '+2250700000000', pattern: phonePattern.source, 'x-gap': ['pos.phone-format'] });

/** The product of two numbers with 6 decimals has up to 12, and a total must be exact. */
const moneyDecimals = { decimals: 12 };

const price = () =>
  amount()
    .describe("Price of one unit, in the store's currency.")
    .meta({ example: 2500, 'x-gap': ['pos.currency', 'pos.item-price', 'pos.amount-bounds'] });
const quantity = () =>
  positiveAmount()
    .describe('Number of units; fractions such as 1.5 kg are allowed.')
    .meta({ example: 2, 'x-gap': ['pos.amount-bounds'] });

/** A value of a field that stubs may show with values of their own. */
const word = (known: readonly string[]) => z.string().meta({ enum: [...known] });

export const credentials = z
  .strictObject({
    api_key: text(200).describe('The public half of the credentials.').meta({ example: 'pk_demo_pro' }),
    api_secret: text(200).describe('The secret half, shown once when the key was created.').meta({ example: '<API_SECRET>' }),
  })
  .describe('Credentials of an account.');

export const tokenReply = z.object({
  success: z.literal(true),
  token: z
    .string()
    .describe('A JWT, sent later as `Authorization: Bearer`.')
    .meta({ 'x-gap': ['pos.token-transport'] }),
  expires_in: z
    .int()
    .describe('Lifetime of the token in seconds.')
    .meta({ example: 3600, 'x-gap': ['pos.expires-in-unit'] }),
  token_type: z.literal('Bearer'),
});

export const saleRequest = z.strictObject({
  store_id: storeId(),
  items: z
    .array(z.strictObject({ product_id: productId(), quantity: quantity(), price: price() }))
    .min(1, 'must have at least one line')
    .max(200, 'must have at most 200 lines')
    .describe('The lines, 1 to 200. Several lines may name the same product.')
    .meta({ 'x-gap': ['pos.repeated-products'] }),
  payment_method: z
    .enum(paymentMethods)
    .describe('The payment method. Cash and card complete the sale at once.')
    .meta({ 'x-gap': ['pos.payment-methods'] }),
  customer_phone: phone("The customer's telephone number.").exactOptional(),
  total: amount(moneyDecimals)
    .describe('The exact sum of quantity times price over all lines.')
    .meta({ example: 5000, 'x-gap': ['pos.currency', 'pos.sale-total', 'pos.amount-bounds'] }),
});
export type SaleRequest = z.output<typeof saleRequest>;

export const sale = z.object({
  id: z.string().meta({ example: 'sale_019aa5b0c1d27e3f8a4b5c6d7e8f9012' }),
  reference: z.string().describe('The `reference` that a mobile-money payment sends.').meta({ example: 'S-20261121-7K3M9Q' }),
  store_id: z.string(),
  status: z
    .enum(saleStatuses)
    .describe('A mobile-money sale is pending until its payments reach the total.')
    .meta({ 'x-gap': ['pos.sale-states'] }),
  payment_method: word(paymentMethods),
  customer_phone: z.string().nullable(),
  items: z.array(
    z.object({
      product_id: z.string(),
      name: z.string(),
      quantity: z.number(),
      price: z.number(),
      amount: z.number().describe('Quantity times price.'),
    }),
  ),
  total: z.number(),
  paid: z.number().describe('The amount paid so far.'),
  currency: z.string().describe('ISO 4217 code of the store.').meta({ example: 'XOF' }),
  created_at: instant(),
  completed_at: instant().nullable(),
});
export type SaleView = z.output<typeof sale>;

export const paymentRequest = z.strictObject({
  amount: positiveAmount(moneyDecimals)
    .describe("Amount to charge, in the store's currency; at most the amount that remains to be paid.")
    .meta({ example: 5000, 'x-gap': ['pos.currency', 'pos.partial-payments', 'pos.amount-bounds'] }),
  phone: phone('Telephone number of the payer.'),
  provider: z
    .enum(paymentProviders)
    .describe('The mobile-money operator.')
    .meta({ 'x-gap': ['pos.providers'] }),
  reference: text(64)
    .describe("The sale's `reference`, or its `id`.")
    .meta({ example: 'S-20261121-7K3M9Q', 'x-gap': ['pos.payment-reference'] }),
});
export type PaymentRequest = z.output<typeof paymentRequest>;

export const payment = z.object({
  id: z.string().meta({ example: 'pay_019aa5b0c1d27e3f8a4b5c6d7e8f9012' }),
  reference: z.string().describe("The sale's reference."),
  amount: z.number(),
  currency: z.string().meta({ example: 'XOF' }),
  phone: z.string(),
  provider: z.enum(paymentProviders),
  status: z.literal('received').meta({ 'x-gap': ['pos.payment-states'] }),
  created_at: instant(),
  sale: z.object({
    reference: z.string(),
    status: z.enum(saleStatuses),
    total: z.number(),
    paid: z.number(),
    remaining: z.number().describe('The amount still to be paid.'),
  }),
});

/** A payment as stubs may answer it: of any status if they play slow operators. The contract knows `received` only. */
export const anyPayment = payment.extend({ status: z.enum(paymentStatuses) });
export type PaymentView = z.output<typeof anyPayment>;

export const inventoryQuery = z.strictObject({ store_id: storeId() });

export const stockItem = z.object({
  product_id: z.string(),
  name: z.string(),
  category: z.string(),
  price: z.number(),
  quantity: z.number(),
  low_threshold: z.number(),
  low: z.boolean().describe('The quantity is at or below the threshold.'),
});

export const inventory = z.object({
  store_id: z.string(),
  currency: z.string().meta({ example: 'XOF' }),
  updated_at: instant().describe('When a quantity last changed.'),
  items: z.array(stockItem).describe('Every product of the store, by product_id.'),
});
export type InventoryView = z.output<typeof inventory>;

const earliestDay = '1970-01-01';
const reportDay = () =>
  isoDate().refine((day) => day >= earliestDay, { message: `must be ${earliestDay} or later`, params: { rule: 'date' } });

export const reportQuery = z.strictObject({
  store_id: storeId(),
  start_date: reportDay()
    .optional()
    .describe('First day (UTC), included. By default 29 days before the last.')
    .meta({ example: '2026-11-01' }),
  end_date: reportDay().optional().describe('Last day (UTC), included. By default today.').meta({ example: '2026-11-21' }),
});

export const salesReport = z.object({
  store_id: z.string(),
  currency: z.string().meta({ example: 'XOF' }),
  period: z.object({ start_date: z.string().meta({ format: 'date' }), end_date: z.string().meta({ format: 'date' }) }),
  totals: z.object({ sales: z.int(), quantity: z.number(), amount: z.number() }),
  by_day: z
    .array(z.object({ date: z.string().meta({ format: 'date' }), sales: z.int(), amount: z.number() }))
    .describe('Only days with completed sales.'),
  by_product: z.array(z.object({ product_id: z.string(), name: z.string(), quantity: z.number(), amount: z.number() })),
  by_payment_method: z.array(z.object({ payment_method: word(paymentMethods), sales: z.int(), amount: z.number() })),
});
export type SalesReport = z.output<typeof salesReport>;

export const succeeded = <S extends z.ZodType>(data: S) => z.object({ success: z.literal(true), data });
