import { z } from 'zod';
import { closePlan, openPlan } from '../../api/cohesion/back-office/plans.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, named, toInstant, toInstantOrNull, yearParam } from '../../http/fields.ts';
import { page, pageOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { planStatuses } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const plan = named('Plan', {
  id: z.int().describe('The year. There is one plan per year.'),
  annee: z.int().meta({ example: 2026 }),
  statut: z.enum(planStatuses),
  closed_at: instant().nullable(),
  created_at: instant(),
});
const tags = ['Cohesion back office'];

export function planRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  route('POST /cohesion/plans', {
    operationId: 'openPlan',
    summary: 'Open the annual plan of a year',
    body: z.strictObject({
      annee: z.int().min(1900, 'must be 1900 or later').max(2100, 'must be 2100 or earlier').meta({ example: 2026 }),
    }),
    created: plan,
    handler: async (request) => toPlan(await services.change((change) => openPlan(change, request.body))),
  });
  route('GET /cohesion/plans', {
    operationId: 'listPlans',
    summary: 'Annual plans, latest year first',
    querystring: z.strictObject(idPageQuery),
    reply: pageOf(plan),
    handler: async (request) => {
      const { limit, cursor } = request.query;
      const found = await services.store.list('plans', {
        where: cursor === undefined ? {} : { annee: { lt: cursor } },
        order: [['annee', 'desc']],
        limit: limit + 1,
      });
      return page(found.map(toPlan), limit);
    },
  });
  route('POST /cohesion/plans/:annee/close', {
    operationId: 'closePlan',
    summary: 'Close an annual plan permanently; sends plan.closed',
    'x-gap': ['cohesion.plan-closed-condition'],
    params: z.object({ annee: yearParam() }),
    data: plan,
    handler: async (request) => toPlan(await services.change((change) => closePlan(change, request.params))),
  });
}

const toPlan = (row: Row<'plans'>): z.infer<typeof plan> => ({
  id: row.annee,
  annee: row.annee,
  statut: row.statut,
  closed_at: toInstantOrNull(row.closed_at),
  created_at: toInstant(row.created_at),
});
