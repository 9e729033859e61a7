/** `node --import ./test/simulation/plant.ts`: plants the mistake that `PLANTED` names when its file is loaded. */
import { registerHooks } from 'node:module';
import { planted } from './planted.ts';

const one = planted.find(({ mistake }) => mistake === process.env.PLANTED);
if (one === undefined) throw new Error(`PLANTED="${process.env.PLANTED}" is no mistake of test/simulation/planted.ts.`);
const { file, from, to } = one;
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
