import { z } from 'zod';
import type { Rows, Where } from '../store/port.ts';
import type { Row, TableName } from '../store/tables/index.ts';
import { instant, text, toInstant } from './fields.ts';

/** Query parameters of the manage API's lists: keyset pages, newest first. New rows do not shift the pages. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(25).describe('Rows on a page, 1 to 100.'),
  cursor: text(200).optional().describe('`next` of the previous page.'),
};

/** Like `pageQuery`, for a list in the order of ids with this prefix. A cursor that is no such id would skip or repeat rows. */
export const pagesOf = (prefix: string) => ({ ...pageQuery, cursor: cursorOf(`${prefix}_`) });

/** The place after which a page begins: 32 hexadecimal digits after `prefix`. */
export const cursorOf = (prefix: string) => {
  const form = new RegExp(`^${prefix}[0-9a-f]{32}$`);
  const message = `must be \`next\` of the previous page, ${prefix === '' ? '' : `which begins with ${prefix} and has `}32 hexadecimal digits`;
  return text(200)
    .refine((cursor) => form.test(cursor), { message, params: { rule: 'cursor' } })
    .optional()
    .describe('`next` of the previous page.');
};

/** The query of a list. Refuses a filter that it does not have, and a period that ends before it begins. */
export const listQuery = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape).superRefine((query, context) => {
    const { from, ...ends } = query as Record<string, unknown>;
    for (const name of ['to', 'until']) {
      const end = ends[name];
      if (typeof from === 'number' && typeof end === 'number' && from >= end)
        context.addIssue({
          code: 'custom',
          path: [name],
          params: { rule: 'after_from' },
          message: `must be after "from": the period ends at ${toInstant(end)}, which is not after its start (${toInstant(from)})`,
        });
    }
  });

/** `{ data, next }`: `next` is the cursor of the next page, or null on the last. */
export const pageOf = <S extends z.ZodType>(row: S) => z.object({ data: z.array(row), next: z.string().nullable() });

/** A page of a list whose filters may match few rows: one call reads a bounded number of rows, and `next` continues from there. */
export const searchedPageOf = <S extends z.ZodType>(row: S) =>
  pageOf(row).extend({
    searched_to: instant()
      .nullable()
      .describe(
        'Set when the search stopped before the page was full: older rows were not searched yet. `next` continues there.',
      ),
  });

/** Returns the first `limit` rows and the cursor of the next page. `rows` was read with one row more than `limit`. */
export function page<R extends { id: string | number }>(rows: R[], limit: number): { data: R[]; next: string | null } {
  const data = rows.slice(0, limit);
  return { data, next: rows.length > limit ? String(data.at(-1)?.id) : null };
}

/** The tables whose rows have an id. */
type Listed = { [T in TableName]: Row<T> extends { id: string | number } ? T : never }[TableName];

/** Reads a page of the rows that have these values in their columns, newest first. `view`: a row as the list shows it. */
export async function readPage<T extends Listed, V>(
  rows: Rows,
  table: T,
  { limit, cursor, ...columns }: { limit: number; cursor?: string | number | undefined } & Where<NoInfer<T>>,
  view: (row: Row<T>) => V,
): Promise<{ data: V[]; next: string | null }> {
  const where = { ...columns, id: cursor === undefined ? undefined : { lt: cursor } } as Where<T>;
  // One row more than asked for tells whether a next page exists.
  const found = (await rows.list<T>(table, { where, order: [['id', 'desc']], limit: limit + 1 })) as (Row<T> & { id: string })[];
  const { data, next } = page(found, limit);
  return { data: data.map(view), next };
}
