import { z } from 'zod';
import { fold } from '../../../base/text.ts';
import { intParam } from '../../../http/fields.ts';

const largestPage = 2 ** 31 - 1;

/** Query parameters of every list (gap cohesion.page-parameter, gap cohesion.structures-per-page). */
export const listQuery = {
  page: intParam(1, largestPage)
    .default(1)
    .describe('Which page, from 1 (the default). A page past the last is empty.')
    .meta({ 'x-gap': ['cohesion.page-parameter'] }),
  per_page: intParam(1, 100)
    .default(25)
    .describe('Rows a page, 1 to 100; 25 by default.')
    .meta({ 'x-gap': ['cohesion.per-page-bounds'] }),
};

export const pagination = z
  .object({
    page: z.int().meta({ example: 1 }),
    per_page: z.int().meta({ example: 25 }),
    total: z.int().describe('Rows on all pages.').meta({ example: 90 }),
    last_page: z.int().describe('1 where there are no rows.').meta({ example: 4 }),
  })
  .describe('The pagination block (section 2).');

export const listOf = <S extends z.ZodType>(row: S) => z.object({ data: z.array(row), meta: pagination });

export interface PageInput {
  page: number;
  per_page: number;
}

/** The window that a page is, in the order of ids: `limit` and `offset` of a query. */
export function windowOf({ page, per_page: perPage }: PageInput) {
  return { order: [['id', 'asc']] as const, limit: perPage, offset: (page - 1) * perPage };
}

export function metaOf({ page, per_page: perPage }: PageInput, total: number): z.infer<typeof pagination> {
  return { page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) };
}

/** A condition on a folded column: holds the text, accents and case aside. Empty text asks for nothing. */
export function holding(text: string | undefined): { contains: string } | undefined {
  const folded = fold(text?.trim() ?? '');
  return folded === '' ? undefined : { contains: folded };
}

/** A condition on a folded column: is the text, accents and case aside. */
export function being(text: string | undefined): string | undefined {
  const folded = fold(text?.trim() ?? '');
  return folded === '' ? undefined : folded;
}
