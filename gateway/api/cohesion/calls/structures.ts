import type { z } from 'zod';
import type { Rows, Where } from '../../../store/port.ts';
import { containing, equalTo, readPage } from '../domain/lists.ts';
import { readableBy } from '../domain/perimeter.ts';
import type { CohesionCaller } from '../identity.ts';
import type { CohesionPolicy } from '../policy.ts';
import type { structureQuery } from '../schemas.ts';
import { toStructure } from '../views.ts';

/** Lists active structures only. */
export async function listStructures(
  rows: Rows,
  { caller, input }: { caller: CohesionCaller; input: z.output<typeof structureQuery> },
  policy: CohesionPolicy,
) {
  const where: Where<'structures'> = {
    id: readableBy(caller, policy),
    active: true,
    type: input.type || undefined,
    region_search: equalTo(input.region),
    search: containing(input.q),
  };
  const { found, meta } = await readPage(rows, { table: 'structures', where }, { ...input, order: policy.listOrder });
  return { data: found.map(toStructure), meta };
}
