import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PgliteStatements } from '../../gateway/store/pglite/statements.ts';

type Statement = readonly [text: string, ...values: unknown[]];
type Run = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[]; rowCount: number }>;

let pglite: PGlite;
let statements: PgliteStatements;
const heard: unknown[] = [];
beforeAll(async () => {
  pglite = await PGlite.create('memory://');
  statements = new PgliteStatements(pglite, (notification) => heard.push(notification));
});
beforeEach(() => reset());
afterAll(() => pglite.close());

/** Runs on `statements`, which must see every change of a table. */
async function reset(): Promise<void> {
  await statements.run('rollback; drop table if exists things', []);
  await statements.run('create table things (id integer primary key, name text not null, data jsonb, tags text[])', []);
}

/** Runs on PGlite's own `query`, as the reference. */
const slowly: Run = async (text, values) => {
  const result = values.length === 0 ? (await pglite.exec(text)).at(-1) : await pglite.query(text, [...values]);
  const rows = result?.rows ?? [];
  return { rows, rowCount: rows.length || (result?.affectedRows ?? 0) };
};
const quickly: Run = (text, values) => statements.run(text, values);

async function outcomes(run: Run, sequence: readonly Statement[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const [text, ...values] of sequence) {
    seen.push(await run(text, values).catch(({ message, code, detail }) => ({ message, code, detail })));
  }
  return seen;
}

async function expectSame(...sequence: Statement[]): Promise<void> {
  await reset();
  const expected = await outcomes(slowly, sequence);
  await reset();
  expect(await outcomes(quickly, sequence)).toStrictEqual(expected);
}

// PGlite drops a byte order mark at the start of a text (see below).
const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.startsWith('\u{feff}'));
const integer = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const instant = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null);
const kinds: Record<string, fc.Arbitrary<unknown>> = {
  integer,
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  'double precision': fc.double(),
  numeric: fc.oneof(integer, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
  text: fc.oneof(text, integer, instant),
  boolean: fc.oneof(fc.boolean(), fc.constantFrom(0, 1, 2, 'yes', 'perhaps')),
  json,
  jsonb: fc.oneof(json, text),
  timestamptz: fc.oneof(instant, instant.map(Number), fc.constantFrom('infinity', 'yesterday 12:00', 'no instant')),
  date: instant,
  bytea: fc.oneof(fc.uint8Array(), text),
  uuid: fc.oneof(fc.uuid(), text),
  'text[]': fc.oneof(fc.array(fc.option(text)), text),
  'integer[]': fc.array(fc.option(integer)),
  'jsonb[]': fc.array(json.filter((value) => !Array.isArray(value))),
  'boolean[]': fc.array(fc.array(fc.boolean(), { minLength: 2, maxLength: 2 })),
};
const column = fc
  .constantFrom(...Object.keys(kinds))
  .chain((kind) => fc.tuple(fc.constant(kind), fc.option(kinds[kind] as fc.Arbitrary<unknown>)));

test('values of every type are returned as by PGlite, and rejected if PGlite rejects them', async () => {
  const sameValues = fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 5 }), async (columns) => {
    const names = columns.map(([kind], index) => `$${index + 1}::${kind} as "c ${index}"`);
    const statement: Statement = [`select ${names.join(', ')}`, ...columns.map(([, value]) => value)];
    const [expected] = await outcomes(slowly, [statement]);
    // Twice: when the statement is new, and when it is cached.
    expect(await outcomes(quickly, [statement, statement])).toStrictEqual([expected, expected]);
  });
  await fc.assert(sameValues, { seed: 1, numRuns: 200 });
});

const id = fc.integer({ min: 0, max: 3 });
const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.tuple(fc.constant('insert into things values ($1, $2, $3, $4)'), id, fc.option(text), fc.option(json), fc.array(text)),
  fc.tuple(fc.constant('insert into things (id, name) values ($1, $2) on conflict do nothing returning *'), id, text),
  fc.tuple(fc.constant('update things set name = name || $2 where id > $1 returning id, name'), id, text),
  fc.tuple(fc.constant('select * from things where id = any($1) order by id'), fc.array(id)),
  fc.tuple(fc.constant('select 6 / $1::integer as share'), id),
  fc.tuple(fc.constant('delete from things where id = $1'), id),
  fc.constantFrom<Statement[]>(
    ['begin'],
    ['start transaction isolation level repeatable read'],
    ['savepoint s'],
    ['rollback to s'],
    ['commit'],
    ['rollback'],
    ['select * from things order by id; select count(*) from things'],
    ["insert into things (id, name) values (1, 'a'), (2, 'b'); delete from things; select 1 / 0"],
    ['update things set tags = null; select id from things where false'],
    ["insert into things (id, name) values (4, 'a'), (5, 'b'); update things set tags = null where id = 4"],
    ['alter table things alter data type json'],
    ['alter table things alter data type text'],
    ['alter table things alter tags type text using name'],
    ['alter table things rename name to title'],
    [''],
    ['nonsense'],
    ['select $1::nonsense', 1],
    ['select $1, $2', 1],
    ['select 1', 1],
    ['-- nothing', 1],
    ['listen news', 1],
  ),
);

test('any statements in any order have the same results as through PGlite', async () => {
  const sameStatements = fc.asyncProperty(fc.array(statement, { maxLength: 15 }), (sequence) => expectSame(...sequence));
  await fc.assert(sameStatements, { seed: 1, numRuns: 50 });
});

test('a statement whose parameter types change is described again', async () => {
  const insert: Statement = ['insert into things values ($1, $2, $3, $4) returning *', 1, 'a', { b: [1] }, ['c', 'd']];
  const change = 'alter table things alter data type text, alter tags type jsonb using to_jsonb(tags)';
  await expectSame(insert, ['delete from things'], [change], insert, ['drop table things'], insert);
  await expectSame(['begin'], [change], insert, ['rollback'], insert);
});

test('long texts and many rows, larger than every buffer', async () => {
  const long = 'né à Gbêkê 😀 '.repeat(20_000);
  await expectSame(
    ['insert into things values ($1, $2, $3, $4) returning *', 1, long, { long }, [long, 'short']],
    ['select n, $1 || n as name from generate_series(1, $2::integer) n', 'number ', 5_000],
    ['select length($1) as length', long],
  );
});

test('more statements than the cache holds', async () => {
  const texts = Array.from({ length: 600 }, (_, index): Statement => [`select $1::integer + ${index} as n`, index]);
  const expected = texts.map(([, index]) => ({ rows: [{ n: 2 * Number(index) }], rowCount: 1 }));
  expect(await outcomes(quickly, [...texts, ...texts])).toEqual([...expected, ...expected]);
});

test('a notification arrives before its statement ends, or when its transaction commits', async () => {
  await quickly('listen news', []);
  await quickly('select pg_notify($1, $2)', ['news', 'at once']);
  expect(heard).toEqual([{ channel: 'news', payload: 'at once' }]);
  await quickly('begin', []);
  await quickly('select pg_notify($1, $2)', ['news', 'é']);
  expect(heard).toHaveLength(1);
  await quickly('commit', []);
  expect(heard[1]).toEqual({ channel: 'news', payload: 'é' });
  await quickly('unlisten news', []);
});

test.each(['\u{feff}a byte order mark', 'half a \u{dc00}pair'])(
  '%j is returned unchanged, although PGlite damages it',
  async (value) => {
    expect(await quickly('select $1 as value', [value])).toEqual({ rows: [{ value: value.toWellFormed() }], rowCount: 1 });
  },
);
