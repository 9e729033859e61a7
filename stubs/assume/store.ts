import type { Rows, Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Assumptions } from './assumptions.ts';
import { wordEvent } from './messages.ts';
import type { ListQuery, Live } from './types.ts';

/** Returns a list of the cohesion API under the active alternatives; undefined for any other query, and if none changes lists. */
function changedList({ lists }: Live, table: string, { where = {}, order }: { where?: object; order?: unknown }) {
  if (lists.length === 0 || !isShown(table, where as Record<string, unknown>)) return undefined;
  const query = { table, where, order: order ?? [] } as ListQuery;
  return lists.reduce((changed, change) => change(changed), query);
}

/** What the API lists is active, or has one of the statuses that are shown. An operator’s lists have all. */
const isShown = (table: string, { active, statut }: Record<string, unknown>) =>
  (['indicators', 'structures'].includes(table) && active === true) ||
  (table === 'interventions' && typeof statut === 'object' && statut !== null && 'in' in statut);

/**
 * The store of a stub. An event gets the body of the assumed alternatives before it is stored, so that every attempt signs
 * and sends it, and every list shows it.
 */
export function wordingStore(store: Store, assumptions: Assumptions, isOfApi: (type: string) => boolean): Store {
  const word = (table: string, rows: readonly unknown[]) => {
    const { live, works } = assumptions;
    if (live === undefined) return;
    if (table === 'events') for (const row of rows as Row<'events'>[]) if (isOfApi(row.type)) row.body = wordEvent(live, row);
    for (const work of works) work.storing(table, rows);
  };
  const wordAlong = (along: unknown) => {
    const { table, rows } = (along ?? {}) as { table?: string; rows?: readonly unknown[] };
    if (table !== undefined && rows !== undefined) word(table, rows);
  };
  const worded = <T extends Rows>(rows: T): T =>
    new Proxy(rows, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'append' && name !== 'insert') return value.bind(target);
        return (table: string, added: readonly unknown[], ...others: unknown[]) => {
          word(table, added);
          if (name === 'append') wordAlong(others[0]);
          return value.call(target, table, added, ...others);
        };
      },
    });
  const { transaction, append, insert, list, count } = store;
  return Object.assign(store, {
    transaction: ((work, options) =>
      transaction.call(store, (tx) => work(assumptions.live === undefined ? tx : worded(tx)), options)) as Store['transaction'],
    list: (async (table, query = {}) => {
      const { live } = assumptions;
      const changed = live && changedList(live, table, query);
      if (changed === undefined) return list.call(store, table, query as never);
      const { where, order, keeps } = changed;
      if (keeps === undefined) return list.call(store, table, { ...(query as object), where, order } as never);
      const all = await list.call(store, table, { where, order } as never);
      const { limit = all.length, offset = 0 } = query;
      return all.filter(keeps).slice(offset, offset + limit);
    }) as Store['list'],
    count: (async (table, where, options) => {
      const { live } = assumptions;
      const changed = live && changedList(live, table, { where });
      if (changed === undefined) return count.call(store, table, where, options);
      if (changed.keeps === undefined) return count.call(store, table, changed.where as never, options);
      return (await list.call(store, table, { where: changed.where } as never)).filter(changed.keeps).length;
    }) as Store['count'],
    append: ((table, rows, along) => {
      word(table, rows);
      wordAlong(along);
      return append.call(store, table, rows, along as never);
    }) as Store['append'],
    insert: ((table, rows, options) => {
      word(table, rows);
      return insert.call(store, table, rows, options as never);
    }) as Store['insert'],
  });
}
