import { z } from 'zod';
import { createIndicator, setIndicatorValue, updateIndicator } from '../../api/cohesion/back-office/indicators.ts';
import { indicator } from '../../api/cohesion/schemas.ts';
import { toIndicator } from '../../api/cohesion/views.ts';
import type { App, Services } from '../../http/api.ts';
import { amount, idParam, instant, text, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
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
const params = z.object({ id: idParam() });
const tags = ['Cohesion back office'];

export function indicatorRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  route('PUT /cohesion/indicators/:id/value', {
    operationId: 'setIndicatorValue',
    summary: 'Set the current value; sends indicator.alert when the value goes under or over its target',
    'x-gap': ['cohesion.indicator-alert-condition'],
    params,
    body: z.strictObject({ valeur_courante: amount().describe('Current value.').meta({ example: 42 }) }),
    data: record,
    handler: async (request) => {
      const input = { ...request.params, ...request.body };
      return toRecord(await services.change((change) => setIndicatorValue(change, input)));
    },
  });
  route('PATCH /cohesion/indicators/:id', {
    operationId: 'updateIndicator',
    summary: 'Activate or deactivate an indicator',
    params,
    body: z.strictObject({ active: z.boolean().describe('Only active indicators are listed.') }),
    data: record,
    handler: async (request) => {
      const input = { ...request.params, ...request.body };
      return toRecord(await services.change((change) => updateIndicator(change, input)));
    },
  });
  route('POST /cohesion/indicators', {
    operationId: 'createIndicator',
    summary: 'Create an indicator',
    description: 'The value starts at 0. The indicator is not in alert until a value is set.',
    body: newIndicator,
    created: record,
    handler: async (request) => toRecord(await services.change((change) => createIndicator(change, request.body))),
  });
  route('GET /cohesion/indicators', {
    operationId: 'listAllIndicators',
    summary: 'Indicators, including inactive ones, newest first',
    querystring: z.strictObject(idPageQuery),
    reply: pageOf(record),
    handler: async ({ query }) => readPage(services.store, 'indicators', query, toRecord),
  });
}

function toRecord(row: Row<'indicators'>): z.infer<typeof record> {
  return { ...toIndicator(row), active: row.active, updated_at: toInstant(row.updated_at) };
}
