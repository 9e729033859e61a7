import { idParam } from '../../http/fields.ts';
import { pageQuery } from '../../http/page.ts';

/** Query parameters of lists whose rows have an integer id. */
export const idPageQuery = { ...pageQuery, cursor: idParam().optional().describe('`next` of the previous page.') };
