import { z } from 'zod';
import { createErasure, type Erasure, listErasures, type Receiver, readErasure, readReceivers } from '../../erasures/erasures.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, named, text, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { pageOf, pagesOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { erasureStatuses } from '../../store/tables/erasures.ts';
import { idParams } from './views.ts';

const tags = ['Erasures'];
const count = z.int();
const maxEvents = 1000;
const receiversShown = 100;

const creation = z.strictObject({
  number: text(40)
    .optional()
    .describe('A telephone number with its country code. It is found in all usual spellings, also without the country code.')
    .meta({ example: '+2250700000000' }),
  subject: text(100).optional().describe('All events about this store or structure.'),
  event_ids: z.array(text(100)).min(1).max(maxEvents).optional().describe(`At most ${maxEvents} events.`),
  dry_run: z
    .boolean()
    .default(true)
    .describe('Only counts what would be erased. Send `false` to erase it: nothing brings it back.'),
});

const erasureView = named('Erasure', {
  id: z.string(),
  status: z.enum(erasureStatuses),
  dry_run: z.boolean(),
  target: z
    .discriminatedUnion('by', [
      z.object({ by: z.literal('number'), ends_with: z.string().describe('Its last two digits. The number is not kept.') }),
      z.object({ by: z.literal('subject'), subject: z.string() }),
      z.object({ by: z.literal('events'), event_ids: z.array(z.string()) }),
    ])
    .describe('What is erased.'),
  working_on: z
    .string()
    .nullable()
    .describe('The table that it reads now, or `remains`: what was in flight is erased when it has ended. Null when it is done.'),
  settled_at: instant().nullable().describe('When everything that was in flight has ended. It is done after that.'),
  found: z
    .record(z.string(), count)
    .describe(
      'By table, how many rows lost content, or would in a dry run. `deliveries` counts those that end as `skipped` with the reason `erased`.',
    ),
  note: z.string().nullable().describe('In words, if it is done and found nothing: what may be wrong with what was asked for.'),
  created_at: instant(),
  updated_at: instant(),
  ended_at: instant().nullable(),
});

const erasureDetail = erasureView
  .extend({
    receivers: z
      .array(
        z.object({
          endpoint_id: z.string(),
          owner: z.string().nullable(),
          host: z.string().nullable(),
          delivered: count.describe('Deliveries that it took.'),
          attempted: count.describe('Other deliveries of which an attempt was made. It may have got them.'),
        }),
      )
      .describe(
        `The endpoints that got the events before: ask their owners to erase them too. At most ${receiversShown}, those with the most deliveries first; complete when it is done.`,
      ),
    receivers_count: count,
  })
  .meta({ id: 'ErasureDetail' });

function nothingFound(target: Erasure['target']): string {
  if (target.by === 'number') return `Nothing that is kept has the number that ends with ${target.ends_with}.`;
  if (target.by === 'events') return 'The content of these events was erased before.';
  return `No event has the subject ${JSON.stringify(target.subject)}, or all of them were erased before. A subject is the id of a store or structure, as events show it.`;
}

const viewErasure = ({ id, status, dry_run, target, stage, found, ...times }: Erasure): z.input<typeof erasureView> => ({
  id,
  status,
  dry_run,
  target,
  working_on: status === 'done' ? null : stage,
  settled_at: toInstantOrNull(times.settled_at),
  found,
  note: status === 'done' && Object.keys(found).length === 0 ? nothingFound(target) : null,
  created_at: toInstant(times.created_at),
  updated_at: toInstant(times.updated_at),
  ended_at: toInstantOrNull(times.ended_at),
});

const viewReceiver = ({ row: { endpoint_id, delivered, attempted }, endpoint }: Receiver) => ({
  endpoint_id,
  owner: endpoint?.owner ?? null,
  host: endpoint ? new URL(endpoint.url).host : null,
  delivered,
  attempted,
});

/** Erases what is kept about a person. */
export function erasureRoutes(app: App, { store, change, keys }: Services): void {
  const route = routesOf(app, tags);
  route('POST /erasures', {
    operationId: 'createErasure',
    summary: 'Erase a person, or count first what would be erased',
    description:
      'Takes the content out of events, of the calls and attempts that carried it, and of stored replies; by number also out of every other ' +
      'text that the gateway keeps. Ids, times, counts and the ledger stay. Pending deliveries end as `skipped` with the reason `erased`, and ' +
      'nothing is sent any more. It runs in the background and continues after a restart: `GET /erasures/{id}` shows how far it is. ' +
      'By default it is a dry run. Neither this call nor the audit trail keeps the number.',
    body: creation,
    created: erasureDetail,
    config: { recordedBodies: false },
    handler: async ({ body }) => {
      const erasure = await change((given) => createErasure(given, body, keys));
      return { ...viewErasure(erasure), receivers: [], receivers_count: 0 };
    },
  });

  route('GET /erasures', {
    operationId: 'listErasures',
    summary: 'Erasures, newest first',
    querystring: z.strictObject(pagesOf('ers')),
    reply: pageOf(erasureView),
    handler: async ({ query }) => {
      const { data, next } = await listErasures(store, query);
      return { data: data.map(viewErasure), next };
    },
  });

  route('GET /erasures/:id', {
    operationId: 'readErasure',
    summary: 'One erasure: how far it is, what it found, and who got it before',
    params: idParams,
    data: erasureDetail,
    handler: async ({ params: { id } }) => {
      const erasure = await readErasure(store, id);
      const { receivers, count: receivers_count } = await readReceivers(store, id, receiversShown);
      return { ...viewErasure(erasure), receivers: receivers.map(viewReceiver), receivers_count };
    },
  });
}
