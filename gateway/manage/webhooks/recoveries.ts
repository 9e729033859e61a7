import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, named, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { pageOf, pagesOf, searchedPageOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { recoveryStatuses } from '../../store/tables/webhooks.ts';
import {
  countResults,
  createRecovery,
  givenStatuses,
  type ItemResult,
  type ItemStory,
  itemResults,
  listItems,
  listRecoveries,
  previewRecovery,
  type Recovery,
  readRecovery,
  resultOf,
  updateRecovery,
} from '../../webhooks/operator/recoveries.ts';
import type { Audience } from '../audience.ts';
import { refuseUnknownOwner } from '../partners.ts';
import { recoveryFields, recoveryFilterView, viewRecoveryFilter } from './delivery-filter.ts';
import { type Catalogue, idParams } from './views.ts';

const tags = ['Recoveries'];
const count = z.int();

const pace = z.int().min(1).max(1000).describe('Deliveries sent per second. Live traffic always has priority.');
const changes = z
  .strictObject({ status: z.enum(givenStatuses).optional(), pace: pace.optional() })
  .refine(({ status, pace: given }) => status !== undefined || given !== undefined, 'must have status or pace');
const creation = (catalogue: Catalogue) =>
  z.strictObject({
    ...recoveryFields(catalogue),
    pace: pace.default(20),
    dry_run: z.boolean().default(false).describe('Only counts. Nothing is stored or sent.'),
  });

const preview = z.object({
  dry_run: z.literal(true),
  matching: count,
  by_endpoint: z
    .array(z.object({ endpoint_id: z.string(), count }))
    .describe('At most 100 endpoints, those with the most deliveries first.'),
  not_possible: count.describe(
    'Number of these deliveries that would be refused, because their endpoint is inactive or deleted.',
  ),
});
const endpointsShown = 100;

const recoveryView = named('Recovery', {
  id: z.string(),
  status: z
    .enum(recoveryStatuses)
    .describe('`done` when every delivery was processed. The last attempts may still be in flight.'),
  filter: recoveryFilterView,
  pace: count,
  total: count.describe('Deliveries that matched when the recovery was created. Later failures are not included.'),
  done: count.describe('Deliveries processed so far. It ends below `total` if some were resent in another way meanwhile.'),
  remaining_seconds_estimate: count.nullable().describe('Estimate at the current pace, while it runs.'),
  created_at: instant(),
  updated_at: instant(),
  ended_at: instant().nullable(),
});

const progressView = recoveryView
  .extend({
    results: z
      .object({ queued: count, pending: count, delivered: count, failed: count, refused: count })
      .describe('`queued` is the sum of `pending`, `delivered` and `failed`. A result may be counted some seconds late.'),
  })
  .meta({ id: 'RecoveryProgress' });

const viewRecovery = ({ id, status, filter, pace, total, done, ...times }: Recovery): z.input<typeof recoveryView> => ({
  id,
  status,
  filter: viewRecoveryFilter(filter),
  pace,
  total,
  done,
  remaining_seconds_estimate: status === 'running' ? Math.ceil(Math.max(0, total - done) / pace) : null,
  created_at: toInstant(times.created_at),
  updated_at: toInstant(times.updated_at),
  ended_at: toInstantOrNull(times.ended_at),
});

function viewProgress(recovery: Recovery, counts: Record<ItemResult, number>): z.input<typeof progressView> {
  const { pending, delivered, failed } = counts;
  return { ...viewRecovery(recovery), results: { queued: pending + delivered + failed, ...counts } };
}

const itemView = z.object({
  delivery_id: z.string(),
  event_type: z.string().nullable().describe('Null if the delivery was removed by retention.'),
  endpoint_id: z.string().nullable(),
  result: z.enum(itemResults),
  reason: z.string().nullable().describe('Why it was refused, or the class of its error.'),
  at: instant().describe('Time of processing.'),
});

function viewItem({ item, delivery }: ItemStory): z.input<typeof itemView> {
  const result = resultOf(item);
  const error = result === 'failed' && delivery?.status === 'failed' ? delivery.reason : null;
  return {
    delivery_id: item.delivery_id,
    event_type: delivery?.event_type ?? null,
    endpoint_id: delivery?.endpoint_id ?? null,
    result,
    reason: result === 'refused' ? item.result : error,
    at: toInstant(item.at),
  };
}

/** For partners, the routes with an id are behind a check that it is theirs. */
export function recoveryRoutes(app: App, services: Services, { catalogue }: { catalogue: Catalogue }, audience: Audience): void {
  const route = routesOf(app, tags);
  const { store, change } = services;
  const { operation, ownerOf } = audience;
  creationRoute(app, services, creation(catalogue), audience);
  route('GET /recoveries', {
    operationId: operation('listRecoveries'),
    summary: 'Recoveries, newest first',
    querystring: z.strictObject({ ...pagesOf('rcv'), status: z.enum(recoveryStatuses).optional() }),
    reply: pageOf(recoveryView),
    handler: async (request) => {
      const { data, next } = await listRecoveries(store, { ...request.query, owner: ownerOf(request as FastifyRequest) });
      return { data: data.map(viewRecovery), next };
    },
  });

  route('GET /recoveries/:id', {
    operationId: operation('readRecovery'),
    summary: 'One recovery with its progress',
    params: idParams,
    data: progressView,
    handler: async ({ params: { id } }) => viewProgress(await readRecovery(store, id), await countResults(store, id)),
  });

  route('GET /recoveries/:id/items', {
    operationId: operation('listRecoveryItems'),
    summary: 'The result for each processed delivery',
    params: idParams,
    querystring: z.strictObject({ ...pagesOf('dlv'), result: z.enum(itemResults).optional() }),
    reply: searchedPageOf(itemView),
    handler: async ({ params, query }) => {
      const { data, next, stopped } = await listItems(store, params.id, query);
      return { data: data.map(viewItem), next, searched_to: stopped && toInstant(stopped.at) };
    },
  });
  route('PATCH /recoveries/:id', {
    operationId: operation('updateRecovery'),
    summary: 'Pause, resume or cancel a recovery, or change its pace',
    description: 'Attempts that are already queued are still made. A cancelled recovery does not begin again.',
    params: idParams,
    body: changes,
    data: progressView,
    handler: async ({ params, body }) => {
      const recovery = await change((one) => updateRecovery(one, params.id, body));
      return viewProgress(recovery, await countResults(store, recovery.id));
    },
  });
}

function creationRoute(
  app: App,
  { store, change, clock }: Services,
  body: ReturnType<typeof creation>,
  { operation, ownerOf, own }: Audience,
): void {
  const route = routesOf(app, tags);
  route('POST /recoveries', {
    operationId: operation('createRecovery'),
    summary: 'Send many deliveries now at a given pace, or count them with `dry_run`',
    description:
      'Each finished delivery (`failed`, `skipped`) gets one more attempt. Each `pending` one gets its next attempt now, and its ' +
      'schedule continues if that fails. A pending delivery that waits in turn keeps its turn. The hold of an endpoint with ' +
      "pending deliveries ends, so that an attempt tests it at once. Rates, caps and order hold, also above the recovery's pace. " +
      'Deliveries of inactive or deleted endpoints are refused. A recovery continues after a restart. Give at least an owner, ' +
      'an endpoint, an event or the start of a period.',
    // A partner's own body has no owner: it is the caller.
    body: own ? body.omit({ owner: true }) : body,
    reply: z.object({ data: preview }),
    refusals: { 201: z.object({ data: progressView }) },
    handler: async (request, reply) => {
      const { dry_run, pace, ...given }: z.output<ReturnType<typeof creation>> = request.body;
      const filter = own ? { ...given, owner: ownerOf(request as FastifyRequest) } : given;
      await refuseUnknownOwner(store, filter.owner);
      if (dry_run) {
        const { by_endpoint, ...found } = await previewRecovery(store, filter, clock.now());
        return reply.send({ data: { dry_run: true as const, ...found, by_endpoint: by_endpoint.slice(0, endpointsShown) } });
      }
      const recovery = await change((one) => createRecovery(one, { ...filter, pace }, { byOwner: own }));
      return reply.code(201).send({ data: viewProgress(recovery, { pending: 0, delivered: 0, failed: 0, refused: 0 }) });
    },
  });
}
