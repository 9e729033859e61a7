import { expect, test } from 'vitest';
import { migrations, oldestReader } from '../../gateway/store/migrations/index.ts';
import { statementsOf } from './migration-statements.ts';

/** A process that knows nothing of the statement reads and writes as before. */
const adds = (statement: string): boolean =>
  /^(create (table|index|function)|lock table|update|do \$\$ begin execute format\('create or replace function) /.test(
    statement,
  ) ||
  /^alter table \S+ alter column \w+ set default /.test(statement) ||
  (statement.startsWith('alter table ') &&
    statement
      .replace(/^alter table \S+ /, '')
      .split(/,\s*(?=add |alter |drop |rename )/)
      .every((change) => /^add column \w+ /.test(change) && (!change.includes('not null') || change.includes(' default '))));

test.each([
  ['alter table t add column a text, drop column b', false],
  ['alter table t add column a text not null', false],
  ["alter table t add column a text not null default ''", true],
  ['create unique index i on t (a)', false],
  ['drop index i', false],
])('%s only adds: %s', (statement, expected) => {
  expect(adds(statement)).toBe(expected);
});

test.each(Object.entries(migrations).filter(([name]) => name > oldestReader))(
  '%s only adds, so the version before runs beside it and starts again after it (or raise oldestReader)',
  async (_name, migration) => {
    expect((await statementsOf(migration)).filter((statement) => !adds(statement))).toEqual([]);
  },
);
