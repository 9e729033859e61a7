import { z } from 'zod';
import { invalid } from '../../base/errors.ts';
import { nearestOf } from '../../base/nearest.ts';
import type { App, Services } from '../../http/api.ts';
import { changeOf, instant, moment, named, text, visibleText, withInstants } from '../../http/fields.ts';
import { listQuery, pageOf, pagesOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Row } from '../../store/tables/index.ts';
import { type ViewedList, viewedLists } from '../../store/tables/operating.ts';
import { callFilters } from '../calls/routes.ts';
import { callerOf } from '../operators/identity.ts';
import { deliveryFilters } from '../webhooks/delivery-filter.ts';
import { endpointFilters } from '../webhooks/endpoints.ts';
import { eventFilters } from '../webhooks/events.ts';
import type { Catalogue } from '../webhooks/views.ts';
import { createView, readView, removeView, updateView } from './views.ts';

const tags = ['Views'];

/** The console's filter for a time before now. `custom` shows the fields for a period. */
const since = { since: z.enum(['15m', '1h', '24h', '7d', 'custom']).optional() };

/** The query of each list with the filters that a view may have, so that the list never refuses a saved view. */
type Queries = Readonly<Record<ViewedList, z.ZodObject>>;
const queriesOf = (catalogue: Catalogue): Queries => ({
  deliveries: listQuery({ ...deliveryFilters(catalogue), ...since }),
  // The console calls the end of a period `to` in each list.
  calls: listQuery({ ...callFilters, ...since, to: moment().optional() }),
  events: listQuery({ ...eventFilters(catalogue), ...since }),
  endpoints: listQuery(endpointFilters),
});

const fields = {
  list: z.enum(viewedLists).describe('The list that is filtered.'),
  name: visibleText(60).meta({ example: 'Dead letters of this week' }),
  filters: z
    .record(text(60), text(1000))
    .refine((filters) => Object.keys(filters).length <= 30, { message: 'must have at most 30 filters', params: { rule: 'max' } })
    .describe("The list's query parameters, or `since` with `15m`, `1h`, `24h` or `7d`.")
    .meta({ example: { status: 'failed', since: '7d' } }),
};

const view = named('View', {
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
});
const params = z.strictObject({ id: text(100) });

const patch = changeOf({ name: fields.name, filters: fields.filters }, 'must have at least one of name, filters');

/** Saved views of lists, which all operators and viewers share. */
export function viewRoutes(app: App, services: Services, { catalogue }: { catalogue: Catalogue }): void {
  const route = routesOf(app, tags);
  const { store } = services;
  const queries = queriesOf(catalogue);
  const viewOf = viewIn(queries);
  route('GET /views', {
    operationId: 'listViews',
    summary: 'Saved views of lists, newest first',
    description: 'All operators and viewers share them.',
    querystring: listQuery({ ...pagesOf('view'), list: fields.list.optional() }),
    reply: pageOf(view),
    handler: async ({ query }) => readPage(store, 'views', query, viewOf),
  });
  route('GET /views/:id', {
    operationId: 'readView',
    summary: 'One saved view',
    params,
    data: view,
    handler: async ({ params: { id } }) => viewOf(await readView(store, id)),
  });
  changingRoutes(app, services, queries);
}

function changingRoutes(app: App, { store, change }: Services, queries: Queries): void {
  const route = routesOf(app, tags);
  const viewOf = viewIn(queries);
  route('POST /views', {
    operationId: 'createView',
    summary: 'Save a filtered list under a name',
    body: z.strictObject(fields),
    created: view,
    handler: async (request) => {
      const { body } = request;
      refuseFilters(queries, body.list, body.filters);
      const made = await change((step) => createView(step, { ...body, created_by: callerOf(request).name }));
      return viewOf(made);
    },
  });
  route('PATCH /views/:id', {
    operationId: 'updateView',
    summary: 'Rename a view, or change its filters',
    description: 'Fields not sent stay unchanged.',
    params,
    body: patch,
    data: view,
    handler: async ({ params: { id }, body }) => {
      if (body.filters) refuseFilters(queries, (await readView(store, id)).list, body.filters);
      return viewOf(await change((step) => updateView(step, { id, ...body })));
    },
  });
  route('DELETE /views/:id', {
    operationId: 'removeView',
    summary: 'Delete a view',
    params,
    data: view,
    handler: async ({ params: { id } }) => viewOf(await change((step) => removeView(step, id))),
  });
}

const unknownOf = (queries: Queries, list: ViewedList, filters: Record<string, string>) =>
  Object.keys(filters).filter((name) => !Object.hasOwn(queries[list].shape, name));

function refuseFilters(queries: Queries, list: ViewedList, filters: Record<string, string>): void {
  const [name] = unknownOf(queries, list, filters);
  if (name !== undefined) {
    const nearest = nearestOf(name, Object.keys(queries[list].shape));
    const message = `The list ${list} has no filter ${JSON.stringify(name)}; the nearest is ${nearest}.`;
    throw invalid(`filters.${name}`, 'unknown_filter', message);
  }
  const [problem] = queries[list].safeParse(filters).error?.issues ?? [];
  if (problem === undefined) return;
  const field = ['filters', ...problem.path].join('.');
  throw invalid(field, 'invalid_filter', `${field}: ${problem.message}.`);
}

const viewIn =
  (queries: Queries) =>
  (row: Row<'views'>): z.infer<typeof view> => ({
    ...withInstants(row, 'created_at', 'updated_at'),
    unknown_filters: unknownOf(queries, row.list, row.filters),
  });
