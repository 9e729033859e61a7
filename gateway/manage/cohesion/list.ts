import { idParam } from '../../http/fields.ts';
import { pageQuery } from '../../http/page.ts';

/** Query parameters of lists whose rows have an integer id. */
export const idPageQuery = { ...pageQuery, cursor: idParam().optional().describe('`next` of the page before.') };

/** The query of one page, newest first, with one row more than asked for, so that `page` sees whether more follow. */
export const pageQueryOf = (input: { limit: number }) => ({ order: [['id', 'desc']] as const, limit: input.limit + 1 });

/** The condition on `id` that begins where the page before ended. */
export const beyond = (cursor: number | undefined) => (cursor === undefined ? undefined : { lt: cursor });
