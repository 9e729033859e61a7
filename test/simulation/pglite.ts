import { PGlite } from '@electric-sql/pglite';
import { PgliteStatements } from '../../gateway/store/pglite/statements.ts';
import { compilePostgres } from '../../gateway/store/pglite/wasm.ts';
import type { Rows, Store } from '../../gateway/store/port.ts';
import type { SqlPool } from '../../gateway/store/sql/connection.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { tables } from '../../gateway/store/tables/index.ts';

type Given = string | { text: string; values: readonly unknown[] };

/** PGlite in this thread, which a run can wait for without the event loop. Its statements run one after another. */
function poolOn(pglite: PGlite): SqlPool {
  const statements = new PgliteStatements(pglite, () => {});
  let last: Promise<unknown> = Promise.resolve();
  const query = (given: Given, parameters: readonly unknown[] = []) => {
    const { text, values } = typeof given === 'string' ? { text: given, values: parameters } : given;
    const command = text.trimStart().slice(0, 6).toUpperCase();
    const result = last.then(async () => ({ ...(await statements.run(text, values)), command }));
    last = result.catch(() => {});
    return result;
  };
  return { options: { max: 1 }, connect: async () => ({ query, release() {} }), end: () => pglite.close() };
}

/** Gives each transaction, and each statement outside of one, the only connection in turn. */
function inTurn(store: Store): Store {
  let last: Promise<unknown> = Promise.resolve();
  const take = <R>(work: () => Promise<R>): Promise<R> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const waiting: ProxyHandler<Store> = {
    get: (target, name: keyof Rows) => {
      const run = target[name].bind(target) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => take(() => run(...args));
    },
  };
  return new Proxy(store, waiting);
}

/** A real PostgreSQL for the simulator. `empty` removes all rows, for the next run. */
export async function openPglite(): Promise<{ store: Store; empty(): Promise<void> }> {
  const compiled = compilePostgres();
  const pglite = await PGlite.create({ dataDir: 'memory://', ...(compiled ? { pgliteWasmModule: compiled } : {}) });
  const store = inTurn(await openSqlStore(poolOn(pglite)));
  const names = Object.keys(tables).map((name) => `passerelle.${name}`);
  return { store, empty: async () => void (await pglite.exec(`truncate ${names.join(', ')} restart identity`)) };
}
