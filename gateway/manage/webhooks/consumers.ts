import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, named, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { listQuery, page, pageOf, pagesOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Rows } from '../../store/port.ts';
import { readConsumerLedger } from '../../webhooks/operator/consumer-ledger.ts';
import { type Consumer, lagsOf, readConsumerById } from '../../webhooks/outbox/consumers.ts';
import type { Audience } from '../audience.ts';
import { fieldsFor } from '../audience.ts';
import { ownersOf } from '../partners.ts';
import { idParams, ownerFilter, ownerView } from './views.ts';

export const consumerView = z.object({
  id: z.string(),
  name: z.string(),
  owner: ownerView,
  types: z.array(z.string()).nullable().describe('Event types; null means all.'),
  cursor: z.string().describe('The cursor that it has acknowledged. It reads on from there.'),
  acknowledged_at: instant().nullable().describe('When it last acknowledged; null if it never did.'),
  created_at: instant(),
});

const lag = z
  .object({
    events: z.int().describe('Events that it has not acknowledged, counted up to 500.'),
    more: z.boolean().describe('True if there may be more.'),
    oldest_at: instant().nullable().describe('When the oldest of them was created; null if there is none.'),
    events_removed: z.boolean().describe('True if events were removed, as too old, before it acknowledged them.'),
  })
  .describe('How far it is behind.');

export const consumerWithLag = consumerView.extend({ lag }).meta({ id: 'Consumer' });

export const consumerLedger = named('ConsumerLedger', {
  events: z.int().describe('Events that are kept and that it may see, by its owner and types.'),
  acknowledged: z.int(),
  not_acknowledged: z.int().describe('All of them, where its `lag` is counted up to a bound.'),
  unaccounted: z.int().describe('Events minus both: 0 unless its cursor passes over some.'),
});
export const aboutConsumerLedger = {
  summary: 'The sum of the events of a pull consumer, which must balance',
  description: 'Counts the events each time.',
};

export async function viewConsumers(rows: Rows, consumers: readonly Consumer[]): Promise<z.input<typeof consumerView>[]> {
  const ownerOf = await ownersOf(
    rows,
    consumers.map(({ owner }) => owner),
  );
  return consumers.map(({ id, name, owner, types, cursor, acknowledged_at, created_at }) => ({
    id,
    name,
    owner: ownerOf(owner),
    types,
    cursor,
    acknowledged_at: toInstantOrNull(acknowledged_at),
    created_at: toInstant(created_at),
  }));
}

export async function viewWithLag(rows: Rows, consumers: readonly Consumer[]): Promise<z.input<typeof consumerWithLag>[]> {
  const [views, lags] = await Promise.all([viewConsumers(rows, consumers), lagsOf(rows, consumers)]);
  return lags.map(({ events, more, oldestAt, lost }, at) => ({
    ...(views[at] as (typeof views)[number]),
    lag: { events, more, oldest_at: toInstantOrNull(oldestAt), events_removed: lost },
  }));
}

export async function viewOneWithLag(rows: Rows, consumer: Consumer): Promise<z.input<typeof consumerWithLag>> {
  const [view] = await viewWithLag(rows, [consumer]);
  return view as z.input<typeof consumerWithLag>;
}

const filters = { owner: ownerFilter.describe('Only consumers of this account (`account:ID`) or user (`user:ID`).') };

export function consumersRoute(app: App, { store }: Services, _options: unknown, audience: Audience): void {
  const route = routesOf(app, [audience.own ? 'Your events' : 'Events']);
  route('GET /consumers', {
    operationId: audience.operation('listConsumers'),
    summary: 'Pull consumers with their lag, newest first',
    querystring: listQuery({ ...pagesOf('csm'), ...fieldsFor(audience, filters, 'owner') }),
    reply: pageOf(consumerWithLag),
    handler: async (request) => {
      const { limit, cursor, owner = audience.ownerOf(request) } = request.query;
      const where = { owner, id: cursor === undefined ? undefined : { lt: cursor } };
      const rows = await store.list('consumers', { where, order: [['id', 'desc']], limit: limit + 1 });
      const { data, next } = page(rows, limit);
      return { data: await viewWithLag(store, data), next };
    },
  });
}

/** Consumers of any partner by their ids. Partners have them by name. */
export function consumersByIdRoutes(app: App, { store }: Services): void {
  const tags = ['Events'];
  const route = routesOf(app, tags);
  route('GET /consumers/:id', {
    operationId: 'readConsumer',
    summary: 'A pull consumer with its lag',
    params: idParams,
    data: consumerWithLag,
    handler: async ({ params }) => viewOneWithLag(store, await readConsumerById(store, params.id)),
  });
  route('GET /consumers/:id/ledger', {
    operationId: 'readConsumerLedger',
    ...aboutConsumerLedger,
    params: idParams,
    data: consumerLedger,
    handler: async ({ params }) => readConsumerLedger(store, (rows) => readConsumerById(rows, params.id)),
  });
}
