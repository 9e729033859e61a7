import fc from 'fast-check';
import type { Rows, Store } from '../../gateway/store/port.ts';
import { event } from './rows.ts';

/**
 * Arbitrary sequences of operations on one table with text, nullable integer and instant columns. Few values, so that
 * conflicts, matches and ties happen often.
 */
const ids = fc.constantFrom('a', 'b', 'c', 'd', 'é', '😀', '\uffee');
const subjects = fc.option(fc.constantFrom('', 'x', 'X', 'x%', 'null'), { nil: null });
const numbers = fc.option(fc.integer({ min: -3, max: 3 }), { nil: null });
const given = fc.integer({ min: -3, max: 3 });

const numberCondition = fc.oneof(
  numbers,
  fc.record({ in: fc.array(given, { maxLength: 3 }) }),
  fc.record({ not: numbers }),
  fc.record({ gt: given, gte: given, lt: given, lte: given }, { requiredKeys: [] }),
);
const subjectCondition = fc.oneof(
  subjects,
  fc.record({ in: fc.array(fc.constantFrom('', 'x', 'null'), { maxLength: 3 }) }),
  fc.record({ not: subjects }),
  fc.record({ contains: fc.constantFrom('', 'x', '%') }),
  fc.record({ gt: fc.constantFrom('', 'X') }),
);
const where = fc.record(
  { id: fc.oneof(ids, fc.record({ lt: ids })), subject: subjectCondition, matched: numberCondition },
  { requiredKeys: [] },
);
const row = fc.record({ id: ids, subject: subjects, matched: numbers }).map(({ id, ...change }) => event(id, change));
const patch = fc.record({ subject: subjects, matched: fc.oneof(numbers, fc.record({ add: given })) }, { requiredKeys: [] });
const order = fc.constantFrom(
  [['id', 'asc']] as const,
  [['id', 'desc']] as const,
  [
    ['matched', 'desc'],
    ['id', 'asc'],
  ] as const,
  [
    ['subject', 'asc'],
    ['id', 'desc'],
  ] as const,
);

type Step = { name: string; run: (rows: Rows) => Promise<unknown> };
const step = <A>(name: string, input: fc.Arbitrary<A>, run: (rows: Rows, input: A) => Promise<unknown>): fc.Arbitrary<Step> =>
  input.map((value) => ({
    name: `${name} ${JSON.stringify(value)}`,
    run: (rows) => run(rows, value),
    toString: () => `${name} ${JSON.stringify(value)}`,
  }));

const byId = (rows: { id: string }[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const steps = fc.oneof(
  step('insert', fc.array(row, { minLength: 1, maxLength: 3 }), (rows, input) => rows.insert('events', input)),
  step('insert or ignore', fc.array(row, { minLength: 1, maxLength: 4 }), (rows, input) =>
    rows.insert('events', input, { onConflict: 'ignore' }),
  ),
  step('update', fc.tuple(where, patch), async (rows, [which, change]) => byId(await rows.update('events', which, change))),
  step(
    'revise',
    fc.uniqueArray(fc.record({ id: ids, subject: subjects, matched: numbers }), { selector: ({ id }) => id }),
    (rows, input) => rows.revise('events', input),
  ),
  step(
    'advance',
    fc.uniqueArray(
      fc.record({ id: ids, seen: fc.record({ matched: numbers }), next: fc.record({ subject: subjects, matched: numbers }) }),
      {
        selector: ({ id }) => id,
      },
    ),
    async (rows, moves) => {
      const dependents = moves.map(({ id }) => ({ name: `${id} ${moves.length}`, value: id, created_at: 1 }));
      return (await rows.advance('events', moves, { table: 'facts', column: 'value', rows: dependents })).sort();
    },
  ),
  step('list', fc.record({ where, order, limit: fc.nat(5), offset: fc.nat(3) }, { requiredKeys: ['order'] }), (rows, query) =>
    rows.list('events', query),
  ),
  step(
    'scan',
    fc.record({
      where,
      anyOf: fc.array(where, { minLength: 1, maxLength: 2 }),
      candidates: fc.integer({ min: 1, max: 4 }),
      limit: fc.integer({ min: 1, max: 3 }),
    }),
    (rows, scan) => rows.scan('events', { ...scan, key: 'id' }),
  ),
  step('count', where, (rows, which) => rows.count('events', which)),
  step('summarize', where, (rows, which) =>
    rows.summarize('events', { where: which, by: ['subject'], sum: ['matched', 'created_at'] }),
  ),
  step('remove', where, (rows, which) => rows.remove('events', which)),
);

/** A transaction of some steps that commits or throws. */
export const program = fc.array(fc.oneof(steps, fc.record({ steps: fc.array(steps, { maxLength: 4 }), fails: fc.boolean() })), {
  maxLength: 12,
});
type Program = typeof program extends fc.Arbitrary<infer P> ? P : never;

/** Returns what a program shows: each result or kind of error, then the remaining rows. */
export async function observe(store: Store, parts: Program): Promise<unknown[]> {
  const seen: unknown[] = [];
  const watch = async (work: () => Promise<unknown>) =>
    seen.push(await work().then(withoutPositions, (error: Error) => error.name));
  for (const part of parts) {
    if ('run' in part) await watch(() => part.run(store));
    else {
      await watch(() =>
        store.transaction(async (tx) => {
          for (const one of part.steps) seen.push(withoutPositions(await one.run(tx)));
          if (part.fails) throw new Error('changed its mind');
        }),
      );
    }
  }
  seen.push(withoutPositions(await store.list('events', { order: [['id', 'asc']] })));
  seen.push(await store.list('facts', { order: [['name', 'asc']] }));
  return seen;
}

/** Each store numbers transactions in its own way. */
const withoutPositions = (result: unknown) =>
  JSON.parse(JSON.stringify(result ?? null), (name, value) => (name === 'position' ? undefined : value));
