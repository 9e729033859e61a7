import type { Asked, ReplyChange } from '../../contracts/tools/assumptions/alternative.ts';
import { data, on } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { shownStatuses } from '../../gateway/api/cohesion/domain/intervention-moves.ts';
import { readableBy } from '../../gateway/api/cohesion/domain/perimeter.ts';
import type { CohesionCaller } from '../../gateway/api/cohesion/identity.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import { mapIn } from './memory.ts';
import { seenBy } from './seen.ts';
import type { Around, Memory } from './types.ts';

const stats = 'GET /stats';

/** The own statuses of financings, by their ids. */
export const statusesOfFinancings = 'statut of financings';

/** The records that the statistics count. Undefined if the call has no statistics. */
export async function countedRows({ operation, query }: Asked, { store, now, caller, alternativeOf }: Around) {
  if (operation !== stats) return undefined;
  const annee = Number(query.annee ?? new Date(now).getUTCFullYear());
  const perimeterLimits = alternativeOf('cohesion.perimeter') === 'reads-too' ? 'reads-and-writes' : 'writes';
  const within = readableBy(caller as CohesionCaller, { perimeterLimits });
  const [interventions, structures, financings] = await Promise.all([
    store.list('interventions', { where: { annee, statut: { in: shownStatuses }, structure_id: within } }),
    store.list('structures', { where: { active: true, id: within } }),
    store.list('financings', { where: { exercice: annee, structure_id: within } }),
  ]);
  return { interventions, structures, financings };
}

const sorted = <T>(groups: ReadonlyMap<string, T>) => [...groups].sort(([one], [other]) => (one < other ? -1 : 1));

export const tally = <R>(rows: readonly R[], by: (row: R) => string): Record<string, number> =>
  Object.fromEntries(sorted(Map.groupBy(rows, by)).map(([key, group]) => [key, group.length]));

/** Adds up the financings of the statistics by their own statuses. */
export const sumsOf = (memory: Memory) => async (asked: Asked, around: Around) => {
  const own = mapIn<string>(memory, statusesOfFinancings);
  const rows = (await countedRows(asked, around))?.financings;
  const groups = rows && Map.groupBy(rows, ({ id, statut, devise }) => JSON.stringify([own.get(String(id)) ?? statut, devise]));
  return (
    groups &&
    sorted(groups).map(([key, group]) => {
      const [statut, devise] = JSON.parse(key) as [string, string];
      return { statut, devise, nombre: group.length, montant: sumOf(group.map(({ montant }) => montant)).toNumber() };
    })
  );
};

/** Puts the sums that `sumsOf` has read for this alternative into the statistics. */
export const summedAgain = (assumed: string): ReplyChange =>
  on(stats, (reply, asked) => {
    const par_statut = seenBy(asked, assumed);
    return data(withFields(({ financements }) => ({ financements: withFields({ par_statut })(financements) })))(reply, asked);
  });
