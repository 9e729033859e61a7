import type { Rows } from '../../gateway/store/port.ts';

/** A complete list, so that a new statement is a compile error here. */
const statements: Record<keyof Rows, true> = {
  insert: true,
  append: true,
  get: true,
  list: true,
  scan: true,
  count: true,
  newest: true,
  summarize: true,
  update: true,
  advance: true,
  revise: true,
  tally: true,
  remove: true,
};

export interface Statement {
  name: string;
  table: string;
  inTransaction: boolean;
}

/** Wraps a store: `before` is called before each statement, and the statement fails with what it throws. */
export function watched<R extends Rows>(
  rows: R,
  before: (statement: Statement) => void,
  after: (statement: Statement, result: unknown) => void = () => {},
  inTransaction = false,
): R {
  return new Proxy(rows, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name === 'transaction')
        return (work: (tx: Rows) => unknown, options: unknown) =>
          value.call(target, (tx: Rows) => work(watched(tx, before, after, true)), options);
      if (!Object.hasOwn(statements, name)) return value.bind(target);
      return async (...args: unknown[]) => {
        const statement = { name: String(name), table: String(args[0]), inTransaction };
        before(statement);
        const result = await value.apply(target, args);
        after(statement, result);
        return result;
      };
    },
  });
}
