import { expect, test } from 'vitest';
import { nothingFound, type Verdict } from '../../contracts/tools/probe/search/types.ts';
import { search } from '../../contracts/tools/probe/search.ts';
import { seededRandom } from '../../stubs/faults/random.ts';

interface World {
  /** Sets under which everything fails, whatever else is active. */
  planted: readonly (readonly string[])[];
  /** Sets by their keys that fail at their first run only. */
  flaky?: ((set: readonly string[], again: number) => boolean) | undefined;
}

const alternatives = (gaps: number, each: (gap: number) => number = () => 1) =>
  Array.from({ length: gaps }, (_, gap) => Array.from({ length: each(gap) }, (_, at) => `g${gap}=${at}`)).flat();
const sameGap = (one: string, other: string) => one.split('=')[0] === other.split('=')[0];

/** The names of the tests that fail under a set, and of those that are not run. */
type Naming = (set: readonly string[]) => Pick<Verdict, 'failedTests' | 'notRun' | 'timedOut'>;

interface Searched extends World {
  candidates: readonly string[];
  questions?: readonly (readonly string[])[];
  jobs?: number;
  naming?: Naming;
}

async function searchIn({ candidates, questions = [], planted, flaky = () => false, jobs = 1, naming = () => ({}) }: Searched) {
  let runs = 0;
  let together = 0;
  let most = 0;
  const lefts: number[] = [];
  const found = await search({
    candidates,
    questions,
    excludes: sameGap,
    jobs,
    onProgress: (left: number) => void lefts.push(left),
    async run(set, again) {
      runs += 1;
      together += 1;
      most = Math.max(most, together);
      expect(set.some((one) => set.some((other) => one !== other && sameGap(one, other)))).toBe(false);
      await new Promise(setImmediate);
      together -= 1;
      const passed = !planted.some((all) => all.every((one) => set.includes(one))) && !flaky(set, again);
      return { passed, ...(passed ? {} : naming(set)) };
    },
  });
  expect(lefts).toHaveLength(1 + runs);
  // While runs follow, the number that is left is above 0.
  expect(lefts.slice(0, -1)).not.toContain(0);
  expect(most).toBeLessThanOrEqual(jobs);
  const { notReproducible, pairs } = found;
  const [blamed, asked] = [expected(found.blamed.map(({ set }) => set)), expected(found.asked.map(({ set }) => set))];
  return { blamed, asked, runs, most, notReproducible, pairs, left: lefts.at(-1) };
}

const expected = (planted: World['planted']) => planted.map((all) => [...all].sort().join(' ')).sort();

function picked<T>(list: readonly T[], count: number, random: () => number): T[] {
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0] as T);
}

const upToThree = alternatives(30, (gap) => 1 + (gap % 3));

test('nothing planted: a run for each group of compatible alternatives, and a few in which others meet; one if all are compatible', async () => {
  const several = await searchIn({ candidates: upToThree, planted: [], jobs: 3 });
  expect(several).toMatchObject({ blamed: [], runs: 3 + 8, most: 3, notReproducible: [], left: 0 });
  expect(several.pairs.met / several.pairs.all).toBeGreaterThan(0.94);
  expect(await searchIn({ candidates: alternatives(30), planted: [] })).toMatchObject({ blamed: [], runs: 1 });
  expect(await searchIn({ candidates: [], planted: [] })).toMatchObject({ blamed: [], runs: 0 });
});

/** 60 gaps with one to four alternatives, as in the register. */
const asRegistered = alternatives(60, (gap) => [1, 1, 2, 1, 2, 1, 2, 1, 3, 4][gap % 10] ?? 1);

/** The first two fail only together, the others alone. */
const firstTwo = ([one = '', other = '', ...alone]: readonly string[]) => [[one, other], ...alone.map((single) => [single])];
const halvings = (candidates: readonly string[]) => Math.ceil(Math.log2(candidates.length + 1));

/** Searches in which exactly what is planted is found: how many of them are made, and the bound of their runs. */
const worlds: Record<string, [seeds: number, make: (random: () => number, seed: number) => Searched & { bound?: number }]> = {
  'two of gaps with several, although they were in different groups': [
    40,
    (random) => {
      const candidates = picked(
        alternatives(12, (gap) => (gap === 0 ? 1 : 3)),
        34,
        random,
      );
      return { candidates, planted: [['g0=0', 'g5=1']], jobs: 2 };
    },
  ],
  // Each culprit takes a split or two for every halving, and two runs alone; then come the sets in which others meet.
  'alternatives that fail alone': [
    20,
    (random, seed) => {
      const candidates = alternatives(1 + Math.floor(random() * 60), () => 1 + Math.floor(random() * 3));
      const chosen = picked(candidates, Math.floor(random() * Math.min(8, candidates.length)), random);
      const bound = 3 + 8 + chosen.length * (2 * halvings(candidates) + 2);
      return { candidates, planted: chosen.map((one) => [one]), jobs: 1 + (seed % 4), bound };
    },
  ],
  'two that fail only together, beside others that fail alone': [
    20,
    (random, seed) => {
      const candidates = alternatives(8 + Math.floor(random() * 50));
      const planted = firstTwo(picked(candidates, 2 + Math.floor(random() * 4), random));
      return { candidates, planted, jobs: 1 + (seed % 3), bound: 10 + planted.length * 6 * halvings(candidates) };
    },
  ],
  'dependencies of different tests, in the same runs': [
    6,
    (random) => {
      const chosen = picked(asRegistered, 10, random);
      const naming: Naming = (set) => ({ failedTests: chosen.filter((one) => set.includes(one)) });
      return { candidates: asRegistered, planted: chosen.map((one) => [one]), jobs: 2, naming, bound: 45 };
    },
  ],
  'dependencies of tests whose names mislead': [
    15,
    (random) => {
      const candidates = alternatives(40);
      const naming: Naming = () => ({ failedTests: [`t${Math.floor(random() * 4)}`] });
      return { candidates, planted: firstTwo(picked(candidates, 6, random)), jobs: 2, naming };
    },
  ],
  'dependencies beside one under which no test begins, and one under which the run hangs': [
    6,
    (random) => {
      const chosen = picked(asRegistered, 6, random);
      const [breaks = '', hangs = '', ...others] = chosen;
      const naming: Naming = (set) =>
        set.includes(breaks)
          ? { failedTests: ['the file'], notRun: others }
          : set.includes(hangs)
            ? { failedTests: [], notRun: others, timedOut: true }
            : { failedTests: others.filter((one) => set.includes(one)), notRun: [] };
      return { candidates: asRegistered, planted: chosen.map((one) => [one]), jobs: 2, naming, bound: 60 };
    },
  ],
  'every alternative, if the suite always fails': [
    1,
    () => ({ candidates: alternatives(20), planted: alternatives(20).map((one) => [one]), jobs: 2, bound: 79 }),
  ],
};

test.each(Object.entries(worlds))('finds what is planted, and nothing else: %s', async (name, [seeds, make]) => {
  for (let seed = 0; seed < seeds; seed += 1) {
    const { bound = Number.POSITIVE_INFINITY, ...world } = make(seededRandom(`${name} ${seed}`), seed);
    const { blamed, runs, notReproducible } = await searchIn(world);
    expect({ seed, blamed, notReproducible }).toEqual({ seed, blamed: expected(world.planted), notReproducible: [] });
    expect(runs, `seed ${seed}`).toBeLessThanOrEqual(bound);
  }
});

test('a run that fails once and passes again blames nobody', async () => {
  const candidates = alternatives(16);
  const whole = await searchIn({ candidates, planted: [], flaky: (set, again) => set.length === 16 && again === 0 });
  expect(whole).toMatchObject({ blamed: [], notReproducible: [{ set: expect.arrayContaining(candidates) }] });
  // Fails in the large set and alone, but not twice alone.
  const shaky = (set: readonly string[], again: number) => set.includes('g3=0') && set.includes('g4=0') && again === 0;
  expect((await searchIn({ candidates, planted: [['g9=0']], flaky: shaky })).blamed).toEqual(['g9=0']);
});

test('an alternative that fails alone beside another that fails must fail twice', async () => {
  const flaky = (set: readonly string[], again: number) => set.join() === 'g1=0' && again === 0;
  const { blamed, notReproducible } = await searchIn({ candidates: ['g0=0', 'g1=0'], planted: [['g0=0']], flaky });
  expect({ blamed, notReproducible }).toMatchObject({ blamed: ['g0=0'], notReproducible: [{ set: ['g1=0'] }] });
});

test('the same order of candidates makes the same runs, however many are made at the same time and whichever ends first', async () => {
  const candidates = alternatives(25, () => 2);
  const culprits = ['g3=1', 'g9=0', 'g20=1'];
  const runsWith = async (jobs: number, random: () => number) => {
    const sets: string[] = [];
    await search({
      candidates,
      excludes: sameGap,
      jobs,
      run: async (set, again) => {
        sets.push(`${set.join(' ')} ${again}`);
        for (let turn = 0; turn < random() * 5; turn += 1) await new Promise(setImmediate);
        const failedTests = culprits.filter((one) => set.includes(one));
        return { passed: failedTests.length === 0, failedTests };
      },
    });
    return sets;
  };
  const alone = await runsWith(1, () => 0);
  expect(await runsWith(3, seededRandom('late'))).toEqual(alone);
  expect(await runsWith(2, seededRandom('later'))).toEqual(alone);
});

/** 13 questions with one to three alternatives each. */
const questions = Array.from({ length: 13 }, (_, gap) =>
  Array.from({ length: 1 + (gap % 3) }, (_alternative, at) => `q${gap}=${at}`),
);

async function ask(planted: World['planted'], flaky?: World['flaky']) {
  const { asked, blamed, runs, notReproducible } = await searchIn({ candidates: [], questions, planted, flaky });
  expect(blamed).toEqual([]);
  return { asked, runs, notReproducible };
}

test('questions are found, each by one alternative: a run for each that fails, and few for those that pass', async () => {
  expect(await ask([])).toEqual({ asked: [], runs: 3, notReproducible: [] });
  // Its first alternative passes, and its third is not tried any more.
  expect(await ask([['q5=1'], ['q5=2']])).toMatchObject({ asked: ['q5=1'], runs: 3 + 4 + 2 });
  const first = questions.map(([one = '']) => one);
  expect(await ask(first.map((one) => [one]))).toEqual({ asked: first.toSorted(), runs: 1 + 4 + 13, notReproducible: [] });
  for (let seed = 0; seed < 20; seed += 1) {
    const planted = picked(questions, 1 + (seed % 8), seededRandom(`questions ${seed}`)).map((own) => own.slice(-1));
    const { asked, runs } = await ask(planted);
    // In each of three turns a set and its four parts, and each alternative alone at most once.
    expect({ seed, asked, isWithin: runs <= 3 * 5 + questions.flat().length }).toEqual({
      seed,
      asked: planted.flat().sort(),
      isWithin: true,
    });
  }
});

test('a question by chance is none, and two alternatives that fail only together are one', async () => {
  const once = await ask([], (set, again) => set.length === 13 && again === 0);
  expect(once).toMatchObject({ asked: [], notReproducible: [{ set: questions.map(([one]) => one) }] });
  expect(await ask([['q1=0', 'q12=0']])).toMatchObject({ asked: ['q12=0 q1=0'], notReproducible: [] });
});

test('what was found is known although a run throws', async () => {
  const found = nothingFound<Verdict>();
  const candidates = alternatives(4);
  let runs = 0;
  const searching = search({
    candidates,
    excludes: sameGap,
    found,
    async run(set) {
      runs += 1;
      if (runs > 4) throw new Error('stopped');
      return { passed: !set.includes('g0=0') };
    },
  });
  await expect(searching).rejects.toThrow('stopped');
  expect(found.blamed).toMatchObject([{ set: ['g0=0'] }]);
});
