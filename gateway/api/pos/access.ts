import type { FastifyRequest } from 'fastify';
import { notFound } from '../../base/errors.ts';
import type { Caller } from '../../http/api.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

/** An account that calls, with the API key that its token was issued for. */
export interface PosCaller extends Caller {
  account: Row<'accounts'>;
  keyId: string;
}

/** The caller of a route that is not public: `identify` ran before it. */
export const callerOf = (request: FastifyRequest): PosCaller => request.caller as PosCaller;

/** The store, if it exists and is one of the account's. An account's `store_ids` null means every store. */
export async function storeFor(rows: Rows, account: Row<'accounts'>, storeId: string): Promise<Row<'stores'>> {
  const mine = account.store_ids === null || account.store_ids.includes(storeId);
  const store = mine ? await rows.get('stores', { id: storeId }) : undefined;
  if (store) return store;
  throw notFound('store_id', `There is no store ${JSON.stringify(storeId)} that account ${account.id} may use.`);
}
