import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { intParam, searchText } from '../../http/fields.ts';
import { pageQuery, searchedPageOf } from '../../http/page.ts';
import { deliveryStatuses } from '../../webhooks/operator/ledger.ts';
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
  status: z.enum(deliveryStatuses).optional().describe('`failed` are the dead letters.'),
  reason: idText().optional().describe('The class of the last error, or why it was skipped.'),
  waits_for: z
    .enum(['time', 'turn'])
    .optional()
    .describe('Pending ones that wait for their time, or for room at their endpoint.'),
  response_status: intParam(100, 599).optional().describe('The HTTP status of the last answer.'),
  ...period,
  q: searchText().optional().describe("Text in the event's body, letter by letter: upper and lower case differ."),
});

const deliveryDetail = deliveryView.extend({
  url: z.string().nullable().describe("The endpoint's URL now; each attempt has the one it used."),
  event: eventView
    .extend({ body: z.string().describe('The exact text of every attempt.'), payload: z.unknown().describe('The same, parsed.') })
    .nullable(),
  attempts_made: z.array(attemptView).describe('In the order in which they were made.'),
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
      summary: 'One delivery with its event and the full evidence of every attempt',
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
      summary: 'Send a delivery once more, whatever became of it',
      description:
        'A new attempt of the same delivery, marked `manual`: same `webhook-id`, same bytes. One that was delivered, failed or ' +
        'skipped gets this one attempt: where it fails the delivery is `failed`, also if it had been delivered before, and no ' +
        'schedule begins anew. One that is pending is attempted now, and its schedule goes on after that. Asked twice before ' +
        'the attempt was made, it is one attempt. Refused while the endpoint is deleted or not active.',
      params: idParams,
      response: { 202: z.object({ data: deliveryView }) },
    },
    handler: async ({ params }, reply) => {
      const delivery = await change((one) => resendDelivery(one, params.id));
      return reply.code(202).send({ data: viewDelivery(delivery) });
    },
  });
}
