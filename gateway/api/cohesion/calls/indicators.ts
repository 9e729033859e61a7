import type { z } from 'zod';
import { notFound } from '../../../base/errors.ts';
import type { Rows, Where } from '../../../store/port.ts';
import { containing, readPage } from '../domain/lists.ts';
import type { IndicatorView, indicatorQuery } from '../schemas.ts';
import { toIndicator } from '../views.ts';

/** Lists active indicators only. */
export async function listIndicators(rows: Rows, input: z.output<typeof indicatorQuery>) {
  const kpi = input.kpi === undefined ? undefined : ['true', '1'].includes(input.kpi);
  const where: Where<'indicators'> = { active: true, type: input.type, is_kpi: kpi, search: containing(input.q) };
  const { found, meta } = await readPage(rows, 'indicators', where, input);
  return { data: found.map(toIndicator), meta };
}

/** Reads an active indicator. An inactive one is refused like one that does not exist. */
export async function readIndicator(rows: Rows, { id }: { id: number }): Promise<IndicatorView> {
  const row = await rows.get('indicators', { id, active: true });
  if (!row) throw notFound('id', `There is no active indicator ${id}. GET /api/v1/indicateurs lists them.`);
  return toIndicator(row);
}
