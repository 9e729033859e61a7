import { z } from 'zod';
import { invalid } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, optionalBody, toInstantOrNull } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { deliveryStatuses, type Partner } from '../../store/tables/webhooks.ts';
import { isBlocking } from '../../webhooks/model/order-key.ts';
import { type HeldBack, heldBackCountedTo, readFirst, readHeldBack } from '../../webhooks/operator/held-back.ts';
import { resendDelivery, skipDelivery } from '../../webhooks/operator/manual.ts';
import { countDeliveries, listDeliveries, readDelivery } from '../../webhooks/operator/queries.ts';
import { type Audience, fieldsFor } from '../audience.ts';
import { listRoutes } from '../lists/routes.ts';
import { ownersOf, withPartner } from '../partners.ts';
import { causesOf } from './causes.ts';
import { deliveryFilters } from './delivery-filter.ts';
import { aboutDeliveries, attemptFormats, attemptLines, deliveryFormats, deliveryLines, receiversOf } from './exports.ts';
import { readSkip } from './skips.ts';
import {
  attemptView,
  type Catalogue,
  deliveryView,
  eventView,
  explainedDelivery,
  idParams,
  ownerView,
  viewAttempt,
  viewDelivery,
  viewEvent,
} from './views.ts';

const tags = ['Deliveries'];

/** Maximum deliveries in a block of an export. Each attempt has a body and a response. */
const [blockDeliveries, blockWithAttempts] = [250, 25];

const receiver = {
  url: z.string().nullable().describe("The endpoint's current URL; null if the endpoint is not stored any more."),
  owner: ownerView.nullable().describe('The owner of the endpoint; null if the endpoint is not stored any more.'),
};
const ordered = explainedDelivery.extend({
  holds_back: z
    .object({
      since: instant().nullable().describe('When its first attempt failed; null if that attempt is not kept any more.'),
      waiting: z
        .int()
        .describe(`Deliveries that wait behind it in the order of its endpoint, counted up to ${heldBackCountedTo}.`),
      more: z.boolean().describe('True if there may be more.'),
    })
    .nullable()
    .describe('What a delivery that is `blocking` holds back; null for others.'),
});
const listedDelivery = ordered.extend({
  subject: z.string().nullable().describe('The id of the store or structure that the event concerns.'),
  subject_name: z.string().nullable(),
  ...receiver,
});
const ownListedDelivery = ordered
  .extend({
    subject: z
      .string()
      .nullable()
      .describe(
        'The id of the store or structure that the event concerns; null for a test, and for an event that you may not see any more.',
      ),
    subject_name: z.string().nullable(),
  })
  .meta({ id: 'OwnListedDelivery' });

const sentBody = {
  body: z.string().describe('The exact body of every attempt.'),
  payload: z.unknown().describe('The body, parsed.'),
};
const detail = ordered.extend({
  ...receiver,
  event: eventView.extend(sentBody).nullable(),
  attempts_made: z.array(attemptView).describe('The attempts, oldest first.'),
  waits_behind: z
    .object({ id: z.string(), event_id: z.string(), status: z.enum(deliveryStatuses), blocking: z.boolean() })
    .nullable()
    .describe('The delivery that goes first in the order of its endpoint, if a pending one waits for it.'),
  skipped: z
    .object({ by: z.string().describe('`operator`, `operator:NAME`, `account:ID` or `user:ID`.'), at: instant() })
    .nullable()
    .describe('Who skipped a delivery that blocked others, and when. Null for others, and once it is sent again.'),
});
/** A partner must not learn who else gets an event, and who caused it. */
const ownDetail = detail.omit({ owner: true }).extend({
  url: z.string().describe("The endpoint's current URL. Each attempt shows the URL it used."),
  event: eventView
    .pick({ id: true, service: true, type: true, subject: true, created_at: true })
    .extend(sentBody)
    .nullable()
    .describe('Null if it is not kept any more, or left your perimeter before it was sent.'),
});

/** For partners, the routes with an id are behind a check that the delivery is theirs. */
export function deliveryRoutes(app: App, services: Services, { catalogue }: { catalogue: Catalogue }, audience: Audience): void {
  const route = routesOf(app, tags);
  const { change } = services;
  const { operation } = audience;
  listAndExports(app, services, fieldsFor(audience, deliveryFilters(catalogue), 'partner', 'owner'), audience);
  detailRoute(app, services, audience);
  resendRoute(app, services, audience);
  route('POST /deliveries/:id/skip', {
    operationId: operation('skipDelivery'),
    summary: 'Skip a delivery that blocks those behind it',
    description:
      'Ends a delivery that has failed at an ordered endpoint: it is `failed`, no retry follows, and those behind it are sent. ' +
      'Their receiver sees the gap in `webhook-previous-id`. It can be resent. ' +
      '`GET /deliveries?blocking=true` lists the deliveries that block others.',
    params: idParams,
    body: optionalBody({}),
    data: deliveryView,
    handler: async ({ params }) => viewDelivery(await change((one) => skipDelivery(one, params.id))),
  });
}

const viewHeldBack = (held: HeldBack | null) => held && { ...held, since: toInstantOrNull(held.since) };

const noReceivers: Awaited<ReturnType<typeof receiversOf>> = () => undefined;

async function viewListed(
  rows: Rows,
  deliveries: readonly Row<'deliveries'>[],
  { nowMs, byOwner }: { nowMs: number; byOwner: boolean },
): Promise<z.input<typeof listedDelivery>[]> {
  const [aboutOf, receiverOf, causeOf, heldBackBy] = await Promise.all([
    aboutDeliveries(rows, deliveries, { byOwner }),
    // A partner's rows do not name the endpoint's owner.
    byOwner ? noReceivers : receiversOf(rows, deliveries),
    causesOf(rows, deliveries, { nowMs }),
    readHeldBack(rows, deliveries),
  ]);
  return deliveries.map((delivery) => ({
    ...viewDelivery(delivery),
    ...aboutOf(delivery),
    cause: causeOf(delivery),
    holds_back: viewHeldBack(heldBackBy(delivery)),
    url: receiverOf(delivery)?.url ?? null,
    owner: receiverOf(delivery)?.owner ?? null,
  }));
}

/** Refuses the endpoints of others in the same words as those that do not exist. Deliveries of a deleted one are still its owner's. */
async function refuseUnknown(rows: Rows, owner: Partner, id: string): Promise<void> {
  if (await rows.get('endpoints', { id, owner })) return;
  throw invalid(
    'endpoint_id',
    'unknown_endpoint',
    `There is no endpoint ${id} of yours. GET /profile/v1/endpoints lists all of them.`,
  );
}

function listAndExports(
  app: App,
  { store, clock }: Services,
  filters: ReturnType<typeof deliveryFilters>,
  { own: byOwner, ownerOf, operation }: Audience,
): void {
  const list = listRoutes(app, {
    url: '/deliveries',
    name: 'Deliveries',
    operation,
    rows: 'deliveries',
    tags,
    summary: 'Deliveries, newest first',
    ids: 'dlv',
    filters,
    async wanted(query, request) {
      const owner = ownerOf(request);
      if (owner && query.endpoint_id !== undefined) await refuseUnknown(store, owner, query.endpoint_id);
      return { ...(await withPartner(store, query)), ...(byOwner && { owner, byOwner }) };
    },
    read: (wanted) => listDeliveries(store, wanted),
    count: (wanted) => countDeliveries(store, wanted),
    at: ({ created_at }) => created_at,
    row: byOwner ? ownListedDelivery : listedDelivery,
    view: (deliveries) => viewListed(store, deliveries, { nowMs: clock.now(), byOwner }),
  });
  list.exportAs({
    block: blockDeliveries,
    lines: (deliveries) => deliveryLines(store, deliveries, { byOwner }),
    formats: deliveryFormats,
  });
  list.exportAs({
    url: '/attempts',
    name: 'Attempts',
    rows: 'attempts',
    block: blockWithAttempts,
    lines: (deliveries) => attemptLines(store, deliveries),
    formats: attemptFormats,
  });
}

function detailRoute(app: App, { store, clock }: Services, { own: byOwner, operation }: Audience): void {
  const route = routesOf(app, tags);
  route('GET /deliveries/:id', {
    operationId: operation('readDelivery'),
    summary: 'One delivery with its event and all its attempts',
    params: idParams,
    data: byOwner ? ownDetail : detail,
    handler: async ({ params }) => {
      const { delivery, event, endpoint, attempts } = await readDelivery(store, params.id, { byOwner });
      const [ownerOf, causeOf, heldBackBy, first, skipped] = await Promise.all([
        ownersOf(store, endpoint && !byOwner ? [endpoint.owner] : []),
        causesOf(store, [delivery], { nowMs: clock.now(), counts: true }),
        readHeldBack(store, [delivery]),
        readFirst(store, delivery),
        readSkip(store, delivery, { byOwner }),
      ]);
      return {
        ...viewDelivery(delivery),
        cause: causeOf(delivery),
        holds_back: viewHeldBack(heldBackBy(delivery)),
        url: endpoint?.url ?? null,
        owner: endpoint ? ownerOf(endpoint.owner) : null,
        event: event ? { ...viewEvent(event), body: event.body, payload: JSON.parse(event.body) } : null,
        attempts_made: attempts.map(viewAttempt),
        waits_behind: first ? viewFirst(first) : null,
        skipped,
      };
    },
  });
}

const viewFirst = (first: Row<'deliveries'>) => ({
  id: first.id,
  event_id: first.event_id,
  status: first.status,
  blocking: isBlocking(first),
});

function resendRoute(app: App, { change }: Services, { operation, own }: Audience): void {
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
