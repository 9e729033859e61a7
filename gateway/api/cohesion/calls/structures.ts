import type { z } from 'zod';
import type { Rows, Where } from '../../../store/port.ts';
import { containing, equalTo, metaOf, windowOf } from '../domain/lists.ts';
import type { structureQuery } from '../schemas.ts';
import { toStructure } from '../views.ts';

/** Lists active structures only. */
export async function listStructures(rows: Rows, input: z.output<typeof structureQuery>) {
  const where: Where<'structures'> = {
    active: true,
    type: input.type || undefined,
    region_search: equalTo(input.region),
    search: containing(input.q),
  };
  const [found, total] = await Promise.all([
    rows.list('structures', { where, ...windowOf(input) }),
    rows.count('structures', where),
  ]);
  return { data: found.map(toStructure), meta: metaOf(input, total) };
}
