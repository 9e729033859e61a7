import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { searchText, text } from '../../http/fields.ts';
import { listQuery, pagesOf, searchedPageOf } from '../../http/page.ts';
import { blocksOf } from '../../store/search.ts';
import {
  countEndpoints,
  createEndpoint,
  type EndpointRules,
  endpointStates,
  listEndpoints,
  readEndpoint,
  removeEndpoint,
  updateEndpoint,
} from '../../webhooks/endpoints/endpoints.ts';
import { countRoute, exportRoute, viewCounted } from '../lists/routes.ts';
import { partnerFilter, withPartner } from '../partners.ts';
import { endpointFormats } from './exports.ts';
import {
  endpointIds,
  idParams,
  ownedEndpointView,
  ownerFilter,
  serviceField,
  viewOneOwned,
  viewOwned,
  viewSearched,
} from './views.ts';

const url = text(2000)
  .describe('An https URL with a public address, without user name and password.')
  .meta({ example: 'https://example.com/webhooks' });
const events = z
  .array(text(100))
  .min(1, 'must contain at least one event type; null means all')
  .max(100)
  .nullable()
  .describe('Event types it receives; null means all of the service.');
const perimeter = z
  .array(text(100))
  .min(1, 'must contain at least one id; null means all')
  .max(1000)
  .nullable()
  .describe('Ids of the stores (pos) or structures (cohesion) whose events it receives; null means all.');
const description = searchText(500).describe('A note for operators.');

const maxInFlight = z.number().int().min(1).max(1000).nullable().describe('Maximum attempts in flight; null means the setting.');
const maxPerSecond = z.number().min(0.01).max(10_000).nullable().describe('Maximum attempts per second; null means no limit.');
const ordered = z.boolean().describe('True delivers one event after another, in the order of the events.');

/** The fields that owners of an endpoint set too. */
export const endpointFields = { url, description, events, perimeter, max_per_second: maxPerSecond, ordered };

const creation = z.strictObject({
  service: serviceField().describe('The service whose events it receives.'),
  owner: ownerFilter.describe(
    'The account (pos) or user (cohesion) that it belongs to. It receives only what its owner may see, and nothing while its owner is inactive. Default: the operator.',
  ),
  url,
  description: description.default(''),
  events: events.default(null),
  perimeter: perimeter.default(null),
  active: z.boolean().default(true),
  max_in_flight: maxInFlight.default(null),
  max_per_second: maxPerSecond.default(null),
  ordered: ordered.default(false),
});

/** Refuses a change of nothing. */
export const notEmpty = <S extends z.ZodObject>(fields: S) =>
  fields.refine((given) => Object.keys(given).length > 0, {
    message: 'must contain at least one field',
    params: { rule: 'not_empty' },
  });

const patch = notEmpty(
  z.strictObject({
    url: url.optional(),
    description: description.optional(),
    events: events.optional(),
    perimeter: perimeter.optional(),
    active: z.boolean().optional(),
    max_in_flight: maxInFlight.optional(),
    max_per_second: maxPerSecond.optional(),
    ordered: ordered.optional(),
  }),
);

export const stateFilter = z
  .enum(endpointStates)
  .optional()
  .describe('`disabled`: not active. `held`: active, but held or probed after failures. `ok`: neither.');
export const urlFilter = searchText().optional().describe('Text in the URL or the description, ignoring case.');

/** The filters of `GET /endpoints`. */
export const endpointFilters = {
  owner: ownerFilter.describe('Only endpoints of this account (`account:ID`) or user (`user:ID`).'),
  service: serviceField().optional(),
  state: stateFilter,
  partner: partnerFilter.describe(
    'Part of the name of the account or user that owns it, or of a store, account or structure that the perimeter names, in any case, with or without accents.',
  ),
  q: urlFilter,
};

/** Maximum endpoints in a block of an export. */
const blockEndpoints = 250;

function exportRoutes(app: App, { store, clock }: Services): void {
  const named = { url: '/endpoints', name: 'Endpoints', rows: 'endpoints', tags: endpointTags, filters: endpointFilters };
  countRoute(app, {
    ...named,
    count: async (query) =>
      viewCounted(await countEndpoints(store, await withPartner(store, query)), ({ created_at }) => created_at),
  });
  exportRoute(app, {
    ...named,
    formats: endpointFormats,
    async *blocks(query) {
      const filter = await withPartner(store, query);
      for await (const endpoints of blocksOf((cursor) => listEndpoints(store, { ...filter, cursor, limit: blockEndpoints })))
        yield viewOwned(store, endpoints, clock.now());
    },
  });
}

export const withSecret = z.object({
  data: ownedEndpointView.extend({
    secret: z
      .string()
      .describe('The signing secret. Shown only in this reply.')
      .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
  }),
});
export const removedEndpoint = z.object({
  data: z.object({
    id: z.string(),
    skipped: z.number().int().describe('Number of pending deliveries that were skipped.'),
  }),
});
export const oneEndpoint = z.object({ data: ownedEndpointView });
export const endpointTags = ['Webhook endpoints'];

export function endpointRoutes(app: App, services: Services, options: EndpointRules): void {
  creationRoute(app, services, options);
  readingRoutes(app, services);
  exportRoutes(app, services);
  changingRoutes(app, services, options);
}

/** `POST /endpoints`. */
export function creationRoute(app: App, { store, change, keys, clock }: Services, rules: EndpointRules): void {
  app.route({
    method: 'POST',
    url: '/endpoints',
    schema: {
      operationId: 'createEndpoint',
      tags: endpointTags,
      summary: 'Create an endpoint; its secret is shown once',
      'x-gap': ['pos.webhook-subscription', 'pos.webhook-target', 'cohesion.webhook-configuration', 'cohesion.webhook-secret'],
      body: creation,
      response: { 201: withSecret },
    },
    handler: async (request, reply) => {
      const { endpoint, secret } = await change((one) => createEndpoint(one, request.body, { ...rules, keys, byOperator: true }));
      return reply.code(201).send({ data: { ...(await viewOneOwned(store, endpoint, clock.now())), secret } });
    },
  });
}

function readingRoutes(app: App, { store, clock }: Services): void {
  app.route({
    method: 'GET',
    url: '/endpoints',
    schema: {
      operationId: 'listEndpoints',
      tags: endpointTags,
      summary: 'Endpoints, newest first',
      querystring: listQuery({ ...pagesOf('ep'), ids: endpointIds.optional(), ...endpointFilters }),
      response: { 200: searchedPageOf(ownedEndpointView) },
    },
    handler: async ({ query }) => {
      const found = await listEndpoints(store, await withPartner(store, query));
      return { ...viewSearched(found, ({ id }) => id), data: await viewOwned(store, found.data, clock.now()) };
    },
  });

  app.route({
    method: 'GET',
    url: '/endpoints/:id',
    schema: {
      operationId: 'readEndpoint',
      tags: endpointTags,
      summary: 'One endpoint',
      params: idParams,
      response: { 200: oneEndpoint },
    },
    handler: async (request) => ({
      data: await viewOneOwned(store, await readEndpoint(store, request.params.id), clock.now()),
    }),
  });
}

function changingRoutes(app: App, { store, change, clock }: Services, rules: EndpointRules): void {
  app.route({
    method: 'PATCH',
    url: '/endpoints/:id',
    schema: {
      operationId: 'updateEndpoint',
      tags: endpointTags,
      summary: 'Change an endpoint; fields not sent stay unchanged',
      description:
        'While the endpoint is inactive, its deliveries are skipped and stay in the ledger. `active: true` also ends a hold (see `health`). ' +
        'An endpoint of an account or user must be verified again with another `url` (`url_changed`): its owner does, or an operator sends `active: true`. ' +
        'It cannot be activated while its owner is inactive.',
      params: idParams,
      body: patch,
      response: { 200: oneEndpoint },
    },
    handler: async (request) => {
      const input = { id: request.params.id, ...request.body };
      const endpoint = await change((one) => updateEndpoint(one, input, { ...rules, byOperator: true }));
      return { data: await viewOneOwned(store, endpoint, clock.now()) };
    },
  });

  app.route({
    method: 'DELETE',
    url: '/endpoints/:id',
    schema: {
      operationId: 'removeEndpoint',
      tags: endpointTags,
      summary: 'Delete an endpoint; its deliveries stay in the ledger',
      params: idParams,
      response: { 200: removedEndpoint },
    },
    handler: async (request) => {
      const { id } = request.params;
      return { data: { id, ...(await change((one) => removeEndpoint(one, id))) } };
    },
  });
}
