import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { listQuery, pagesOf, searchedPageOf } from '../../http/page.ts';
import { countRoute, exportRoute, viewCounted } from '../../manage/lists/routes.ts';
import { namesOf } from '../../manage/partners.ts';
import { causesOf } from '../../manage/webhooks/causes.ts';
import { blockDeliveries, blockWithAttempts, deliveryFilters } from '../../manage/webhooks/deliveries.ts';
import { type About, attemptFormats, attemptLines, deliveryFormats, deliveryLines } from '../../manage/webhooks/exports.ts';
import {
  attemptView,
  type Catalogue,
  eventView,
  explainedDelivery,
  idParams,
  viewAttempt,
  viewDelivery,
  viewEvent,
  viewSearched,
} from '../../manage/webhooks/views.ts';
import type { Rows } from '../../store/port.ts';
import { blocksOf } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { countDeliveries, listDeliveries, readDelivery } from '../../webhooks/operator/queries.ts';
import { readableEvents } from '../../webhooks/operator/readable.ts';
import { isTestOf } from '../../webhooks/outbox/owners.ts';
import { callerOf } from '../caller.ts';
import { deliveryTags as tags } from './own.ts';

function filtersOf(catalogue: Catalogue) {
  const { partner: _, owner: __, ...filters } = deliveryFilters(catalogue);
  return filters;
}
type Filters = ReturnType<typeof filtersOf>;

const subject = z
  .string()
  .nullable()
  .describe(
    'The id of the store or structure that the event concerns; null for a test, and for an event that you may not see any more.',
  );
const listed = explainedDelivery.extend({ subject, subject_name: z.string().nullable() }).meta({ id: 'OwnListedDelivery' });

/** Who else gets an event, and who caused it, is not the partner's business. */
const ownEvent = eventView.pick({ id: true, service: true, type: true, subject: true, created_at: true });

const detail = explainedDelivery.extend({
  url: z.string().describe("The endpoint's current URL. Each attempt shows the URL it used."),
  event: ownEvent
    .extend({ body: z.string().describe('The exact body of every attempt.'), payload: z.unknown().describe('The body, parsed.') })
    .nullable()
    .describe('Null if it is not kept any more, or left your perimeter before it was sent.'),
  attempts_made: z.array(attemptView).describe('The attempts, oldest first.'),
});

/** The deliveries to a partner's endpoints. */
export function deliveryRoutes(app: App, services: Services, { catalogue }: { catalogue: Catalogue }): void {
  const filters = filtersOf(catalogue);
  readingRoutes(app, services, filters);
  exportRoutes(app, services, filters);
}

/** What limits a list to the caller's own. */
const ownTo = (request: FastifyRequest) => ({ owner: callerOf(request).owner, byOwner: true });

/** Returns a function that says which store or structure a delivery is about, if its owner may read the event. */
async function aboutReadable(
  rows: Rows,
  deliveries: readonly Row<'deliveries'>[],
): Promise<(delivery: Row<'deliveries'>) => About> {
  const eventOf = await readableEvents(rows, deliveries);
  const nameOf = await namesOf(
    rows,
    deliveries.flatMap((delivery) => eventOf(delivery) ?? []),
  );
  return (delivery) => {
    const event = eventOf(delivery);
    const isAbout = event !== undefined && !isTestOf({ id: delivery.endpoint_id }, event);
    return isAbout ? { subject: event.subject, subject_name: nameOf(event) } : { subject: null, subject_name: null };
  };
}

function readingRoutes(app: App, { store, clock }: Services, filters: Filters): void {
  app.route({
    method: 'GET',
    url: '/deliveries',
    schema: {
      operationId: 'listProfileDeliveries',
      tags,
      summary: 'Deliveries to your endpoints, newest first',
      querystring: listQuery({ ...pagesOf('dlv'), ...filters }),
      response: { 200: searchedPageOf(listed) },
    },
    handler: async (request) => {
      const found = await listDeliveries(store, { ...request.query, ...ownTo(request as FastifyRequest) });
      const [aboutOf, causeOf] = await Promise.all([
        aboutReadable(store, found.data),
        causesOf(store, found.data, { nowMs: clock.now() }),
      ]);
      return viewSearched(found, (one) => ({ ...viewDelivery(one), cause: causeOf(one), ...aboutOf(one) }));
    },
  });

  app.route({
    method: 'GET',
    url: '/deliveries/:id',
    schema: {
      operationId: 'readProfileDelivery',
      tags,
      summary: 'One delivery with its event and all its attempts',
      params: idParams,
      response: { 200: z.object({ data: detail }) },
    },
    handler: async ({ params }) => {
      const { delivery, event, endpoint, attempts } = await readDelivery(store, params.id, { byOwner: true });
      const sent = event ? { ...viewEvent(event), body: event.body, payload: JSON.parse(event.body) } : null;
      const url = endpoint?.url ?? '';
      const cause = (await causesOf(store, [delivery], { nowMs: clock.now(), counts: true }))(delivery);
      return { data: { ...viewDelivery(delivery), cause, url, event: sent, attempts_made: attempts.map(viewAttempt) } };
    },
  });
}

function exportRoutes(app: App, { store }: Services, filters: Filters): void {
  const named = { url: '/deliveries', name: 'ProfileDeliveries', rows: 'deliveries', tags, filters };
  const blocks = (query: object, request: FastifyRequest, limit: number) =>
    blocksOf((cursor) => listDeliveries(store, { ...query, ...ownTo(request), cursor, limit }));
  countRoute(app, {
    ...named,
    count: async (query, request) =>
      viewCounted(await countDeliveries(store, { ...query, ...ownTo(request) }), ({ created_at }) => created_at),
  });
  exportRoute(app, {
    ...named,
    formats: deliveryFormats,
    async *blocks(query, request) {
      for await (const deliveries of blocks(query, request, blockDeliveries)) {
        const [lines, aboutOf] = await Promise.all([deliveryLines(store, deliveries), aboutReadable(store, deliveries)]);
        yield lines.map((line, index) => ({ ...line, ...aboutOf(deliveries[index] as Row<'deliveries'>) }));
      }
    },
  });
  exportRoute(app, {
    ...named,
    url: '/attempts',
    name: 'ProfileAttempts',
    rows: 'attempts',
    formats: attemptFormats,
    async *blocks(query, request) {
      for await (const deliveries of blocks(query, request, blockWithAttempts)) yield attemptLines(store, deliveries);
    },
  });
}
