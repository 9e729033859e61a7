import { expect, test } from 'vitest';
import { checkFlaky, findUnnoticed, type Noticed, type Shown } from '../../mutate/search.ts';
import type { Outcome } from '../../probe/types.ts';
import { seededRandom } from '../../stubs/faults/random.ts';

/** Which tests fail under a mutant; `hang` for one under which the suite does not end. */
type Suite = Readonly<Record<string, readonly string[]>>;

const shown = (suite: Suite): Shown[] =>
  Object.keys(suite).map((id) => ({ id, place: id.split('.')[0] ?? '', hidesOthers: id.endsWith('!') }));

interface Runner {
  /** The command names no tests. */
  isSilent?: boolean;
  /** It ends with the first test that fails. */
  stopsAtFirst?: boolean;
  /** Tests that fail in the runs with these numbers, whatever the stub does. */
  flaky?: Readonly<Record<number, string>>;
}

/** Searches a suite that is made up. Returns what nobody notices, and how many runs it took. */
async function searched(suite: Suite, { isSilent, stopsAtFirst, flaky = {} }: Runner = {}, plainRuns = 0) {
  const known = new Map<string, Noticed | undefined>();
  let runs = 0;
  const run = async (set: readonly string[]): Promise<Outcome> => {
    runs += 1;
    const tests = [...new Set([...set.flatMap((id) => suite[id] ?? []), ...(flaky[runs]?.split(',') ?? [])])];
    const timedOut = tests.includes('hang');
    const told = tests.filter((name) => name !== 'hang').slice(0, stopsAtFirst ? 1 : undefined);
    return {
      passed: tests.length === 0,
      failedTests: isSilent || timedOut ? [] : told,
      reason: 'exit code 1',
      lastLines: [],
      timedOut,
      durationMs: 1,
    };
  };
  await findUnnoticed(shown(suite), { run, known });
  const doubts = await checkFlaky({ run, known }, plainRuns);
  return { unnoticed: [...known].flatMap(([id, by]) => (by ? [] : [id])).toSorted(), known, runs, doubts };
}

const truth = (suite: Suite) =>
  Object.keys(suite)
    .filter((id) => suite[id]?.length === 0)
    .toSorted();

/** Mutants of five places. Each fails tests of its own place, or none. */
function madeUp(seed: string): Suite {
  const random = seededRandom(seed);
  const share = random();
  const suite: Record<string, string[]> = {};
  for (let at = 0; at < 30; at += 1) {
    const place = `place${Math.floor(random() * 5)}`;
    const tests = ['a', 'b', 'c'].filter(() => random() < 0.5).map((name) => `${place} ${name}`);
    const isHang = random() < 0.03;
    suite[`${place}.${at}${random() < 0.1 ? '!' : ''}`] = random() < share ? [] : isHang ? ['hang'] : [...tests, `${place} d`];
  }
  return suite;
}

test.each<[Runner, number]>([
  [{}, 50],
  [{ isSilent: true }, 50],
  [{ stopsAtFirst: true }, 80],
])('suites of any kind are told exactly: %o', async (runner, most) => {
  for (let seed = 0; seed < 200; seed += 1) {
    const suite = madeUp(`suite ${seed}`);
    const { unnoticed, known, runs } = await searched(suite, runner);
    expect(unnoticed, `seed ${seed}`).toEqual(truth(suite));
    expect(known.size).toBe(30);
    expect(runs).toBeLessThan(most);
  }
});

test('who notices nothing at a place is told by one run; places with tests of their own share runs', async () => {
  const numbers = Array.from({ length: 8 }, (_, at) => at);
  const blind = Object.fromEntries(numbers.map((at) => [`stock.${at}`, []]));
  expect(await searched(blind)).toMatchObject({ runs: 1 });
  const places = ['stock', 'sales', 'reports', 'payments'];
  const careful = Object.fromEntries(places.flatMap((place) => numbers.map((at) => [`${place}.${at}`, [`${place} ${at}`]])));
  expect(await searched(careful)).toMatchObject({ runs: 4 + 8, unnoticed: [] });
  expect(await searched(careful, { isSilent: true })).toMatchObject({ runs: 4 + 32, unnoticed: [] });
});

test('what only a test noticed that fails by itself is run again', async () => {
  const suite = { 'stock.1': ['stock'], 'stock.2!': [], 'sales.1': [] };
  // The second and the fourth run have a failure of their own: that of a mutant, and a plain run.
  const { unnoticed, doubts } = await searched(suite, { flaky: { 2: 'shaky', 4: 'shaky' } }, 2);
  expect(doubts).toEqual(['shaky']);
  expect(unnoticed).toEqual(['sales.1', 'stock.2!']);
});

test.each([false, true])(
  'what only a test noticed that fails by itself again stays doubtful (isSilent: %o)',
  async (isSilent) => {
    // The second run is that of a mutant, the third a plain run, the fourth that of the mutant again.
    const flaky = { 2: 'shaky', 3: 'shaky', 4: 'shaky' };
    const { known, doubts } = await searched({ 'stock.1': ['stock'], 'stock.2!': [] }, { isSilent, flaky }, 1);
    const doubtful = [...known].flatMap(([id, by]) => (by?.isDoubtful ? [id] : []));
    expect({ doubts, doubtful }).toEqual(
      isSilent ? { doubts: ['exit code 1'], doubtful: ['stock.1'] } : { doubts: ['shaky'], doubtful: ['stock.2!'] },
    );
  },
);
