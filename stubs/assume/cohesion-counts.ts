import type { Asked, ReplyChange } from '../../contracts/tools/assumptions/alternative.ts';
import { data, on } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { draft, shownStatuses } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { readsWithin } from './cohesion-perimeter.ts';
import { ownStatus, ownStatusesIn } from './cohesion-statuses.ts';
import { mapIn } from './memory.ts';
import { seenBy } from './seen.ts';
import type { Around, Memory } from './types.ts';

const stats = 'GET /stats';

/** The own statuses of financings, by their ids. */
export const statusesOfFinancings = 'statut of financings';

/** The records that the statistics count under the active alternatives. Undefined if the call has no statistics. */
export async function countedRows({ operation, query }: Asked, around: Around) {
  if (operation !== stats) return undefined;
  const { store, now } = around;
  const annee = Number(query.annee ?? new Date(now).getUTCFullYear());
  const isWithin = readsWithin(around);
  const [interventions, structures, financings] = await Promise.all([
    store.list('interventions', { where: { annee, statut: { not: draft } } }),
    store.list('structures', { where: { active: true } }),
    store.list('financings', { where: { exercice: annee } }),
  ]);
  return {
    interventions: interventions.filter(({ structure_id }) => isWithin(structure_id)),
    structures: structures.filter(({ id }) => isWithin(id)),
    financings: financings.filter(({ structure_id }) => isWithin(structure_id)),
  };
}

type Counted = 'interventions' | 'structures' | 'financements';

/** Counts the records of the statistics again, as the lists show them. */
export const countsOf =
  (memory: Memory) =>
  async (asked: Asked, around: Around): Promise<Readonly<Record<Counted, object>> | undefined> => {
    const rows = await countedRows(asked, around);
    if (rows === undefined) return undefined;
    const statuses = ownStatusesIn(around.alternativeOf);
    const isOwn = around.alternativeOf('cohesion.financing-statuses') === 'further';
    const own = isOwn ? mapIn<string>(memory, statusesOfFinancings) : new Map<string, string>();
    const zeros = [...shownStatuses, ...statuses.map(({ statut }) => statut)].map((statut) => [statut, 0]);
    const byStatus = tally(rows.interventions, (row) => String(ownStatus(statuses, row)));
    return {
      interventions: { total: rows.interventions.length, par_statut: { ...Object.fromEntries(zeros), ...byStatus } },
      structures: { total: rows.structures.length, par_type: tally(rows.structures, ({ type }) => type) },
      financements: { total: rows.financings.length, par_statut: sums(rows.financings, own) },
    };
  };

const sorted = <T>(groups: ReadonlyMap<string, T>) => [...groups].sort(([one], [other]) => (one < other ? -1 : 1));

export const tally = <R>(rows: readonly R[], by: (row: R) => string): Record<string, number> =>
  Object.fromEntries(sorted(Map.groupBy(rows, by)).map(([key, group]) => [key, group.length]));

const sums = (rows: readonly Row<'financings'>[], own: ReadonlyMap<string, string>) =>
  sorted(Map.groupBy(rows, ({ id, statut, devise }) => JSON.stringify([own.get(String(id)) ?? statut, devise]))).map(
    ([key, group]) => {
      const [statut, devise] = JSON.parse(key) as [string, string];
      return { statut, devise, nombre: group.length, montant: sumOf(group.map(({ montant }) => montant)).toNumber() };
    },
  );

/** Puts the counts that `countsOf` has read for this alternative into the statistics. */
export const countedAgain = (assumed: string, members: readonly Counted[]): ReplyChange =>
  on(stats, (reply, asked) => {
    const seen = fieldsOf(seenBy(asked, assumed));
    const counts = (held: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(members.map((name) => [name, { ...fieldsOf(held[name]), ...fieldsOf(seen[name]) }]));
    return data(withFields(counts))(reply, asked);
  });
