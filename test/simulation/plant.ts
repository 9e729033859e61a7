/**
 * Plants the mistake that `PLANTED` names when its file is loaded. To read what it breaks in seed 17:
 * `PLANTED='...' node --import ./test/simulation/plant.ts test/simulation/run.ts --seed 17`.
 */
import { registerHooks } from 'node:module';
import { plantedByName } from './planted.ts';

const { file, from, to } = plantedByName(process.env.PLANTED);
const address = new URL(`../../${file}`, import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== address) return loaded;
    const parts = String(loaded.source).split(from);
    if (parts.length !== 2) throw new Error(`${file} must have this once: ${from}`);
    return { ...loaded, source: parts.join(to) };
  },
});
