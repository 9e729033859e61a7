import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { searchText } from '../../http/fields.ts';
import { pageQuery, searchedPageOf } from '../../http/page.ts';
import { listEvents, readEvent } from '../../webhooks/operator/queries.ts';
import type { EventDefinition } from '../../webhooks/outbox/event.ts';
import {
  deliveryView,
  eventView,
  idParams,
  idText,
  period,
  serviceField,
  viewDelivery,
  viewEvent,
  viewSearched,
} from './views.ts';

const tags = ['Events'];

/** Maximum deliveries shown with an event; `GET /deliveries?event_id=` returns all of them in pages. */
const deliveriesShown = 100;

const filters = z.strictObject({
  ...pageQuery,
  type: idText().optional(),
  service: serviceField().optional(),
  subject: idText().optional().describe('The id of the store or structure that the event concerns.'),
  ...period,
  unmatched: z
    .literal('true')
    .transform(() => true)
    .optional()
    .describe('Only events that matched no endpoint.'),
  q: searchText().optional().describe('Text in the body, case-sensitive.'),
});

const eventType = z.object({
  type: z.string(),
  service: serviceField(),
  summary: z.string(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of `data` in the envelope.'),
  example: z.unknown().describe('An example of `data`.'),
  gaps: z.array(z.string()).describe('Gap entries that its schema depends on.'),
});

const eventDetail = eventView.extend({
  body: z.string().describe('The exact body of every delivery.'),
  payload: z.unknown().describe('The body, parsed.'),
  trace_page: z.string().nullable().describe('Address of the page that shows its trace (setting TRACE_PAGE).'),
  deliveries: z.array(deliveryView).describe(`Newest first, at most ${deliveriesShown}.`),
});

interface EventRoutesOptions {
  catalogue: readonly EventDefinition[];
  tracePage?: string | undefined;
}

export function eventRoutes(app: App, { store }: Services, { catalogue, tracePage }: EventRoutesOptions): void {
  let made: z.input<typeof eventType>[] | undefined;
  // Built on the first request: the schemas are expensive and rarely requested.
  const types = () => {
    made ??= catalogue.map(viewType);
    return made;
  };

  app.route({
    method: 'GET',
    url: '/event-types',
    schema: {
      operationId: 'listEventTypes',
      tags,
      summary: 'The catalogue of events, with schemas and examples',
      querystring: z.strictObject({ service: serviceField().optional() }),
      response: { 200: z.object({ data: z.array(eventType) }) },
    },
    handler: async ({ query }) => ({
      data: types().filter(({ service }) => query.service === undefined || service === query.service),
    }),
  });

  app.route({
    method: 'GET',
    url: '/events',
    schema: {
      operationId: 'listEvents',
      tags,
      summary: 'Events, newest first',
      querystring: filters,
      response: { 200: searchedPageOf(eventView) },
    },
    handler: async ({ query }) => viewSearched(await listEvents(store, query), viewEvent),
  });

  app.route({
    method: 'GET',
    url: '/events/:id',
    schema: {
      operationId: 'readEvent',
      tags,
      summary: 'One event with its body and deliveries',
      params: idParams,
      response: { 200: z.object({ data: eventDetail }) },
    },
    handler: async ({ params }) => {
      const { event, deliveries } = await readEvent(store, params.id, deliveriesShown);
      const { body } = event;
      const seen = viewEvent(event);
      const trace_page = seen.trace_id === null ? null : (tracePage?.replaceAll('{trace_id}', seen.trace_id) ?? null);
      return { data: { ...seen, trace_page, body, payload: JSON.parse(body), deliveries: deliveries.map(viewDelivery) } };
    },
  });
}

function viewType({ type, service, summary, data, example, gaps }: EventDefinition): z.input<typeof eventType> {
  const { $schema: _, ...schema } = z.toJSONSchema(data, { target: 'draft-2020-12', io: 'output' });
  return { type, service, summary, schema, example, gaps: [...gaps] };
}
