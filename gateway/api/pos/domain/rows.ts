import { hashSecret } from '../../../base/keyring.ts';
import type { Row } from '../../../store/tables/index.ts';
import { toText } from './decimals.ts';

/** Rows as they are first stored: by the API's own verbs, as demo data, and as seeds of stubs. */

/** Only the hash of the secret is stored. `now`: milliseconds since 1970. */
export const apiKeyRow = (id: string, account_id: string, secret: string, now: number): Row<'api_keys'> => ({
  id,
  account_id,
  secret_hash: hashSecret(secret),
  created_at: now,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
});

interface Line {
  product_id: string;
  name: string;
  quantity: number;
  price: number;
  /** Quantity times price, as decimal text. */
  amount: string;
}

export const itemRow = (sale: Row<'sales'>, line: number, { quantity, price, ...item }: Line): Row<'sale_items'> => ({
  ...item,
  sale_id: sale.id,
  line,
  store_id: sale.store_id,
  quantity: toText(quantity),
  price: toText(price),
  sold_on: sale.sold_on,
});
