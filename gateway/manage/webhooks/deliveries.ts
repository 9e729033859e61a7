import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { intParam, searchText } from '../../http/fields.ts';
import { listQuery, pagesOf, searchedPageOf } from '../../http/page.ts';
import { blocksOf } from '../../store/search.ts';
import { deliveryStatuses } from '../../store/tables/webhooks.ts';
import { resendDelivery } from '../../webhooks/operator/manual.ts';
import { countDeliveries, listDeliveries, readDelivery } from '../../webhooks/operator/queries.ts';
import { countRoute, exportRoute, viewCounted } from '../lists/routes.ts';
import { aboutSubjects, ownersOf, partnerFilter, withPartner } from '../partners.ts';
import { type Audience, operators } from './audience.ts';
import { causesOf } from './causes.ts';
import { aboutDeliveries, attemptFormats, attemptLines, deliveryFormats, deliveryLines, receiversOf } from './exports.ts';
import {
  attemptView,
  type Catalogue,
  deliveryView,
  eventTypeFilter,
  eventView,
  explainedDelivery,
  idParams,
  idText,
  ownerFilter,
  ownerView,
  period,
  reasonFilter,
  viewAttempt,
  viewDelivery,
  viewEvent,
  viewSearched,
} from './views.ts';

const tags = ['Deliveries'];

/** The filters of `GET /deliveries`. */
export const deliveryFilters = (catalogue: Catalogue) => ({
  endpoint_id: idText().optional(),
  event_id: idText().optional(),
  event_type: eventTypeFilter(idText(), catalogue),
  status: z.enum(deliveryStatuses).optional().describe('`failed`: dead letters.'),
  reason: reasonFilter(idText()),
  waits_for: z
    .enum(['time', 'turn'])
    .optional()
    .describe('Pending deliveries that wait for their time (`time`), or for capacity or order at their endpoint (`turn`).'),
  response_status: intParam(100, 599).optional().describe('The HTTP status of the last response.'),
  ...period,
  partner: partnerFilter.describe(`${aboutSubjects} Also part of the name of the account or user that owns the endpoint.`),
  owner: ownerFilter.describe('Only deliveries to endpoints of this account (`account:ID`) or user (`user:ID`).'),
  q: searchText().optional().describe("Text in the event's body, case-sensitive."),
});
type Filters = ReturnType<typeof deliveryFilters>;

const listedDelivery = explainedDelivery.extend({
  subject: z.string().nullable().describe('The id of the store or structure that the event concerns.'),
  subject_name: z.string().nullable(),
  url: z.string().nullable().describe("The endpoint's current URL; null if the endpoint is not stored any more."),
  owner: ownerView.nullable().describe('The owner of the endpoint; null if the endpoint is not stored any more.'),
});

/** Maximum deliveries in a block of an export. Each attempt has a body and a response. */
export const blockDeliveries = 250;
export const blockWithAttempts = 25;

const deliveryDetail = explainedDelivery.extend({
  url: z.string().nullable().describe("The endpoint's current URL. Each attempt shows the URL it used."),
  owner: ownerView.nullable().describe('The owner of the endpoint; null if the endpoint is not stored any more.'),
  event: eventView
    .extend({ body: z.string().describe('The exact body of every attempt.'), payload: z.unknown().describe('The body, parsed.') })
    .nullable(),
  attempts_made: z.array(attemptView).describe('The attempts, oldest first.'),
});

export function deliveryRoutes(app: App, services: Services, { catalogue }: { catalogue: Catalogue }): void {
  const filters = deliveryFilters(catalogue);
  readingRoutes(app, services, filters);
  exportRoutes(app, services, filters);
  resendRoute(app, services);
}

function exportRoutes(app: App, { store }: Services, filters: Filters): void {
  const named = { url: '/deliveries', name: 'Deliveries', rows: 'deliveries', tags, filters };
  async function* blocks(query: { partner?: string | undefined }, limit: number) {
    const filter = await withPartner(store, query);
    yield* blocksOf((cursor) => listDeliveries(store, { ...filter, cursor, limit }));
  }
  countRoute(app, {
    ...named,
    count: async (query) =>
      viewCounted(await countDeliveries(store, await withPartner(store, query)), ({ created_at }) => created_at),
  });
  exportRoute(app, {
    ...named,
    formats: deliveryFormats,
    async *blocks(query) {
      for await (const deliveries of blocks(query, blockDeliveries)) yield deliveryLines(store, deliveries);
    },
  });
  exportRoute(app, {
    ...named,
    url: '/attempts',
    name: 'Attempts',
    rows: 'attempts',
    formats: attemptFormats,
    async *blocks(query) {
      for await (const deliveries of blocks(query, blockWithAttempts)) yield attemptLines(store, deliveries);
    },
  });
}

function readingRoutes(app: App, { store, clock }: Services, filters: Filters): void {
  app.route({
    method: 'GET',
    url: '/deliveries',
    schema: {
      operationId: 'listDeliveries',
      tags,
      summary: 'Deliveries, newest first',
      querystring: listQuery({ ...pagesOf('dlv'), ...filters }),
      response: { 200: searchedPageOf(listedDelivery) },
    },
    handler: async ({ query }) => {
      const found = await listDeliveries(store, await withPartner(store, query));
      const [about, receiverOf, causeOf] = await Promise.all([
        aboutDeliveries(store, found.data),
        receiversOf(store, found.data),
        causesOf(store, found.data, { nowMs: clock.now() }),
      ]);
      return viewSearched({ ...found, data: about }, ({ subject, subject_name, ...delivery }) => ({
        ...viewDelivery(delivery),
        subject,
        subject_name,
        cause: causeOf(delivery),
        url: receiverOf(delivery)?.url ?? null,
        owner: receiverOf(delivery)?.owner ?? null,
      }));
    },
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
      const [ownerOf, causeOf] = await Promise.all([
        ownersOf(store, endpoint ? [endpoint.owner] : []),
        causesOf(store, [delivery], { nowMs: clock.now(), counts: true }),
      ]);
      const about = { cause: causeOf(delivery), url: endpoint?.url ?? null, owner: endpoint ? ownerOf(endpoint.owner) : null };
      return { data: { ...viewDelivery(delivery), ...about, event: sent, attempts_made: attempts.map(viewAttempt) } };
    },
  });
}

/** `POST /deliveries/{id}/resend`. For partners, it is behind a check that the delivery is theirs. */
export function resendRoute(app: App, { change }: Services, { operation, own }: Audience = operators): void {
  app.route({
    method: 'POST',
    url: '/deliveries/:id/resend',
    schema: {
      operationId: operation('resendDelivery'),
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
      const delivery = await change((one) => resendDelivery(one, params.id, { byOwner: own }));
      return reply.code(202).send({ data: viewDelivery(delivery) });
    },
  });
}
