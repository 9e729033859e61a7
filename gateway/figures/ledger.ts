/** How far the ledger is from what it should be: the number of missing rows and of rows too many, by table. */
export interface LedgerDifferences {
  missing: { events: number; deliveries: number; attempts: number };
  surplus: { deliveries: number; attempts: number };
}

export const allDifferences = (value: number): LedgerDifferences => ({
  missing: { events: value, deliveries: value, attempts: value },
  surplus: { deliveries: value, attempts: value },
});

export const isBalanced = ({ missing, surplus }: LedgerDifferences): boolean =>
  [...Object.values(missing), ...Object.values(surplus)].every((rows) => rows === 0);

/** A loss and a surplus do not cancel out: they are added up separately. */
export function totalDifferences(all: Iterable<LedgerDifferences>): LedgerDifferences {
  const total = allDifferences(0);
  for (const { missing, surplus } of all) {
    total.missing.events += missing.events;
    for (const table of ['deliveries', 'attempts'] as const) {
      total.missing[table] += missing[table];
      total.surplus[table] += surplus[table];
    }
  }
  return total;
}

/** Returns the deliveries that are missing or too many. */
export const unaccountedIn = ({ missing, surplus }: LedgerDifferences): number => missing.deliveries + surplus.deliveries;

/** Returns false before the first audit, and while the store cannot be read. */
export const isLedgerKnown = ({ differences, asOf }: { differences: LedgerDifferences; asOf: number | null }): boolean =>
  asOf !== null && !Number.isNaN(unaccountedIn(differences));
