import { z } from 'zod';
import { financing } from '../../api/cohesion/schemas.ts';
import { toFinancing } from '../../api/cohesion/views.ts';
import type { App, Services } from '../../http/api.ts';
import { idParam, instant, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const record = financing.extend({ created_at: instant(), updated_at: instant() });

export function financingRoutes(app: App, services: Services): void {
  const route = routesOf(app, ['Cohesion back office']);
  route('GET /cohesion/financings', {
    operationId: 'listFinancings',
    summary: 'External financings, newest first',
    querystring: z.strictObject({
      ...idPageQuery,
      structure_id: idParam().optional().describe('Only financings of this structure.'),
    }),
    reply: pageOf(record),
    handler: async ({ query }) => readPage(services.store, 'financings', query, toRecord),
  });
}

function toRecord(row: Row<'financings'>): z.infer<typeof record> {
  return { ...toFinancing(row), created_at: toInstant(row.created_at), updated_at: toInstant(row.updated_at) };
}
