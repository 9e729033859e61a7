import { invalid, Refusal } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import type { PosChoices } from './choices.ts';
import { takeFromStock } from './stock.ts';

type Sale = Pick<Row<'sales'>, 'id' | 'store_id'>;

/** Takes the goods of a sale from stock, when it is paid. A refusal names the sale, because a payment has no lines. */
export async function takeGoods(change: Change, sale: Sale, choices: PosChoices): Promise<void> {
  const goods = await goodsOf(change.tx, sale);
  try {
    await takeFromStock(change, sale.store_id, goods, choices);
  } catch (error) {
    throw error instanceof Refusal && error.code === 'insufficient_stock'
      ? invalid('reference', error.code, error.message)
      : error;
  }
}

/** Puts the goods of a pending sale back into stock, once. Only stubs do (gaps pos.stock-at-creation and pos.sale-states). */
export async function putBack(change: Change, sale: Sale, choices: PosChoices): Promise<void> {
  if (choices.releasedSales.has(sale.id)) return;
  const goods = await goodsOf(change.tx, sale);
  const returned = goods.map(({ product_id, quantity }) => ({ product_id, quantity: -quantity }));
  await takeFromStock(change, sale.store_id, returned, choices);
  choices.releasedSales.add(sale.id);
}

async function goodsOf(rows: Rows, { id }: Sale): Promise<{ product_id: string; quantity: number }[]> {
  const items = await rows.list('sale_items', { where: { sale_id: id } });
  return items.map(({ product_id, quantity }) => ({ product_id, quantity: Number(quantity) }));
}
