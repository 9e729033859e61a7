import { z } from 'zod';
import { invalid } from '../../base/errors.ts';
import { nearestOf } from '../../base/nearest.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, text, toInstant, visibleText } from '../../http/fields.ts';
import { beyond, listQuery, page, pageOf, pageQuery, pageQueryOf } from '../../http/page.ts';
import type { Row } from '../../store/tables/index.ts';
import { type ViewedList, viewedLists } from '../../store/tables/operating.ts';
import { callFilters } from '../calls/routes.ts';
import { callerOf } from '../operators/identity.ts';
import { deliveryFilters } from '../webhooks/deliveries.ts';
import { endpointFilters } from '../webhooks/endpoints.ts';
import { eventFilters } from '../webhooks/events.ts';
import { createView, readView, removeView, updateView } from './views.ts';

const tags = ['Views'];

/** The console's filter for a time before now, such as `1h`. */
const since = ['since'];

/** The filters that a view of each list may have. */
const known: Readonly<Record<ViewedList, readonly string[]>> = {
  deliveries: [...Object.keys(deliveryFilters), ...since],
  calls: [...Object.keys(callFilters), ...since, 'to'],
  events: [...Object.keys(eventFilters), ...since],
  endpoints: Object.keys(endpointFilters),
};

const fields = {
  list: z.enum(viewedLists).describe('The list that is filtered.'),
  name: visibleText(60).meta({ example: 'Dead letters of this week' }),
  filters: z
    .record(text(60), text(1000))
    .refine((filters) => Object.keys(filters).length <= 30, { message: 'must have at most 30 filters', params: { rule: 'max' } })
    .describe("The list's query parameters, or `since` with `15m`, `1h`, `24h` or `7d`.")
    .meta({ example: { status: 'failed', since: '7d' } }),
};

const view = z
  .object({
    id: z.string(),
    list: fields.list,
    name: z.string(),
    filters: z.record(z.string(), z.string()),
    unknown_filters: z
      .array(z.string())
      .describe('The filters that this version no longer has. They filter nothing: save the view again without them.'),
    created_by: z.string().describe('The name of the operator.'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'View' });

const one = z.object({ data: view });
const params = z.strictObject({ id: text(100) });

const patch = z
  .strictObject({ name: fields.name, filters: fields.filters })
  .partial()
  .refine((body) => Object.keys(body).length > 0, {
    message: 'must have at least one of name, filters',
    params: { rule: 'not_empty' },
  });

/** Saved views of lists, which all operators and viewers share. */
export function viewRoutes(app: App, services: Services): void {
  readingRoutes(app, services);
  changingRoutes(app, services);
}

function readingRoutes(app: App, { store }: Services): void {
  app.route({
    method: 'GET',
    url: '/views',
    schema: {
      operationId: 'listViews',
      tags,
      summary: 'Saved views of lists, newest first',
      description: 'All operators and viewers share them.',
      querystring: listQuery({ ...pageQuery, list: fields.list.optional() }),
      response: { 200: pageOf(view) },
    },
    handler: async ({ query: { limit, cursor, list } }) => {
      const { data, next } = page(
        await store.list('views', { where: { id: beyond(cursor), list }, ...pageQueryOf({ limit }) }),
        limit,
      );
      return { data: data.map(viewOf), next };
    },
  });
  app.route({
    method: 'GET',
    url: '/views/:id',
    schema: { operationId: 'readView', tags, summary: 'One saved view', params, response: { 200: one } },
    handler: async ({ params: { id } }) => ({ data: viewOf(await readView(store, id)) }),
  });
}

function changingRoutes(app: App, { store, change }: Services): void {
  app.route({
    method: 'POST',
    url: '/views',
    schema: {
      operationId: 'createView',
      tags,
      summary: 'Save a filtered list under a name',
      body: z.strictObject(fields),
      response: { 201: one },
    },
    handler: async (request, reply) => {
      const { body } = request;
      refuseUnknown(body.list, body.filters);
      const made = await change((step) => createView(step, { ...body, created_by: callerOf(request).name }));
      return reply.code(201).send({ data: viewOf(made) });
    },
  });
  app.route({
    method: 'PATCH',
    url: '/views/:id',
    schema: {
      operationId: 'updateView',
      tags,
      summary: 'Rename a view, or change its filters',
      description: 'Fields not sent stay unchanged.',
      params,
      body: patch,
      response: { 200: one },
    },
    handler: async ({ params: { id }, body }) => {
      if (body.filters) refuseUnknown((await readView(store, id)).list, body.filters);
      return { data: viewOf(await change((step) => updateView(step, { id, ...body }))) };
    },
  });
  app.route({
    method: 'DELETE',
    url: '/views/:id',
    schema: { operationId: 'removeView', tags, summary: 'Delete a view', params, response: { 200: one } },
    handler: async ({ params: { id } }) => ({ data: viewOf(await change((step) => removeView(step, id))) }),
  });
}

const unknownOf = (list: ViewedList, filters: Record<string, string>) =>
  Object.keys(filters).filter((name) => !known[list].includes(name));

function refuseUnknown(list: ViewedList, filters: Record<string, string>): void {
  const [name] = unknownOf(list, filters);
  if (name === undefined) return;
  const nearest = nearestOf(name, known[list]);
  throw invalid(
    `filters.${name}`,
    'unknown_filter',
    `The list ${list} has no filter ${JSON.stringify(name)}; the nearest is ${nearest}.`,
  );
}

const viewOf = (row: Row<'views'>): z.infer<typeof view> => ({
  ...row,
  unknown_filters: unknownOf(row.list, row.filters),
  created_at: toInstant(row.created_at),
  updated_at: toInstant(row.updated_at),
});
