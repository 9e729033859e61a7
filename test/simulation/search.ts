/**
 * `node --import ./test/simulation/plant.ts test/simulation/search.ts SEEDS FIRST...`: prints, for each first seed,
 * the seed from there on that finds the mistake that `PLANTED` names, or null if none of so many does.
 */
import { emphasized, planOf } from './plan.ts';
import { plantedByName } from './planted.ts';
import { simulate } from './simulate.ts';

const { invariant, more = [] } = plantedByName(process.env.PLANTED);
const [seeds = 0, ...firstSeeds] = process.argv.slice(2).map(Number);

async function searchFrom(first: number): Promise<number | null> {
  for (let seed = first; seed < first + seeds; seed++) {
    const { broken } = await simulate(emphasized(planOf(seed), more));
    if (broken.some((one) => one.invariant === invariant)) return seed;
  }
  return null;
}

const found: (number | null)[] = [];
for (const first of firstSeeds) found.push(await searchFrom(first));
process.stdout.write(JSON.stringify(found));
