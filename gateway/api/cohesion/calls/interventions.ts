import type { z } from 'zod';
import type { Rows, Where } from '../../../store/port.ts';
import { shownStatuses } from '../domain/intervention-moves.ts';
import { containing, equalTo, readPage } from '../domain/lists.ts';
import type { interventionQuery } from '../schemas.ts';
import { toIntervention } from '../views.ts';

/** Never lists drafts, not even when the filter asks for them. */
export async function listInterventions(rows: Rows, input: z.output<typeof interventionQuery>) {
  const where: Where<'interventions'> = {
    statut: { in: input.statut ? shownStatuses.filter((status) => status === input.statut) : shownStatuses },
    region_search: equalTo(input.region),
    annee: input.annee,
    search: containing(input.q),
  };
  const { found, meta } = await readPage(rows, 'interventions', where, input);
  return { data: found.map(toIntervention), meta };
}
