import { fold } from '../../../base/text.ts';
import type { Query, Rows, Where } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { CohesionPolicy } from '../policy.ts';
import type { Pagination } from '../schemas.ts';

type ListedTable = 'indicators' | 'interventions' | 'structures';

export interface Listed<T extends ListedTable> {
  table: T;
  where: Where<T>;
  /** Returns false for rows that are left out. Without it, the store reads a page and no more. */
  keeps?: ((row: Row<T>) => boolean) | undefined;
}

/** Reads one page of a list, and counts the rows on all pages. */
export async function readPage<T extends ListedTable>(
  rows: Rows,
  { table, where, keeps }: Listed<T>,
  { page, per_page: perPage, order }: { page: number; per_page: number; order: CohesionPolicy['listOrder'] },
): Promise<{ found: Row<T>[]; meta: Pagination }> {
  const offset = (page - 1) * perPage;
  const sorted: Query<T> = { where, order: orders[order](table) as Query<T>['order'] & object };
  const metaOf = (total: number) => ({ page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) });
  if (keeps) {
    const all = (await rows.list(table, sorted)).filter(keeps);
    return { found: all.slice(offset, offset + perPage), meta: metaOf(all.length) };
  }
  const [found, total] = await Promise.all([rows.list(table, { ...sorted, limit: perPage, offset }), rows.count(table, where)]);
  return { found, meta: metaOf(total) };
}

const nameColumns = { indicators: 'code', interventions: 'reference', structures: 'nom' } as const;

const orders = {
  'by-id': () => [['id', 'asc']],
  'newest-first': () => [['id', 'desc']],
  'by-name': (table: ListedTable) => [
    [nameColumns[table], 'asc'],
    ['id', 'asc'],
  ],
} as const satisfies Record<CohesionPolicy['listOrder'], unknown>;

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
