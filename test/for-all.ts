import fc from 'fast-check';

type Arbitraries<Ts extends [unknown, ...unknown[]]> = { [K in keyof Ts]: fc.Arbitrary<Ts[K]> };

/** The number of random values, or all settings of fast-check. */
type Runs<Ts> = number | fc.Parameters<Ts>;
const settingsOf = <Ts>(runs: Runs<Ts>) => (typeof runs === 'number' ? { numRuns: runs } : runs);

/** Checks that this holds for random values: `check` throws, or returns false, if it does not. */
export function forAll<Ts extends [unknown, ...unknown[]]>(
  runs: Runs<Ts>,
  of: Arbitraries<Ts>,
  check: (...values: Ts) => unknown,
): void {
  fc.assert(
    fc.property<Ts>(...of, (...values) => check(...values) !== false),
    settingsOf(runs),
  );
}

/** The same for a check that takes time. */
export const forAllAsync = <Ts extends [unknown, ...unknown[]]>(
  runs: Runs<Ts>,
  of: Arbitraries<Ts>,
  check: (...values: Ts) => Promise<unknown>,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty<Ts>(...of, async (...values) => (await check(...values)) !== false),
    settingsOf(runs),
  );
