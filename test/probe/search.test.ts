import { expect, test } from 'vitest';
import { findFailing } from '../../contracts/tools/probe/search.ts';
import { seededRandom } from '../../stubs/faults/random.ts';

const gapOf = (id: string) => id.split('=')[0];

/** 60 gaps with one to three alternatives. */
const alternatives = Array.from({ length: 60 }, (_, gap) =>
  Array.from({ length: 1 + (gap % 3) }, (_alternative, at) => `g${gap}=${at}`),
);

/** A suite that fails under each of the planted sets, whatever else is active. `isFlaky`: fails by chance. */
function suite(planted: readonly (readonly string[])[], isFlaky: (set: readonly string[]) => boolean = () => false) {
  const failing = new Map();
  const notReproducible: { alternatives: string[]; failedTests: string[] }[] = [];
  const runs: (readonly string[])[] = [];
  const input = {
    async run(set: readonly string[]) {
      runs.push(set);
      expect(new Set(set.map(gapOf)).size).toBe(set.length);
      await new Promise(setImmediate);
      const failed = planted.some((all) => all.every((one) => set.includes(one)));
      return failed || isFlaky(set) ? { failedTests: [], reason: '', lastLines: [] } : undefined;
    },
    failing,
    notReproducible,
  };
  const found = () => ({ blamed: [...failing.keys()], acquitted: notReproducible.map(({ alternatives: all }) => all) });
  return { found, runs, input };
}

/** Each as a question of its own. */
const eachOf = (ids: readonly string[]) => ids.map((id) => [id]);

test('finds what is planted, and nothing else, in few runs', async () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const random = seededRandom(`planted ${seed}`);
    const planted = alternatives.flat().filter(() => random() < 0.04);
    const { found, runs, input } = suite(planted.map((one) => [one]));
    await findFailing(eachOf(alternatives.flat()), input);
    const { blamed, acquitted } = found();
    expect({ seed, blamed: blamed.toSorted(), acquitted }).toEqual({ seed, blamed: planted.toSorted(), acquitted: [] });
    // Two runs for each halving of a group, and another one alone.
    expect(runs.length, `seed ${seed}`).toBeLessThanOrEqual(3 + planted.length * (2 * 6 + 1));
  }
});

test('what fails once and then passes, alone or in halves, blames nobody', async () => {
  let failures = 0;
  const once = suite([['g0=0']], (set) => set.join() === 'g1=0' && ++failures === 1);
  await findFailing(eachOf(['g0=0', 'g1=0']), once.input);
  expect(once.found()).toEqual({ blamed: ['g0=0'], acquitted: [['g1=0']] });
  const pair = suite([['g0=0', 'g3=0']]);
  await findFailing(eachOf(['g0=0', 'g3=0', 'g6=0']), pair.input);
  expect(pair.found()).toEqual({ blamed: [], acquitted: [['g0=0', 'g3=0']] });
});

test('of a question one alternative that fails is enough, and the first one goes first', async () => {
  const { found, runs, input } = suite([['g2=0'], ['g2=1'], ['g5=2']]);
  await findFailing([['g2=2', 'g2=1', 'g2=0'], ['g5=0', 'g5=2'], ['g8=0']], input);
  expect(found()).toEqual({ blamed: ['g2=1', 'g5=2'], acquitted: [] });
  expect(runs.flat()).not.toContain('g2=0');
});
