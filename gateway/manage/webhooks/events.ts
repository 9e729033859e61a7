import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { searchText } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import { countEvents, listEvents, readEvent } from '../../webhooks/operator/queries.ts';
import type { EventDefinition } from '../../webhooks/outbox/event.ts';
import { listRoutes } from '../lists/routes.ts';
import { aboutSubjects, partnerFilter, withSubjects } from '../partners.ts';
import { aboutEvents, eventFormats, viewAboutEvent } from './exports.ts';
import {
  type Catalogue,
  deliveryView,
  eventTypeFilter,
  eventView,
  idParams,
  idText,
  period,
  serviceField,
  viewDelivery,
  viewEvent,
} from './views.ts';

const tags = ['Events'];

/** Maximum deliveries shown with an event; `GET /deliveries?event_id=` returns all of them in pages. */
const deliveriesShown = 100;

const eventFilters = (catalogue: Catalogue) => ({
  type: eventTypeFilter(idText(), catalogue),
  service: serviceField().optional(),
  subject: idText().optional().describe('The id of the store or structure that the event concerns.'),
  caused_by: idText().optional().describe('Only events with this cause, such as the id of a call.'),
  ...period,
  unmatched: z
    .literal('true')
    .transform(() => true)
    .optional()
    .describe('Only events that matched no endpoint.'),
  partner: partnerFilter.describe(aboutSubjects),
  q: searchText().optional().describe('Text in the body, case-sensitive.'),
});

const listedEvent = eventView.extend({ subject_name: z.string().nullable().describe('The name of the store or structure.') });

/** Maximum events in a block of an export: each has its body. */
const blockEvents = 100;

export const eventTypeView = z.object({
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
  deliveries: z.array(deliveryView).describe(`Newest first, at most ${deliveriesShown}.`),
});

interface EventRoutesOptions {
  catalogue: readonly EventDefinition[];
}

export function eventRoutes(app: App, services: Services, { catalogue }: EventRoutesOptions): void {
  const route = routesOf(app, tags);
  const { store } = services;
  const types = eventTypes(catalogue);

  route('GET /event-types', {
    operationId: 'listEventTypes',
    summary: 'The catalogue of events, with schemas and examples',
    querystring: z.strictObject({ service: serviceField().optional() }),
    data: z.array(eventTypeView),
    handler: async ({ query }) => types().filter(({ service }) => query.service === undefined || service === query.service),
  });

  listRoutes(app, {
    url: '/events',
    name: 'Events',
    rows: 'events',
    tags,
    summary: 'Events, newest first',
    ids: 'evt',
    filters: eventFilters(catalogue),
    wanted: (query) => withSubjects(store, query),
    read: (wanted) => listEvents(store, wanted),
    count: (wanted) => countEvents(store, wanted),
    at: ({ created_at }) => created_at,
    row: listedEvent,
    view: async (events) => (await aboutEvents(store, events)).map(viewAboutEvent),
  }).exportAs({ block: blockEvents, lines: (events) => aboutEvents(store, events), formats: eventFormats });
  route('GET /events/:id', {
    operationId: 'readEvent',
    summary: 'One event with its body and deliveries',
    params: idParams,
    data: eventDetail,
    handler: async ({ params }) => {
      const { event, deliveries } = await readEvent(store, params.id, deliveriesShown);
      const { body } = event;
      return { ...viewEvent(event), body, payload: JSON.parse(body), deliveries: deliveries.map(viewDelivery) };
    },
  });
}

/** Returns a function that views the catalogue. It is built on the first call: the schemas are expensive and rarely requested. */
export function eventTypes(catalogue: readonly EventDefinition[]): () => z.input<typeof eventTypeView>[] {
  let made: z.input<typeof eventTypeView>[] | undefined;
  return () => {
    made ??= catalogue.map(viewType);
    return made;
  };
}

function viewType({ type, service, summary, data, example, gaps }: EventDefinition): z.input<typeof eventTypeView> {
  const { $schema: _, ...schema } = z.toJSONSchema(data, { target: 'draft-2020-12', io: 'output' });
  return { type, service, summary, schema, example, gaps: [...gaps] };
}
