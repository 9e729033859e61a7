import { z } from 'zod';
import { closePlan, openPlan } from '../../api/cohesion/back-office/plans.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, toInstant, toInstantOrNull, yearParam } from '../../http/fields.ts';
import { page, pageOf } from '../../http/page.ts';
import { planStatuses } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const plan = z
  .object({
    id: z.int().describe('The year. There is one plan per year.'),
    annee: z.int().meta({ example: 2026 }),
    statut: z.enum(planStatuses),
    closed_at: instant().nullable(),
    created_at: instant(),
  })
  .meta({ id: 'Plan' });

const one = z.object({ data: plan });
const tags = ['Cohesion back office'];

export function planRoutes(app: App, services: Services): void {
  app.route({
    method: 'POST',
    url: '/cohesion/plans',
    schema: {
      operationId: 'openPlan',
      tags,
      summary: 'Open the annual plan of a year',
      body: z.strictObject({
        annee: z.int().min(1900, 'must be 1900 or later').max(2100, 'must be 2100 or earlier').meta({ example: 2026 }),
      }),
      response: { 201: one },
    },
    handler: async (request, reply) => {
      const opened = await services.change((change) => openPlan(change, request.body));
      return reply.code(201).send({ data: toPlan(opened) });
    },
  });
  app.route({
    method: 'GET',
    url: '/cohesion/plans',
    schema: {
      operationId: 'listPlans',
      tags,
      summary: 'Annual plans, latest year first',
      querystring: z.strictObject(idPageQuery),
      response: { 200: pageOf(plan) },
    },
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
  closingRoute(app, services);
}

function closingRoute(app: App, services: Services): void {
  app.route({
    method: 'POST',
    url: '/cohesion/plans/:annee/close',
    schema: {
      operationId: 'closePlan',
      tags,
      summary: 'Close an annual plan permanently; sends plan.closed',
      'x-gap': ['cohesion.plan-closed-condition'],
      params: z.object({ annee: yearParam() }),
      response: { 200: one },
    },
    handler: async (request) => ({ data: toPlan(await services.change((change) => closePlan(change, request.params))) }),
  });
}

function toPlan(row: Row<'plans'>): z.infer<typeof plan> {
  return {
    id: row.annee,
    annee: row.annee,
    statut: row.statut,
    closed_at: toInstantOrNull(row.closed_at),
    created_at: toInstant(row.created_at),
  };
}
