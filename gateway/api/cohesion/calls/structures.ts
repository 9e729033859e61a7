import type { z } from 'zod';
import type { Rows, Where } from '../../../store/port.ts';
import { containing, equalTo, readPage } from '../domain/lists.ts';
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
  const { found, meta } = await readPage(rows, 'structures', where, input);
  return { data: found.map(toStructure), meta };
}
