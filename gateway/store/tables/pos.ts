import type { Plan } from '../../../spec/documents/plans.ts';
import { boolean, column, decimal, integer, json, nullable, oneOf, table, text, time } from './columns.ts';

export const saleStatuses = ['pending', 'completed'] as const;
export type SaleStatus = (typeof saleStatuses)[number];

export const paymentMethods = ['cash', 'card', 'mobile_money'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Mobile-money operators. */
export const paymentProviders = ['orange_money', 'mtn_momo', 'moov_money'] as const;
export type PaymentProvider = (typeof paymentProviders)[number];

/** How a payment that was pending ends. */
export const paymentEnds = ['received', 'refused', 'timed_out'] as const;
export type PaymentEnd = (typeof paymentEnds)[number];

/** A gateway receives every payment at once. The other statuses are for stubs that play slow operators (gap pos.payment-states). */
export const paymentStatuses = ['pending', ...paymentEnds] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** The columns of a sale that requests and seeds may leave out. */
export const saleDefaults = { customer_phone: null };

/** The tables of the point of sale. */
export const posTables = {
  accounts: table({
    columns: {
      id: text,
      name: text,
      plan: column<Plan>('text'),
      /** Stores the account may use; null means all of them. */
      store_ids: nullable(json<string[]>()),
      active: boolean,
      created_at: time,
    },
    key: ['id'],
  }),
  api_keys: table({
    columns: {
      id: text,
      account_id: text,
      secret_hash: text,
      created_at: time,
      last_used_at: nullable(time),
      /** When a rotation ends it; null for a key that is not being replaced. */
      expires_at: nullable(time),
      revoked_at: nullable(time),
    },
    key: ['id'],
    indexes: [['account_id', 'id']],
  }),
  stores: table({
    columns: { id: text, name: text, city: text, currency: text, created_at: time, synchronized_at: nullable(time) },
    key: ['id'],
  }),
  stock: table({
    columns: {
      store_id: text,
      product_id: text,
      name: text,
      category: text,
      price: decimal,
      quantity: decimal,
      low_threshold: decimal,
      updated_at: time,
    },
    key: ['store_id', 'product_id'],
  }),
  sales: table({
    columns: {
      id: text,
      reference: text,
      account_id: text,
      store_id: text,
      status: oneOf(saleStatuses),
      payment_method: oneOf(paymentMethods),
      customer_phone: nullable(text),
      total: decimal,
      paid: decimal,
      created_at: time,
      completed_at: nullable(time),
      /** The UTC day of completion, YYYY-MM-DD. Reports group by it. */
      sold_on: nullable(text),
    },
    key: ['id'],
    unique: [['reference']],
    indexes: [
      ['store_id', 'sold_on'],
      ['account_id', 'id'],
    ],
  }),
  sale_items: table({
    columns: {
      sale_id: text,
      line: integer,
      store_id: text,
      product_id: text,
      name: text,
      quantity: decimal,
      price: decimal,
      amount: decimal,
      sold_on: nullable(text),
    },
    key: ['sale_id', 'line'],
    indexes: [['store_id', 'sold_on']],
  }),
  payments: table({
    columns: {
      id: text,
      sale_id: text,
      account_id: text,
      amount: decimal,
      phone: text,
      provider: oneOf(paymentProviders),
      status: oneOf(paymentStatuses),
      created_at: time,
    },
    key: ['id'],
    indexes: [['sale_id', 'id']],
  }),
  idempotency_keys: table({
    columns: { account_id: text, idempotency_key: text, request_hash: text, status: integer, body: text, created_at: time },
    key: ['account_id', 'idempotency_key'],
    indexes: [['created_at']],
  }),
} as const;
