import type { Rows, Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Assumptions } from './assumptions.ts';
import { wordEvent } from './messages.ts';

/**
 * The store of a stub. An event gets the body of the assumed alternatives before it is stored, so that every attempt signs
 * and sends it, and every list shows it.
 */
export function wordingStore(store: Store, assumptions: Assumptions, isOfApi: (type: string) => boolean): Store {
  const word = (table: string, rows: readonly unknown[]) => {
    const { live } = assumptions;
    if (live === undefined || table !== 'events') return;
    for (const row of rows as Row<'events'>[]) if (isOfApi(row.type)) row.body = wordEvent(live, row);
  };
  const worded = <T extends Rows>(rows: T): T =>
    new Proxy(rows, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'append' && name !== 'insert') return value.bind(target);
        return (table: string, added: readonly unknown[], ...others: unknown[]) => {
          word(table, added);
          return value.call(target, table, added, ...others);
        };
      },
    });
  const { transaction, append, insert } = store;
  return Object.assign(store, {
    transaction: ((work, options) =>
      transaction.call(store, (tx) => work(assumptions.live === undefined ? tx : worded(tx)), options)) as Store['transaction'],
    append: ((table, rows, along) => {
      word(table, rows);
      return append.call(store, table, rows, along as never);
    }) as Store['append'],
    insert: ((table, rows, options) => {
      word(table, rows);
      return insert.call(store, table, rows, options as never);
    }) as Store['insert'],
  });
}
