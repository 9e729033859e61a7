import { PGlite } from '@electric-sql/pglite';
import { PgliteStatements } from '../gateway/store/pglite/statements.ts';

/**
 * CPU time of a statement on PGlite: with PGlite's own `query`, and with the gateway's wire reader (store/pglite/).
 * Both run on one database in this process, in turns. Prints microseconds per statement, the median of the rounds.
 *
 *   node bench/statements.ts [rounds]
 */
const rounds = Number(process.argv[2] ?? 9);
const statementsPerRound = 300;

interface Statement {
  name: string;
  text: string;
  values(turn: number): unknown[];
}

const row = (turn: number) => ({
  id: `dlv_${turn}`,
  event_id: `evt_${turn}`,
  endpoint_id: 'ep_1',
  status: 'pending',
  attempts: 0,
  reason: null,
  response_status: null,
  next_attempt_at: 1_763_700_000_000 + turn,
  parked: false,
  updated_at: 1_763_700_000_000,
});
const columns = Object.keys(row(0)).join(', ');
const inserted = `insert into rows (${columns}) select ${columns} from json_populate_recordset(null::rows, $1::json)`;
let nextId = 10_000;

const statements: Statement[] = [
  { name: 'begin', text: 'begin; commit', values: () => [] },
  { name: 'read 1 row', text: 'select * from rows where id = $1::text', values: (turn) => [`dlv_${turn % 1000}`] },
  { name: 'read 50 rows', text: 'select * from rows where id > $1::text order by id limit 50', values: () => ['dlv_2'] },
  { name: 'insert 1 row', text: inserted, values: () => [JSON.stringify([row(nextId++)])] },
  { name: 'insert 50 rows', text: inserted, values: () => [JSON.stringify(Array.from({ length: 50 }, () => row(nextId++)))] },
  {
    name: 'update 1 row',
    text: 'update rows set attempts = $1::integer, updated_at = $2::bigint where id = $3::text and status = $4::text returning id',
    values: (turn) => [turn, 1_763_700_000_000, `dlv_${turn % 1000}`, 'pending'],
  },
];

const pglite = await PGlite.create({ dataDir: 'memory://' });
await pglite.exec(`create table rows (id text collate "C" primary key, event_id text, endpoint_id text, status text,
  attempts integer, reason text, response_status integer, next_attempt_at bigint, parked boolean, updated_at bigint)`);
await pglite.query(inserted, [JSON.stringify(Array.from({ length: 1000 }, (_, index) => row(index)))]);

const reader = new PgliteStatements(pglite, () => {});
const ways = {
  query: ({ text }: Statement, values: unknown[]) => (values.length === 0 ? pglite.exec(text) : pglite.query(text, values)),
  reader: ({ text }: Statement, values: unknown[]) => reader.run(text, values),
};

async function cpuMicroseconds(way: keyof typeof ways, statement: Statement): Promise<number> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < statementsPerRound; turn++) await ways[way](statement, statement.values(turn));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / statementsPerRound;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

for (const statement of statements) {
  const taken = { query: [] as number[], reader: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    for (const way of ['query', 'reader'] as const) {
      const us = await cpuMicroseconds(way, statement);
      // The first round only warms up.
      if (round >= 0) taken[way].push(us);
    }
  }
  const [query, own] = [median(taken.query), median(taken.reader)];
  process.stdout.write(
    `${statement.name.padEnd(16)} query ${query.toFixed(0)} us, reader ${own.toFixed(0)} us: ${(query / own).toFixed(2)}\n`,
  );
}
await pglite.close();
