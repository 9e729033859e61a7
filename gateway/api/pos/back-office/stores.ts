import { notFound, Refusal } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { toText } from '../domain/decimals.ts';

/** The back office of stores and their products: the document has no operations for it (gap pos.back-office). */

export async function createStore(
  { tx, now }: Change,
  input: Pick<Row<'stores'>, 'id' | 'name' | 'city' | 'currency'>,
): Promise<Row<'stores'>> {
  const row = { ...input, created_at: now, synchronized_at: null };
  const [store] = await tx.insert('stores', [row], { onConflict: 'ignore' });
  if (store) return store;
  const message = `There is already a store ${input.id}. Choose another id.`;
  throw new Refusal('conflict', 'already_exists', message, { details: [{ field: 'id', rule: 'unique', message }] });
}

export async function readStore(rows: Rows, storeId: string): Promise<Row<'stores'>> {
  const store = await rows.get('stores', { id: storeId });
  if (!store) throw notFound('id', `There is no store ${JSON.stringify(storeId)}.`);
  return store;
}

export interface ProductInput {
  product_id: string;
  name: string;
  category: string;
  price: number;
  quantity: number;
  low_threshold: number;
}

/** Adds a product to a store, or replaces it. */
export async function putProduct({ tx, now }: Change, storeId: string, input: ProductInput): Promise<Row<'stock'>> {
  await readStore(tx, storeId);
  const columns = {
    name: input.name,
    category: input.category,
    price: toText(input.price),
    quantity: toText(input.quantity),
    low_threshold: toText(input.low_threshold),
    updated_at: now,
  };
  const key = { store_id: storeId, product_id: input.product_id };
  const [added] = await tx.insert('stock', [{ ...key, ...columns }], { onConflict: 'ignore' });
  const [product] = added ? [added] : await tx.update('stock', key, columns);
  if (!product) throw new Error(`product ${input.product_id} of store ${storeId} was neither added nor replaced`);
  return product;
}
