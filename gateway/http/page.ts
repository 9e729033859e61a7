import { z } from 'zod';
import { instant, text } from './fields.ts';

/** Query parameters of every list of the manage API: keyset pages, newest first, stable while rows come in. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(25).describe('How many rows, 1 to 100.'),
  cursor: text(200).optional().describe('`next` of the page before.'),
};

/** `{ data, next }`: `next` is the cursor of the following page, null on the last. */
export const pageOf = <S extends z.ZodType>(row: S) => z.object({ data: z.array(row), next: z.string().nullable() });

/** A page of a list whose filters may fit few rows: the search stops after a bounded number, and `next` goes on with it. */
export const searchedPageOf = <S extends z.ZodType>(row: S) =>
  pageOf(row).extend({
    searched_to: instant()
      .nullable()
      .describe('Where a search that few rows fit stopped for now: what is older is not looked at yet, `next` goes on there.'),
  });

/** Cuts a list that was read with one row more than asked for, and says where the next page begins. */
export function page<R extends { id: string | number }>(rows: R[], limit: number): { data: R[]; next: string | null } {
  const data = rows.slice(0, limit);
  return { data, next: rows.length > limit ? String(data.at(-1)?.id) : null };
}

/** The query of one page, newest first, with one row more than asked for, so that `page` sees whether more follow. */
export const pageQueryOf = (input: { limit: number }) => ({ order: [['id', 'desc']] as const, limit: input.limit + 1 });

/** The condition on `id` that begins where the page before ended. */
export const beyond = <C extends string | number>(cursor: C | undefined) => (cursor === undefined ? undefined : { lt: cursor });
