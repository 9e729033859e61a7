import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { intParam, searchText } from '../../http/fields.ts';
import { pageQuery, searchedPageOf } from '../../http/page.ts';
import { deliveryStatuses } from '../../store/tables/webhooks.ts';
import { resendDelivery } from '../../webhooks/operator/manual.ts';
import { listDeliveries, readDelivery } from '../../webhooks/operator/queries.ts';
import {
  attemptView,
  deliveryView,
  eventView,
  idParams,
  idText,
  period,
  viewAttempt,
  viewDelivery,
  viewEvent,
  viewSearched,
} from './views.ts';

const tags = ['Deliveries'];

const filters = z.strictObject({
  ...pageQuery,
  endpoint_id: idText().optional(),
  event_id: idText().optional(),
  event_type: idText().optional(),
  status: z.enum(deliveryStatuses).optional().describe('`failed`: dead letters.'),
  reason: idText().optional().describe('The class of the last error, or why the delivery was skipped.'),
  waits_for: z
    .enum(['time', 'turn'])
    .optional()
    .describe('Pending deliveries that wait for their time (`time`), or for capacity or order at their endpoint (`turn`).'),
  response_status: intParam(100, 599).optional().describe('The HTTP status of the last response.'),
  ...period,
  q: searchText().optional().describe("Text in the event's body, case-sensitive."),
});

const deliveryDetail = deliveryView.extend({
  url: z.string().nullable().describe("The endpoint's current URL. Each attempt shows the URL it used."),
  event: eventView
    .extend({ body: z.string().describe('The exact body of every attempt.'), payload: z.unknown().describe('The body, parsed.') })
    .nullable(),
  attempts_made: z.array(attemptView).describe('The attempts, oldest first.'),
});

export function deliveryRoutes(app: App, services: Services): void {
  readingRoutes(app, services);
  resendRoute(app, services);
}

function readingRoutes(app: App, { store }: Services): void {
  app.route({
    method: 'GET',
    url: '/deliveries',
    schema: {
      operationId: 'listDeliveries',
      tags,
      summary: 'Deliveries, newest first',
      querystring: filters,
      response: { 200: searchedPageOf(deliveryView) },
    },
    handler: async ({ query }) => viewSearched(await listDeliveries(store, query), viewDelivery),
  });

  app.route({
    method: 'GET',
    url: '/deliveries/:id',
    schema: {
      operationId: 'readDelivery',
      tags,
      summary: 'One delivery with its event and all its attempts',
      params: idParams,
      response: { 200: z.object({ data: deliveryDetail }) },
    },
    handler: async ({ params }) => {
      const { delivery, event, endpoint, attempts } = await readDelivery(store, params.id);
      const sent = event ? { ...viewEvent(event), body: event.body, payload: JSON.parse(event.body) } : null;
      return {
        data: { ...viewDelivery(delivery), url: endpoint?.url ?? null, event: sent, attempts_made: attempts.map(viewAttempt) },
      };
    },
  });
}

function resendRoute(app: App, { change }: Services): void {
  app.route({
    method: 'POST',
    url: '/deliveries/:id/resend',
    schema: {
      operationId: 'resendDelivery',
      tags,
      summary: 'Resend a delivery, whatever its status',
      description:
        'Makes a new attempt of the same delivery, marked `manual`, with the same `webhook-id` and the same bytes. A finished ' +
        'delivery gets this one attempt. If the attempt fails, the delivery becomes `failed`, even if it was delivered before, and ' +
        'no retries follow. A pending delivery is attempted now, and its retry schedule continues afterwards. Two requests before ' +
        'the attempt cause one attempt. Refused while the endpoint is deleted or inactive.',
      params: idParams,
      response: { 202: z.object({ data: deliveryView }) },
    },
    handler: async ({ params }, reply) => {
      const delivery = await change((one) => resendDelivery(one, params.id));
      return reply.code(202).send({ data: viewDelivery(delivery) });
    },
  });
}
