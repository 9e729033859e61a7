import { fold } from '../../../base/text.ts';
import type { Query, Rows, Where } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Pagination } from '../schemas.ts';

type ListedTable = 'indicators' | 'interventions' | 'structures';

/** Reads one page of a list in the order of ids (gap cohesion.list-order), and counts the rows on all pages. */
export async function readPage<T extends ListedTable>(
  rows: Rows,
  table: T,
  where: Where<T>,
  { page, per_page: perPage }: { page: number; per_page: number },
): Promise<{ found: Row<T>[]; meta: Pagination }> {
  const order = [['id', 'asc']] as Query<T>['order'] & object;
  const [found, total] = await Promise.all([
    rows.list(table, { where, order, limit: perPage, offset: (page - 1) * perPage }),
    rows.count(table, where),
  ]);
  return { found, meta: { page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) } };
}

/** Condition on a folded column: contains the text, ignoring accents and case. Empty text means no condition. */
export function containing(text: string | undefined): { contains: string } | undefined {
  const folded = fold(text?.trim() ?? '');
  return folded === '' ? undefined : { contains: folded };
}

/** Condition on a folded column: equals the text, ignoring accents and case. Empty text means no condition. */
export function equalTo(text: string | undefined): string | undefined {
  const folded = fold(text?.trim() ?? '');
  return folded === '' ? undefined : folded;
}
