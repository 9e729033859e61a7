import type { Answer, SqlPool, Statement } from '../../gateway/store/sql/connection.ts';

/** What the database read for a piece of work. */
export interface Reading {
  statements: number;
  /** Rows that scans looked at, whether they were among the result or not. */
  rows: number;
  /** The rows by statement, the most first. */
  by: { text: string; rows: number }[];
}

interface Client {
  query(statement: Statement | string, values?: readonly unknown[]): Promise<Answer>;
  release(): void;
}

interface Node {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

/** A pool for a store, and a function that says how many rows the store's reads look at: each is repeated with EXPLAIN ANALYZE. */
export function watchedPool(pool: SqlPool): {
  pool: SqlPool;
  readingOf(work: () => Promise<unknown>): Promise<Reading>;
} {
  let noted: Statement[] | undefined;
  const watched = (client: Client) =>
    bound(client, {
      query(...given: Parameters<Client['query']>) {
        const [one, values = []] = given;
        const statement = typeof one === 'string' ? { text: one, values } : one;
        if (/^\s*(select|with)\b/i.test(statement.text)) noted?.push(statement);
        return client.query(...given);
      },
    });
  return {
    pool: bound(pool, { connect: async () => watched((await pool.connect()) as unknown as Client) }),
    async readingOf(work) {
      const mine: Statement[] = [];
      noted = mine;
      await work().finally(() => {
        noted = undefined;
      });
      const client = (await pool.connect()) as unknown as Client;
      try {
        const by = [];
        for (const { text, values } of mine) by.push({ text, rows: await rowsRead(client, { text, values }) });
        by.sort((one, other) => other.rows - one.rows);
        return { statements: by.length, rows: by.reduce((sum, { rows }) => sum + rows, 0), by };
      } finally {
        client.release();
      }
    },
  };
}

async function rowsRead(client: Client, { text, values }: Statement): Promise<number> {
  const { rows } = await client.query({ text: `explain (analyze, format json) ${text}`, values });
  const plan = rows[0]?.['QUERY PLAN'] as string | [{ Plan: Node }];
  const [{ Plan }] = typeof plan === 'string' ? JSON.parse(plan) : plan;
  return rowsOf(Plan);
}

/** Counts where rows are read from a table. The rows of the nodes above are the same ones. */
function rowsOf(node: Node): number {
  const below = (node.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);
  if (node['Relation Name'] === undefined) return below;
  const looked = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return below + Math.round(looked * node['Actual Loops']);
}

/** The object with some methods replaced. Private fields need the object itself as `this`. */
const bound = <T extends object>(target: T, replaced: object): T =>
  new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in replaced ? replaced : target, name);
      return typeof value === 'function' && !(name in replaced) ? value.bind(target) : value;
    },
  });
