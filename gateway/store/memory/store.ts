import { olderThan } from '../daily.ts';
import type { Expiry, Lease, Rows, Store, Where } from '../port.ts';
import { type DailyTable, type TableName, tables } from '../tables/index.ts';
import { MemoryTable } from './table.ts';
import { MemoryTransaction } from './transaction.ts';

/**
 * The store of stubs. Transactions run one after another, as on the embedded tier's single connection. If one fails, its
 * changes are undone in reverse order.
 */
export class MemoryStore implements Store {
  readonly #tables: Map<string, MemoryTable>;
  readonly #running = new Set<string>();
  /** True while a transaction runs. The others wait. */
  #busy = false;
  readonly #waiting: (() => void)[] = [];
  #version = 0;

  /** `keep` gives the maximum rows of a table. Beyond it, the oldest row is dropped. */
  constructor(keep: Partial<Record<TableName, number>> = {}) {
    this.#tables = new Map(
      Object.entries(tables).map(([name, definition]) => [
        name,
        new MemoryTable(name, definition, keep[name as TableName] ?? Number.POSITIVE_INFINITY),
      ]),
    );
  }

  /** Increases with every commit that changed a row. */
  get version(): number {
    return this.#version;
  }

  /** Takes a snapshot of all tables. The returned function restores it and may be called more than once. */
  async remember(): Promise<() => Promise<void>> {
    const parts = await this.#inTurn(async () => [...this.#tables.values()].map((table) => table.remember()));
    return () =>
      this.#inTurn(async () => {
        for (const restore of parts) restore();
        this.#version += 1;
      });
  }

  insert: Rows['insert'] = (table, rows, options) => this.#inTurn((tx) => tx.insert(table, rows, options));
  append: Rows['append'] = (...args) => this.#inTurn((rows) => rows.append(...args));
  get: Rows['get'] = (...args) => this.#inTurn((rows) => rows.get(...args));
  list: Rows['list'] = (...args) => this.#inTurn((rows) => rows.list(...args));
  scan: Rows['scan'] = (...args) => this.#inTurn((rows) => rows.scan(...args));
  count: Rows['count'] = (...args) => this.#inTurn((rows) => rows.count(...args));
  newest: Rows['newest'] = (table, query) => this.#inTurn((rows) => rows.newest(table, query));
  summarize: Rows['summarize'] = (table, summary) => this.#inTurn((rows) => rows.summarize(table, summary));
  update: Rows['update'] = (...args) => this.#inTurn((rows) => rows.update(...args));
  advance: Rows['advance'] = (...args) => this.#inTurn((rows) => rows.advance(...args));
  revise: Rows['revise'] = (...args) => this.#inTurn((rows) => rows.revise(...args));
  tally: Rows['tally'] = (...args) => this.#inTurn((rows) => rows.tally(...args));
  remove: Rows['remove'] = (...args) => this.#inTurn((rows) => rows.remove(...args));

  transaction<R>(work: (tx: Rows) => Promise<R>): Promise<R> {
    return this.#inTurn(work);
  }

  async alone(name: string, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    if (this.#running.has(name)) return false;
    this.#running.add(name);
    try {
      await work({ isHeld: () => true });
      return true;
    } finally {
      this.#running.delete(name);
    }
  }

  expire<T extends DailyTable>(table: T, { beforeMs, unless }: Expiry<T>): Promise<void> {
    return this.#inTurn(async (rows) => {
      const old = olderThan(table, beforeMs);
      if (!unless) return void (await rows.remove(table, old));
      const { column, table: other, where } = unless;
      const owners = await rows.list(other, { where });
      const kept = new Set(owners.map((owner) => (owner as Record<string, unknown>)[tables[other].key[0] as string]));
      for (const row of await rows.list(table, { where: old })) {
        const key = Object.fromEntries(tables[table].key.map((name) => [name, (row as Record<string, unknown>)[name]]));
        if (!kept.has(row[column])) await rows.remove(table, key as Where<T>);
      }
    });
  }

  async ping(): Promise<void> {}
  async close(): Promise<void> {}

  /** Runs a transaction at once if none runs, otherwise after those that asked before. */
  #inTurn<R>(work: (tx: Rows) => Promise<R>): Promise<R> {
    if (!this.#busy) return this.#run(work);
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.#run(work))));
  }

  async #run<R>(work: (tx: Rows) => Promise<R>): Promise<R> {
    this.#busy = true;
    const tx = new MemoryTransaction(this.#tables);
    try {
      const result = await work(tx);
      tx.commit();
      if (tx.changes.length > 0) this.#version += 1;
      return result;
    } catch (error) {
      tx.undo();
      throw error;
    } finally {
      this.#busy = false;
      this.#waiting.shift()?.();
    }
  }
}
