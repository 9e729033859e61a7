/** `npm run simulate`: see `help`. */
import { didYouMean } from '../../gateway/base/nearest.ts';
import { restartWithV8Flags } from '../../gateway/base/v8-flags.ts';
import { readOptions, refuse, wholeNumber } from '../options.ts';
import { findPlanted, measurePlanted, plantedNamed } from './find-planted.ts';
import { type Emphasis, emphases, type Plan } from './plan.ts';
import { playSeeds } from './seeds.ts';
import { simulate } from './simulate.ts';

const option = { type: 'string' } as const;
const options = {
  seeds: option,
  from: option,
  seed: option,
  release: { type: 'boolean' },
  planted: option,
  'measure-planted': option,
  store: option,
  more: { type: 'string', multiple: true },
} as const;
const help = `npm run simulate -- OPTIONS runs gateways, receivers and faults in virtual time, and checks what must
hold whatever happens. It exits with 1 if a seed fails for another reason than a known defect
(test/simulation/known.ts), or if a planted mistake is not found.

--seeds 40             plays seeds 1 to 40 (100 without it). The first failure is told with as little as it needs.
--from 17              begins with this seed instead of 1.
--seed 17              repeats one seed and prints its story.
--release              plays 1,000 fixed seeds, and 1,000 that begin at a number taken from the date.
--planted gate         searches the planted mistakes of the gate: in some seed the mistake must break the
                       invariant that it names (test/simulation/planted.ts), which holds there without it.
--planted all          searches all planted mistakes. --planted NAME searches one.
--measure-planted all  measures how many seeds the searches take, and writes it to test/simulation/planted.json.
                       A search may take ten times the median. --measure-planted NAME measures one.
--store pglite         has a real PostgreSQL, which takes ten times as long.
--more 'owner moved'   gives plans more of an action, of a fault, or of what test/simulation/plan.ts lists.
                       It may be given several times.
`;
const values = readOptions(help, options);
const { planted, 'measure-planted': measured, more = [], store = 'memory' } = values;
/** A release plays so many fixed seeds, and so many others each day. */
const seedsPerRelease = 1000;

refuseWrongOptions();
if (store === 'pglite') restartWithV8Flags();
process.exitCode = (await countFailures()) > 0 ? 1 : 0;

function refuseWrongOptions(): void {
  const kinds = ['seeds', 'seed', 'release', 'planted', 'measure-planted'] as const;
  const given = kinds.filter((one) => values[one] !== undefined);
  if (given.length > 1) refuse(`Give only one of ${given.map((one) => `--${one}`).join(' and ')}.`);
  if (!['memory', 'pglite'].includes(store)) refuse(`--store must be memory or pglite, not "${store}".`);
  const names = Object.keys(emphases);
  for (const one of more)
    if (!names.includes(one)) refuse(`--more: "${one}" is unknown. ${didYouMean(one, names)}It may be ${names.join(', ')}.`);
}

function countFailures(): Promise<number> {
  if (planted !== undefined) return findPlanted(plantedNamed(planted));
  if (measured !== undefined) return measurePlanted(plantedNamed(measured));
  return countFailedSeeds();
}

async function countFailedSeeds(): Promise<number> {
  // PGlite takes seconds to start, so all runs have the same.
  const sql = store === 'pglite' ? await (await import('./pglite.ts')).openPglite() : undefined;
  const failed = await playSeeds(seedsToPlay(), {
    play: async (plan: Plan) => {
      await sql?.empty();
      return simulate(plan, sql?.store);
    },
    more: more as Emphasis[],
    tells: values.seed !== undefined,
    repeating: `${sql ? ' --store pglite' : ''}${more.map((one) => ` --more '${one}'`).join('')}`,
  });
  await sql?.store.close();
  return failed;
}

function seedsToPlay(): number[] {
  if (values.seed !== undefined) return [wholeNumber('seed', values.seed, 1)];
  if (!values.release) return seedsFrom(wholeNumber('from', values.from, 1), wholeNumber('seeds', values.seeds, 100));
  const today = Math.floor(Date.now() / 86_400_000) * seedsPerRelease;
  process.stdout.write(`Seeds 1 to ${seedsPerRelease}, and ${seedsPerRelease} from today's number on: ${today}.\n`);
  return [...seedsFrom(1, seedsPerRelease), ...seedsFrom(today, seedsPerRelease)];
}

function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
