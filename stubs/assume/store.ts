import type { Rows, Store } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Assumptions } from './assumptions.ts';
import type { EventFacts } from './event-facts.ts';
import { wordEvent } from './messages.ts';
import { changedRow, changedRows, changedStatements, factsOfEvents } from './store-changes.ts';
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

/** Runs work, and resolves when what waits has ended too. */
async function endingAfter<R>(work: (waiting: Promise<unknown>[]) => Promise<R>): Promise<R> {
  const waiting: Promise<unknown>[] = [];
  const result = await work(waiting);
  await Promise.all(waiting);
  return result;
}

/**
 * The store of a stub. An event gets the body of the assumed alternatives before it is stored, so that every attempt signs
 * and sends it, and every list shows it.
 */
export function wordingStore(store: Store, assumptions: Assumptions, isOfApi: (type: string) => boolean): Store {
  const word = (table: string, rows: readonly unknown[], facts?: Map<unknown, EventFacts>) => {
    const { live, works } = assumptions;
    if (live === undefined) return;
    if (table === 'events')
      for (const row of rows as Row<'events'>[]) if (isOfApi(row.type)) row.body = wordEvent(live, row, facts?.get(row));
    for (const work of works) work.storing(table, rows);
  };
  const storedBy = (table: string, rows: readonly unknown[], along?: unknown) => [
    { table, rows },
    ...(along ? [along as { table: string; rows: readonly unknown[] }] : []),
  ];
  /** Words what is stored, and then stores it. Waits only if a body needs something from the store. */
  const wordedFirst = <R>(stored: ReturnType<typeof storedBy>, reader: Rows, store: () => Promise<R>): Promise<R> => {
    const wordAll = (facts?: Map<unknown, EventFacts>) => {
      for (const { table, rows } of stored) word(table, rows, facts);
      return store();
    };
    return factsOfEvents(assumptions.live, stored, reader)?.then(wordAll) ?? wordAll();
  };
  /** The statements of a transaction. `waiting` gets what its end must wait for: verbs do not wait for what they append. */
  const worded = <T extends Rows>(rows: T, waiting: Promise<unknown>[]): T => {
    const changed: Partial<Rows> = assumptions.live?.rows ? changedStatements(rows, assumptions.live.rows) : {};
    return new Proxy(rows, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'append' && name !== 'insert') return changed[name as keyof Rows] ?? value.bind(target);
        return (table: string, added: readonly unknown[], ...others: unknown[]) => {
          const stored = storedBy(table, added, name === 'append' ? others[0] : undefined);
          const done = wordedFirst(stored, target, () => value.call(target, table, added, ...others));
          waiting.push(done);
          return done;
        };
      },
    });
  };
  const { transaction, append, insert, get, list, count } = store;
  const asStored: Rows = { ...store };
  /** A page of the rows as they are stored. */
  const listed = (table: string, query: object): Promise<Kept[]> =>
    list.call(store, table as never, query as never) as Promise<never[]>;
  const listedUnder = async (live: Live, table: string, query: { limit?: number; offset?: number; where?: object }) => {
    const changed = changedList(live, table, query);
    if (changed === undefined) return listed(table, query);
    const { where, order, keeps } = changed;
    if (keeps === undefined) return listed(table, { ...query, where, order });
    const all = await listed(table, { where, order });
    const { limit = all.length, offset = 0 } = query;
    return all.filter(keeps).slice(offset, offset + limit);
  };
  return Object.assign(store, {
    transaction: ((work, options) =>
      transaction.call(
        store,
        (tx) => (assumptions.live === undefined ? work(tx) : endingAfter((waiting) => work(worded(tx, waiting)))),
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
    append: ((table, rows, along) => {
      const keep = () => append.call(store, table, rows, along as never);
      return assumptions.live === undefined ? keep() : wordedFirst(storedBy(table, rows, along), asStored, keep);
    }) as Store['append'],
    insert: ((table, rows, options) => {
      const keep = () => insert.call(store, table, rows, options as never);
      return assumptions.live === undefined ? keep() : wordedFirst(storedBy(table, rows), asStored, keep);
    }) as Store['insert'],
  });
}
