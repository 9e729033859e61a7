import type { Big } from 'big.js';
import { z } from 'zod';
import { dayOf } from '../../gateway/api/pos/domain/days.ts';
import { exact, sumOf, toText } from '../../gateway/api/pos/domain/decimals.ts';
import { itemRow } from '../../gateway/api/pos/domain/rows.ts';
import { phone } from '../../gateway/api/pos/schemas.ts';
import { newIdAt } from '../../gateway/base/ids.ts';
import { amount, moment, positiveAmount, text, toInstant } from '../../gateway/http/fields.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import {
  type PaymentEnd,
  paymentEnds,
  paymentMethods,
  paymentProviders,
  paymentStatuses,
} from '../../gateway/store/tables/pos.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { rowId } from './events.ts';
import type { SaleFixture } from './types.ts';

const item = z.strictObject({
  product_id: text(64),
  name: text(200).optional(),
  quantity: positiveAmount().default(1),
  price: amount().optional(),
});

const payment = z.strictObject({
  id: rowId('pay').optional(),
  amount: positiveAmount({ decimals: 12 }),
  phone: phone('Telephone number of the payer.'),
  provider: z.enum(paymentProviders).default('orange_money'),
  status: z.enum(paymentStatuses).default('received'),
  created_at: moment().optional(),
  settles_at: moment().optional(),
  settles_as: z.enum(paymentEnds).optional(),
});

export const sale = z.strictObject({
  id: rowId('sale').optional(),
  reference: text(60).optional(),
  store_id: text(64),
  api_key: text(200).optional(),
  items: z.array(item).min(1, 'must have at least one line').max(200, 'must have at most 200 lines'),
  payment_method: z.enum(paymentMethods).default('cash'),
  customer_phone: phone("The customer's telephone number.").nullable().default(null),
  created_at: moment().optional(),
  completed_at: moment().optional(),
  payments: z.array(payment).default([]),
});

type Sale = z.output<typeof sale>;
export interface SellingStore {
  id: string;
  currency: string;
  products: readonly { product_id: string; name: string; price: number }[];
}

/** Lines with the names and prices of the products where they are left out. */
const linesOf = ({ items }: Sale, store: SellingStore | undefined) =>
  items.map((one) => {
    const product = store?.products.find(({ product_id }) => product_id === one.product_id);
    return { ...one, name: one.name ?? product?.name, price: one.price ?? product?.price };
  });

type Lines = ReturnType<typeof linesOf>;
const totalOf = (lines: Lines) => sumOf(lines.map(({ quantity, price }) => exact(quantity).times(price ?? 0)));
const sumIn = ({ payments }: Sale, statuses: readonly string[]) =>
  sumOf(payments.filter(({ status }) => statuses.includes(status)).map((one) => exact(one.amount)));
const awaitsPayment = ({ payment_method }: Sale) => payment_method === 'mobile_money';
const paidOf = (one: Sale, total: Big) => (awaitsPayment(one) ? sumIn(one, ['received']) : total);

/** How a pending payment ends by itself, and when, in milliseconds since 1970. */
export interface PaymentEnding {
  atMs: number;
  as: PaymentEnd;
}

/** Refuses sales that contradict the stores, the accounts or themselves. */
export function refuseWrongSales(
  sales: readonly Sale[],
  stores: readonly SellingStore[],
  apiKeys: ReadonlySet<string>,
  refuse: (path: (string | number)[], message: string) => void,
): void {
  for (const [at, one] of sales.entries()) {
    const store = stores.find(({ id }) => id === one.store_id);
    const lines = linesOf(one, store);
    const owed = sumIn(one, ['received', 'pending']);
    if (!store) refuse(['sales', at, 'store_id'], `stores has no entry with the id ${one.store_id}`);
    if (one.api_key !== undefined && !apiKeys.has(one.api_key))
      refuse(['sales', at, 'api_key'], `accounts has no entry with the api_key ${one.api_key}`);
    for (const [line, { product_id, name, price }] of lines.entries())
      if (name === undefined || price === undefined)
        refuse(
          ['sales', at, 'items', line, 'product_id'],
          `${one.store_id} has no product ${product_id}: give its name and price`,
        );
    if (one.payments.length > 0 && !awaitsPayment(one))
      refuse(['sales', at, 'payments'], `only a sale by mobile_money has payments, not one by ${one.payment_method}`);
    else if (owed.gt(0) && owed.gt(totalOf(lines)))
      refuse(['sales', at, 'payments'], `add up to ${owed.toFixed()}, which is more than the total ${totalOf(lines).toFixed()}`);
    if (one.completed_at !== undefined && !paidOf(one, totalOf(lines)).eq(totalOf(lines)))
      refuse(['sales', at, 'completed_at'], 'only a sale that is paid has completed_at');
    for (const [place, { status, settles_at, settles_as }] of one.payments.entries()) {
      const path = ['sales', at, 'payments', place];
      if (status !== 'pending' && (settles_at ?? settles_as) !== undefined)
        refuse([...path, 'status'], `is ${status}, but only a pending payment has settles_at and settles_as`);
      else if (settles_at === undefined && settles_as !== undefined)
        refuse([...path, 'settles_at'], 'settles_as needs settles_at');
    }
  }
}

/**
 * Stores sales of the past with their lines and payments. `accountOf` maps an api_key to an account. Returns how and when pending
 * payments end, by their ids.
 */
export async function storeSales(
  { tx, now }: Change,
  sales: readonly Sale[],
  stores: readonly SellingStore[],
  accountOf: (apiKey: string | undefined) => string,
): Promise<[id: string, PaymentEnding][]> {
  const all = sales.map((one, at) => rowsOf(one, { place: at + 1, now, stores, account_id: accountOf(one.api_key) }));
  await tx.append(
    'sales',
    all.map(({ row }) => row),
  );
  await tx.append(
    'sale_items',
    all.flatMap(({ lines }) => lines),
  );
  await tx.append(
    'payments',
    all.flatMap(({ payments }) => payments),
  );
  return sales.flatMap((one, at) =>
    one.payments.flatMap(({ settles_at: atMs, settles_as: as = 'received' }, place): [string, PaymentEnding][] =>
      atMs === undefined ? [] : [[all[at]?.payments[place]?.id ?? '', { atMs, as }]],
    ),
  );
}

interface Around {
  place: number;
  now: number;
  stores: readonly SellingStore[];
  account_id: string;
}

function rowsOf(one: Sale, { place, now, stores, account_id }: Around) {
  const lines = linesOf(
    one,
    stores.find(({ id }) => id === one.store_id),
  );
  const created_at = one.created_at ?? now;
  const total = totalOf(lines);
  const paid = paidOf(one, total);
  const completed = paid.eq(total);
  const completed_at = completed ? (one.completed_at ?? lastPaid(one, created_at)) : null;
  const day = dayOf(created_at).replaceAll('-', '');
  const { items, payments, api_key, ...said } = one;
  const row: Row<'sales'> = {
    ...said,
    id: one.id ?? newIdAt('sale', created_at),
    reference: one.reference ?? `S-${day}-${String(place).padStart(6, '0')}`,
    account_id,
    status: completed ? 'completed' : 'pending',
    total: total.toFixed(),
    paid: paid.toFixed(),
    created_at,
    completed_at,
    sold_on: completed_at === null ? null : dayOf(completed_at),
  };
  return {
    row,
    lines: lines.map(({ product_id, name = '', quantity, price = 0 }, line) =>
      itemRow(row, line, { product_id, name, quantity, price, amount: exact(quantity).times(price).toFixed() }),
    ),
    payments: one.payments.map((each) => paymentRow(row, each)),
  };
}

/** When the last payment was made, as far as a seed says. */
const lastPaid = (
  { payments }: { payments: readonly Pick<Sale['payments'][number], 'status' | 'created_at'>[] },
  createdAt: number,
): number =>
  Math.max(createdAt, ...payments.filter(({ status }) => status === 'received').map(({ created_at = createdAt }) => created_at));

const paymentRow = (
  sold: Row<'sales'>,
  { id, status, created_at = sold.created_at, ...one }: Sale['payments'][number],
): Row<'payments'> => ({
  id: id ?? newIdAt('pay', created_at),
  sale_id: sold.id,
  account_id: sold.account_id,
  status,
  created_at,
  amount: toText(one.amount),
  phone: one.phone,
  provider: one.provider,
});

/** Returns stored sales as fixtures, oldest first. `apiKeyOf`: the key of each account by its id. */
export async function salesState(
  rows: Rows,
  apiKeyOf: ReadonlyMap<string, string>,
  endingOf: (paymentId: string) => PaymentEnding | undefined,
): Promise<SaleFixture[]> {
  const [sales, items, payments] = await Promise.all([
    rows.list('sales', { order: [['id', 'asc']] }),
    rows.list('sale_items', { order: [['line', 'asc']] }),
    rows.list('payments', { order: [['id', 'asc']] }),
  ]);
  const itemsOf = Map.groupBy(items, ({ sale_id }) => sale_id);
  const paymentsOf = Map.groupBy(payments, ({ sale_id }) => sale_id);
  return sales.map(({ account_id, status, total, paid, sold_on, created_at, completed_at, ...said }) => ({
    ...said,
    created_at: toInstant(created_at),
    ...(apiKeyOf.has(account_id) ? { api_key: apiKeyOf.get(account_id) } : {}),
    items: (itemsOf.get(said.id) ?? []).map(({ product_id, name, quantity, price }) => ({
      product_id,
      name,
      quantity: Number(quantity),
      price: Number(price),
    })),
    ...(completed_at === null || completed_at === lastPaid({ payments: paymentsOf.get(said.id) ?? [] }, created_at)
      ? {}
      : { completed_at: toInstant(completed_at) }),
    payments: (paymentsOf.get(said.id) ?? []).map((one) => ({
      id: one.id,
      amount: Number(one.amount),
      phone: one.phone,
      provider: one.provider,
      status: one.status,
      created_at: toInstant(one.created_at),
      ...endingShown(endingOf(one.id)),
    })),
  }));
}

const endingShown = (ending: PaymentEnding | undefined) =>
  ending === undefined ? {} : { settles_at: toInstant(ending.atMs), settles_as: ending.as };
