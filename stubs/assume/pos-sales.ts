import { sent } from '../../contracts/gaps/is/conditions.ts';
import type { Asked } from '../../contracts/gaps/is/is.ts';
import { listOf } from '../../contracts/gaps/is/values.ts';
import { wrong } from '../../contracts/gaps/is/wrong.ts';
import { fieldsOf, type Json } from '../../contracts/tools/json.ts';
import { exact } from '../../gateway/api/pos/domain/decimals.ts';
import { storeFor } from '../../gateway/api/pos/domain/stores.ts';
import { statusOfRefusal } from '../../gateway/api/pos/errors.ts';
import type { PosCaller } from '../../gateway/api/pos/identity.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import type { Rows } from '../../gateway/store/port.ts';
import { posPolicyOf } from './pos-store-ids.ts';
import type { Around, Variant, Variants } from './types.ts';

const sales = 'POST /sales';
const minuteMs = 60_000;

const linesOf = (asked: Asked) => listOf(sent(asked).items).map(fieldsOf);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** True for lines that the reference would take, so that what is wrong with others is named as it was sent. */
const areLines = (lines: readonly Json[]) =>
  lines.length > 0 &&
  lines.every(({ product_id, quantity, price }) => typeof product_id === 'string' && isNumber(quantity) && isNumber(price));

/** Refuses a sale that equals one of the last minute: the same store, lines, method, telephone and total. */
const repeatRefused: Variant = {
  at: 'outcome',
  async request(asked, { store, account, now }) {
    const { store_id, total, payment_method, customer_phone = null } = sent(asked);
    if (asked.operation !== sales || account === undefined || !isNumber(total) || !areLines(linesOf(asked))) return undefined;
    // A repeat with its key gets the first reply.
    if (asked.headers['idempotency-key'] !== undefined) return undefined;
    const recent = await store.list('sales', { where: { account_id: account, created_at: { gt: now - minuteMs } } });
    const alike = recent.filter(
      (sale) =>
        sale.store_id === store_id &&
        sale.payment_method === payment_method &&
        sale.customer_phone === customer_phone &&
        exact(sale.total).eq(total),
    );
    const held = await store.list('sale_items', {
      where: { sale_id: { in: alike.map(({ id }) => id) } },
      order: [['line', 'asc']],
    });
    const wanted = textOf(linesOf(asked));
    const same = alike.find(({ id }) => textOf(held.filter(({ sale_id }) => sale_id === id)) === wanted);
    if (same === undefined) return undefined;
    return wrong(400, [
      { field: 'items', rule: 'repeated', message: `equal those of sale ${same.reference}, which is less than a minute old` },
    ]);
  },
};

const textOf = (lines: readonly { product_id?: unknown; quantity?: unknown; price?: unknown }[]) =>
  JSON.stringify(lines.map(({ product_id, quantity, price }) => [product_id, Number(quantity), Number(price)]));

/** Looks for the store before anything else of a body or query. */
const storeFirst: Variant = {
  at: 'outcome',
  async request(asked, { store, caller, policy }: Around) {
    const id = asked.query.store_id ?? sent(asked).store_id;
    if (typeof id !== 'string' || caller === null) return undefined;
    try {
      await storeFor(store as Rows, (caller as PosCaller).account, id, posPolicyOf(policy));
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, details } = error;
      return { status: statusOfRefusal[error.kind], code, message, details };
    }
  },
};

export const posSaleVariants: Variants<'pos'> = {
  'pos.repeated-post=refused': repeatRefused,
  'pos.check-order=store-first': storeFirst,
};
