import type { Rows, Store } from '../../gateway/store/port.ts';
import type { Assumptions } from './assumptions.ts';
import { changedRow, changedRows, changedStatements } from './store-changes.ts';
import type { Kept, ListQuery, Live } from './types.ts';

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

/** The store of a stub. Verbs read rows and lists as the active alternatives have them. */
export function changedStore(store: Store, assumptions: Assumptions): Store {
  /** The statements of a transaction. */
  const changed = <T extends Rows>(rows: T, { rows: changes }: Live): T => {
    const statements: Partial<Rows> = changes ? changedStatements(rows, changes) : {};
    return new Proxy(rows, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (statements[name as keyof Rows] ?? value.bind(target)) : value;
      },
    });
  };
  const { transaction, get, list, count } = store;
  const asStored: Rows = { ...store };
  /** A page of the rows as they are stored. */
  const listed = (table: string, query: object): Promise<Kept[]> =>
    list.call(store, table as never, query as never) as Promise<never[]>;
  const listedUnder = async (live: Live, table: string, query: { limit?: number; offset?: number; where?: object }) => {
    const otherwise = changedList(live, table, query);
    if (otherwise === undefined) return listed(table, query);
    const { where, order, keeps } = otherwise;
    if (keeps === undefined) return listed(table, { ...query, where, order });
    const all = await listed(table, { where, order });
    const { limit = all.length, offset = 0 } = query;
    return all.filter(keeps).slice(offset, offset + limit);
  };
  return Object.assign(store, {
    transaction: ((work, options) =>
      transaction.call(
        store,
        (tx) => work(assumptions.live === undefined ? tx : changed(tx, assumptions.live)),
        options,
      )) as Store['transaction'],
    get: ((table, where, options) => {
      const found = get.call(store, table, where, options);
      const changes = assumptions.live?.rows?.changes;
      return changes ? found.then((row) => row && changedRow(changes, table, row, asStored)) : found;
    }) as Store['get'],
    list: (async (table, query = {}) => {
      const { live } = assumptions;
      if (live === undefined) return list.call(store, table, query as never);
      const found = await listedUnder(live, table, query);
      return live.rows ? changedRows(live.rows.changes, table, found, asStored) : found;
    }) as Store['list'],
    count: (async (table, where, options) => {
      const { live } = assumptions;
      const changed = live && changedList(live, table, { where });
      if (changed === undefined) return count.call(store, table, where, options);
      if (changed.keeps === undefined) return count.call(store, table, changed.where as never, options);
      return (await list.call(store, table, { where: changed.where } as never)).filter(changed.keeps).length;
    }) as Store['count'],
  });
}
