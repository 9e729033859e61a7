import type { z } from 'zod';
import type { Rows, Where } from '../../../store/port.ts';
import { shownStatuses } from '../domain/intervention-moves.ts';
import { containing, equalTo, readPage } from '../domain/lists.ts';
import { readableBy } from '../domain/perimeter.ts';
import type { CohesionCaller } from '../identity.ts';
import type { CohesionPolicy } from '../policy.ts';
import type { interventionQuery } from '../schemas.ts';
import { toIntervention } from '../views.ts';

/** Never lists drafts, not even when the filter asks for them. */
export async function listInterventions(
  rows: Rows,
  { caller, input }: { caller: CohesionCaller; input: z.output<typeof interventionQuery> },
  policy: CohesionPolicy,
) {
  const { interventionStatuses, listOrder: order } = policy;
  const { stored, keeps } = input.statut ? interventionStatuses.having(input.statut) : { stored: shownStatuses };
  const where: Where<'interventions'> = {
    statut: { in: stored },
    structure_id: readableBy(caller, policy),
    region_search: equalTo(input.region),
    annee: input.annee,
    search: containing(input.q),
  };
  const { found, meta } = await readPage(rows, { table: 'interventions', where, keeps }, { ...input, order });
  return { data: found.map((row) => toIntervention(row, interventionStatuses.shown(row))), meta };
}
