import { readFileSync, writeFileSync } from 'node:fs';

/** CPU time of each variant, as a multiple of the bare variant's in the same round. */
export type Multiples = Record<string, number>;
/** The multiples of each benchmark, by its name: `bench/results.json`. */
export type Results = Record<string, Multiples>;

/**
 * A variant that costs this much more than its committed result is a regression. Less is noise: a faster core waits as long for memory, so
 * the same code (`/me`) was measured at 4.3 times bare on one machine, and at 5.9 times on another.
 */
const tolerated = 1.4;
const file = new URL('./results.json', import.meta.url);
const renew = 'Run the benchmark with --update, and commit bench/results.json.';

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Returns what is wrong with the rounds of one benchmark, a line for each variant; nothing if all is well. */
export function regressions(expected: Multiples = {}, rounds: Readonly<Record<string, readonly number[]>>): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(rounds)])];
  return names.flatMap((name) => {
    const before = expected[name];
    const now = median(rounds[name] ?? []);
    if (rounds[name] === undefined) return `"${name}" is in bench/results.json but was not measured. ${renew}`;
    if (before === undefined) return `"${name}" has no result in bench/results.json. ${renew}`;
    if (Number.isNaN(now)) return `"${name}": no CPU time was measured. This check needs Linux.`;
    if (now <= before * tolerated) return [];
    const worse = (now / before).toFixed(2);
    return `"${name}" costs ${now.toFixed(2)} times bare in the median of ${rounds[name]?.length} rounds, ${worse} times its result of ${before}.`;
  });
}

/**
 * With `check`, throws if a variant of the benchmark regressed. With `update`, writes its medians as the new results.
 * `rounds` has the multiples of each variant, one for each round.
 */
export function settle(
  benchmark: string,
  rounds: Readonly<Record<string, readonly number[]>>,
  { check = false, update = false }: { check?: boolean; update?: boolean },
): void {
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  if (update) {
    results[benchmark] = Object.fromEntries(Object.entries(rounds).map(([name, all]) => [name, Number(median(all).toFixed(2))]));
    writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  }
  if (!check) return;
  const worse = regressions(results[benchmark], rounds);
  if (worse.length > 0) throw new Error(`Regression in ${benchmark}:\n${worse.join('\n')}`);
}
