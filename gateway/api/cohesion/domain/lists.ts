import { fold } from '../../../base/text.ts';
import type { Pagination } from '../schemas.ts';

interface PageInput {
  page: number;
  per_page: number;
}

/** Returns `limit`, `offset` and order of the query that reads one page, in the order of ids. */
export function windowOf({ page, per_page: perPage }: PageInput) {
  return { order: [['id', 'asc']] as const, limit: perPage, offset: (page - 1) * perPage };
}

export function metaOf({ page, per_page: perPage }: PageInput, total: number): Pagination {
  return { page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) };
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
