/** `npm run simulate`: see `help`. */
import { writeHistory } from '../histories.ts';
import { readOptions, refuse, wholeNumber } from '../options.ts';
import { type Emphasis, emphases, type Plan, planOf } from './plan.ts';
import { type Shrunk, shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import { missingIn } from './vocabulary.ts';

/** The lines of a shrunk story that are shown. */
const longestStory = 60;

const option = { type: 'string' } as const;
const options = {
  seeds: option,
  from: option,
  seed: option,
  histories: option,
  store: option,
  more: option,
  first: { type: 'boolean' },
} as const;
const help = `npm run simulate -- --seeds 300, or --seed 17 to repeat one and read its story. The first failure is told with as little as it
needs; --first ends with it instead. --histories FOLDER writes what happened in each seed for passerelle check-history.
--store pglite has a real PostgreSQL, which takes ten times as long. --more 'events erased' has this action of operators after each change;
--more 'endpoints in order' has no other endpoints.`;
const values = readOptions(help, options);
/** Tells what a failure needs, and what happened to the delivery it is about. */
function sayShrunk({ plan, broken, story }: Shrunk): void {
  const { changes, endpoints, gateways, faults, actions } = plan;
  const happens = [...faults, ...actions.map(({ kind }) => kind)].join(', ') || 'nothing else';
  say(`  Needed are gateways: ${gateways}, endpoints: ${endpoints.length}, changes: ${changes.length}, and ${happens}.`);
  for (const line of story.slice(-longestStory)) say(`    ${line}`);
  say(`    ${broken.saw}`);
}
const say = (text: string) => process.stdout.write(`${text}\n`);
const stores = { memory: undefined, pglite: async () => (await import('./pglite.ts')).openPglite() };
const name = values.store ?? 'memory';
if (!Object.hasOwn(stores, name)) refuse(`--store must be memory or pglite, not "${name}".`);
const sql = await stores[name as keyof typeof stores]?.();
const { more } = values;
if (more !== undefined && !Object.hasOwn(emphases, more))
  refuse(`--more must be one of ${Object.keys(emphases).join(', ')}, not "${more}".`);
const emphasize = more === undefined ? (plan: Plan) => plan : emphases[more as Emphasis];
/** PGlite takes seconds to start, so all runs have the same. */
const play = async (plan: Plan) => {
  await sql?.empty();
  return simulate(plan, sql?.store);
};
const first = values.seed === undefined ? wholeNumber('from', values.from, 1) : wholeNumber('seed', values.seed, 1);
const last = values.seed === undefined ? first + wholeNumber('seeds', values.seeds, 100) - 1 : first;
const began = performance.now();
const counts = new Map<string, number>();
let [failed, simulatedMs] = [0, 0];
for (let seed = first; seed <= last; seed++) {
  const plan = emphasize(planOf(seed));
  const result = await play(plan);
  simulatedMs += result.simulatedMs;
  for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  writeHistory(values.histories, `seed-${seed}`, result.history);
  if (values.seed !== undefined) say(result.story.join('\n'));
  if (result.broken.length === 0) continue;
  failed += 1;
  say(`seed ${seed}: ${result.broken.length} broken`);
  for (const { invariant, saw } of result.broken.slice(0, 3)) say(`  ${invariant}\n    ${saw}`);
  say(`  Repeat it: npm run simulate -- --seed ${seed}${sql ? ' --store pglite' : ''}${more ? ` --more '${more}'` : ''}`);
  if (values.first) break;
  if (failed === 1) sayShrunk(await shrink(plan, result, play));
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
const days = (simulatedMs / 86_400_000).toFixed(1);
say(`${last - first + 1} seeds, ${days} simulated days, ${seconds} s: ${failed} failed.`);
say(
  [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, count]) => `${what} ${count}`)
    .join(', '),
);
const never = missingIn(counts, last - first + 1);
if (never.length > 0) say(`This never happened, and should: ${never.join(', ')}.`);
process.exitCode = failed + never.length > 0 ? 1 : 0;
await sql?.store.close();
