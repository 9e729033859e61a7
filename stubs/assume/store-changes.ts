import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { EventFacts } from './event-facts.ts';
import type { Kept, Live, StoreChanges, Variant } from './types.ts';

/** Returns what the variants see and change between the verbs and the store; undefined if that is nothing. */
export function storeChangesOf(played: readonly { name: string; variant: Variant | undefined }[]): StoreChanges | undefined {
  const changes = played.flatMap(({ variant }) => variant?.row ?? []);
  const looking = played.filter(({ variant }) => variant?.lookAtEvent);
  if (changes.length + looking.length === 0) return undefined;
  return {
    changes,
    ...(looking.length > 0 && {
      async lookAtEvent(event, rows) {
        const facts: Record<string, unknown> = {};
        // One after another, because in a transaction they share one connection.
        for (const { name, variant } of looking) facts[name] = await variant?.lookAtEvent?.(event, rows);
        return facts;
      },
    }),
  };
}

/** Returns a row as the verbs read it. */
export async function changedRow<R>(
  changes: StoreChanges['changes'],
  table: string,
  row: R,
  rows: Pick<Rows, 'get'>,
): Promise<R> {
  let changed = row as Kept;
  for (const change of changes) changed = await change(table, changed, rows);
  return changed as R;
}

export const changedRows = <R>(changes: StoreChanges['changes'], table: string, found: readonly R[], rows: Pick<Rows, 'get'>) =>
  Promise.all(found.map((row) => changedRow(changes, table, row, rows)));

/** The statements of a transaction that variants change, by their names. */
export function changedStatements(target: Rows, { changes }: StoreChanges): Partial<Rows> {
  const get: Rows['get'] = async (table, where, options) => {
    const row = await target.get(table, where, options);
    return row && changedRow(changes, table, row, target);
  };
  const list: Rows['list'] = async (table, query) => changedRows(changes, table, await target.list(table, query), target);
  return changes.length > 0 ? { get, list } : {};
}

/** Reads what the bodies of new events need. Undefined if nothing does, so that nothing waits. */
export function factsOfEvents(
  live: Live | undefined,
  stored: readonly { table: string; rows: readonly unknown[] }[],
  reader: Rows,
): Promise<Map<unknown, EventFacts>> | undefined {
  const look = live?.rows?.lookAtEvent;
  const events = look ? stored.flatMap(({ table, rows }) => (table === 'events' ? rows : [])) : [];
  if (look === undefined || events.length === 0) return undefined;
  return (async () => {
    const facts = new Map<unknown, EventFacts>();
    for (const event of events) facts.set(event, await look(event as Row<'events'>, reader));
    return facts;
  })();
}
