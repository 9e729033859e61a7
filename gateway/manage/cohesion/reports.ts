import { z } from 'zod';
import { produceReport } from '../../api/cohesion/back-office/reports.ts';
import { type Stats, stats } from '../../api/cohesion/schemas.ts';
import { notFound } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { idParam, instant, text, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const summary = z.object({
  id: z.int(),
  annee: z.int(),
  titre: z.string(),
  format: z.string(),
  created_at: instant(),
});
const report = summary
  .extend({ content: stats.describe("The year's statistics at the time of the report.") })
  .meta({ id: 'Report' });
const tags = ['Cohesion back office'];

export function reportRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  route('POST /cohesion/reports', {
    operationId: 'produceReport',
    summary: "Produce a report of a year's statistics; sends rapport.ready",
    'x-gap': ['cohesion.rapport-ready-condition'],
    body: z.strictObject({
      annee: z.int().min(1900, 'must be 1900 or later').max(2100, 'must be 2100 or earlier').meta({ example: 2026 }),
      titre: text(200).optional().describe('Default: "Rapport annuel YYYY".'),
    }),
    created: report,
    handler: async (request) => toReport(await services.change((change) => produceReport(change, request.body))),
  });
  route('GET /cohesion/reports', {
    operationId: 'listReports',
    summary: 'Reports without their content, newest first',
    querystring: z.strictObject(idPageQuery),
    reply: pageOf(summary),
    handler: async ({ query }) => readPage(services.store, 'reports', query, toReport),
  });
  route('GET /cohesion/reports/:id', {
    operationId: 'readReport',
    summary: 'One report',
    params: z.object({ id: idParam() }),
    data: report,
    handler: async (request) => {
      const found = await services.store.get('reports', request.params);
      if (!found) throw notFound('id', `There is no report ${request.params.id}.`);
      return toReport(found);
    },
  });
}

function toReport(row: Row<'reports'>): z.infer<typeof report> {
  return { ...row, content: row.content as Stats, created_at: toInstant(row.created_at) };
}
