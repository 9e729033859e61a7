/**
 * `node --import ./test/simulation/plant.ts test/simulation/search.ts FIRST LAST`: prints the first of these seeds that
 * finds the mistake that `PLANTED` names, or null if none does.
 */
import { emphasized, planOf } from './plan.ts';
import { plantedByName } from './planted.ts';
import { simulate } from './simulate.ts';

const { invariant, more = [] } = plantedByName(process.env.PLANTED);
const [first = 0, last = 0] = process.argv.slice(2).map(Number);

async function search(): Promise<number | null> {
  for (let seed = first; seed <= last; seed++) {
    const { broken } = await simulate(emphasized(planOf(seed), more));
    if (broken.some((one) => one.invariant === invariant)) return seed;
  }
  return null;
}

process.stdout.write(JSON.stringify(await search()));
