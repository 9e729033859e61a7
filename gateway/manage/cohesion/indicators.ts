import { z } from 'zod';
import { createIndicator, setIndicatorValue, updateIndicator } from '../../api/cohesion/back-office/indicators.ts';
import { indicator } from '../../api/cohesion/schemas.ts';
import { toIndicator } from '../../api/cohesion/views.ts';
import type { App, Services } from '../../http/api.ts';
import { amount, idParam, instant, text, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { indicatorTypes } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const record = indicator.extend({ active: z.boolean(), updated_at: instant() }).meta({ id: 'ManagedIndicator' });

export const newIndicator = z.strictObject({
  code: text(60).describe('Must not exist yet.').meta({ example: 'IND-007' }),
  intitule: text(300).meta({ example: 'Nombre de comités de paix opérationnels' }),
  type: z.enum(indicatorTypes, `must be one of ${indicatorTypes.join(', ')}`),
  unite: text(50).meta({ example: 'comités' }),
  cible_annuelle: amount().describe('Annual target.').meta({ example: 60 }),
  is_kpi: z.boolean().default(false),
});

const one = z.object({ data: record });
const params = z.object({ id: idParam() });
const tags = ['Cohesion back office'];

export function indicatorRoutes(app: App, services: Services): void {
  valueRoute(app, services);
  app.route({
    method: 'POST',
    url: '/cohesion/indicators',
    schema: {
      operationId: 'createIndicator',
      tags,
      summary: 'Create an indicator',
      description: 'The value starts at 0. The indicator is not in alert until a value is set.',
      body: newIndicator,
      response: { 201: one },
    },
    handler: async (request, reply) => {
      const created = await services.change((change) => createIndicator(change, request.body));
      return reply.code(201).send({ data: toRecord(created) });
    },
  });
  app.route({
    method: 'GET',
    url: '/cohesion/indicators',
    schema: {
      operationId: 'listAllIndicators',
      tags,
      summary: 'Indicators, including inactive ones, newest first',
      querystring: z.strictObject(idPageQuery),
      response: { 200: pageOf(record) },
    },
    handler: async ({ query }) => readPage(services.store, 'indicators', query, toRecord),
  });
}

function valueRoute(app: App, services: Services): void {
  app.route({
    method: 'PUT',
    url: '/cohesion/indicators/:id/value',
    schema: {
      operationId: 'setIndicatorValue',
      tags,
      summary: 'Set the current value; sends indicator.alert when the value goes under or over its target',
      'x-gap': ['cohesion.indicator-alert-condition'],
      params,
      body: z.strictObject({ valeur_courante: amount().describe('Current value.').meta({ example: 42 }) }),
      response: { 200: one },
    },
    handler: async (request) => {
      const input = { ...request.params, ...request.body };
      return { data: toRecord(await services.change((change) => setIndicatorValue(change, input))) };
    },
  });
  app.route({
    method: 'PATCH',
    url: '/cohesion/indicators/:id',
    schema: {
      operationId: 'updateIndicator',
      tags,
      summary: 'Activate or deactivate an indicator',
      params,
      body: z.strictObject({ active: z.boolean().describe('Only active indicators are listed.') }),
      response: { 200: one },
    },
    handler: async (request) => {
      const input = { ...request.params, ...request.body };
      return { data: toRecord(await services.change((change) => updateIndicator(change, input))) };
    },
  });
}

function toRecord(row: Row<'indicators'>): z.infer<typeof record> {
  return { ...toIndicator(row), active: row.active, updated_at: toInstant(row.updated_at) };
}
