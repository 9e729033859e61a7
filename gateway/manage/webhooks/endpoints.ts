import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Keyring } from '../../base/keyring.ts';
import type { App, Services } from '../../http/api.ts';
import { changeOf, searchText, text } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import { deadLetterRules, orderings } from '../../store/tables/webhooks.ts';
import { sealCredentials } from '../../webhooks/endpoints/credentials.ts';
import {
  countEndpoints,
  createEndpoint,
  doublesOf,
  type EndpointRules,
  endpointStates,
  listEndpoints,
  readEndpoint,
  removeEndpoint,
  updateEndpoint,
} from '../../webhooks/endpoints/endpoints.ts';
import { leastRetryHours, mostRetryHours } from '../../webhooks/model/retry-for.ts';
import { previewFilter } from '../../webhooks/operator/filter-matches.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { type Audience, fieldsFor, operators } from '../audience.ts';
import { listRoutes } from '../lists/routes.ts';
import { partnerFilter, withPartner } from '../partners.ts';
import { endpointFormats } from './exports.ts';
import {
  endpointDetail,
  endpointIds,
  filterMatches,
  idParams,
  onDeadLetterMeaning,
  orderByMeaning,
  ownedEndpointView,
  ownerFilter,
  retryForMeaning,
  serviceField,
  viewOneOwned,
  viewOwned,
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
const filter = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe(
    'Conditions on the payload, such as `{"data": {"total": {"$gte": 10000}}}`; null means none. Operators: `$eq`, `$neq`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin`, `$startsWith`, `$endsWith`, `$exist`, `$or`, `$and`, `$not`. It is checked against the schemas of its events (`GET /event-types`).',
  )
  .meta({ example: { data: { total: { $gte: 10_000 } } } });
const visibleText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\x20-\x7e]+$/, 'must have visible ASCII characters and spaces only');
const sentValue = visibleText(1000).nullable();

const credentials = z
  .strictObject({
    headers: z
      .record(z.string(), sentValue)
      .default({})
      .describe('Headers by their names, at most 10.')
      .meta({ example: { 'X-Api-Key': 'secret of the receiver' } }),
    basic: z
      .strictObject({
        username: z.string().regex(/^[^:\x00-\x1f\x7f]{1,200}$/, 'must have 1 to 200 characters without a colon'),
        password: sentValue,
      })
      .nullable()
      .default(null)
      .describe('Basic authentication.'),
  })
  .nullable()
  .describe(
    'What the receiver asks for beside the signature: headers of its own, and basic authentication. Values are stored encrypted and never shown. ' +
      'In a change, a value of null keeps the stored one, unless `url` has another host.',
  );
const description = searchText(500).describe('A note for operators.');

const maxInFlight = z.int().min(1).max(1000).nullable().describe('Maximum attempts in flight; null means 20.');
const maxPerSecond = z.number().min(0.01).max(10_000).nullable().describe('Maximum attempts per second; null means no limit.');
const retryForHours = z.int().min(leastRetryHours).max(mostRetryHours).nullable().describe(retryForMeaning);
const ordered = z.boolean().describe('True delivers one event after another, in the order of the events.');
const orderBy = z.enum(orderings).describe(orderByMeaning);
const onDeadLetter = z.enum(deadLetterRules).describe(onDeadLetterMeaning);

/** The fields that owners of an endpoint set too. */
const shared = {
  url,
  description,
  events,
  perimeter,
  filter,
  credentials,
  active: z
    .boolean()
    .describe('`false` pauses: deliveries are skipped, and a recovery can send them later. `true` resumes, and ends a hold.'),
  max_per_second: maxPerSecond,
  retry_for_hours: retryForHours,
  ordered,
  order_by: orderBy,
  on_dead_letter: onDeadLetter,
};

const creation = z.strictObject({
  service: serviceField().describe('The service whose events it receives.'),
  owner: ownerFilter.describe(
    'The account (pos) or user (cohesion) that it belongs to. It receives only what its owner may see, and nothing while its owner is inactive. Default: the operator.',
  ),
  url,
  description: description.default(''),
  events: events.default(null),
  perimeter: perimeter.default(null),
  filter: filter.default(null),
  credentials: credentials.default(null),
  active: z.boolean().default(true),
  max_in_flight: maxInFlight.default(null),
  max_per_second: maxPerSecond.default(null),
  retry_for_hours: retryForHours.default(null),
  ordered: ordered.default(false),
  order_by: orderBy.default('endpoint'),
  on_dead_letter: onDeadLetter.default('skip'),
});
/** The fields that decide which events a new endpoint gets. */
const filterPreview = creation
  .pick({ service: true, owner: true, events: true, perimeter: true })
  .extend({ filter: filter.unwrap() });
const ownFilterPreview = filterPreview.omit({ service: true, owner: true });
const ownCreation = creation.omit({ service: true, owner: true, active: true, max_in_flight: true });

const patch = changeOf({ ...shared, max_in_flight: maxInFlight });
const ownPatch = changeOf(shared);

const blockEndpoints = 250;

const endpointFilters = {
  owner: ownerFilter.describe('Only endpoints of this account (`account:ID`) or user (`user:ID`).'),
  service: serviceField().optional(),
  state: z
    .enum(endpointStates)
    .optional()
    .describe('`disabled`: not active. `held`: active, but held or probed after failures. `ok`: neither.'),
  partner: partnerFilter.describe(
    'Part of the name of the account or user that owns it, or of a store, account or structure that the perimeter names, in any case, with or without accents.',
  ),
  q: searchText().optional().describe('Text in the URL or the description, ignoring case.'),
};

export const withSecret = endpointDetail.extend({
  secret: z
    .string()
    .describe('The signing secret. Shown only in this reply.')
    .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
});
const createdEndpoint = withSecret.extend({
  same_url: z
    .array(z.string())
    .describe('Other endpoints of its owner that want some of the same events at the same URL: their receiver gets those twice.'),
});
const removedEndpoint = z.object({
  id: z.string(),
  skipped: z.int().describe('Number of pending deliveries that were skipped.'),
});
export const endpointTags = ['Webhook endpoints'];

/** For partners, the routes with an id are behind a check that the endpoint is theirs, and the owner is the caller, whatever is sent. */
export function endpointRoutes(app: App, services: Services, options: EndpointRules, audience: Audience): void {
  const route = routesOf(app, endpointTags);
  const { store, clock, change } = services;
  const { own, ownerOf, operation } = audience;
  creationRoute(app, services, options, audience);
  filterPreviewRoute(app, services, options, audience);
  listRoutes(app, {
    url: '/endpoints',
    name: 'Endpoints',
    operation,
    rows: 'endpoints',
    tags: endpointTags,
    summary: 'Endpoints, newest first',
    ids: 'ep',
    filters: fieldsFor(audience, endpointFilters, 'owner', 'service', 'partner'),
    further: { ids: endpointIds.optional() },
    wanted: async (query, request) => ({ ...(await withPartner(store, query)), ...(own && { owner: ownerOf(request) }) }),
    read: (wanted) => listEndpoints(store, wanted),
    count: (wanted) => countEndpoints(store, wanted),
    at: ({ created_at }) => created_at,
    row: ownedEndpointView,
    view: (endpoints) => viewOwned(store, endpoints, clock.now()),
  }).exportAs({
    block: blockEndpoints,
    lines: (endpoints) => viewOwned(store, endpoints, clock.now()),
    formats: endpointFormats,
  });

  route('GET /endpoints/:id', {
    operationId: operation('readEndpoint'),
    summary: 'One endpoint',
    params: idParams,
    data: endpointDetail,
    handler: async ({ params }) => viewOneOwned(store, await readEndpoint(store, params.id), clock.now()),
  });
  changingRoutes(app, services, options, audience);
  route('DELETE /endpoints/:id', {
    operationId: operation('removeEndpoint'),
    summary: 'Delete an endpoint; its deliveries stay in the ledger',
    params: idParams,
    data: removedEndpoint,
    handler: async ({ params: { id } }) => ({ id, ...(await change((one) => removeEndpoint(one, id))) }),
  });
}

/** `POST /endpoints`. */
export function creationRoute(
  app: App,
  { store, change, keys, clock }: Services,
  rules: EndpointRules,
  { own, ownerOf, operation }: Audience = operators,
): void {
  const route = routesOf(app, endpointTags);
  route('POST /endpoints', {
    operationId: operation('createEndpoint'),
    summary: 'Create an endpoint; its secret is shown once',
    ...(own && {
      description:
        'It receives events of your stores or structures only. It is not active before it is verified (`verifyProfileEndpoint`). ' +
        'You may have 100 endpoints.',
    }),
    'x-gap': ['pos.webhook-subscription', 'pos.webhook-target', 'cohesion.webhook-configuration', 'cohesion.webhook-secret'],
    body: own ? ownCreation : creation,
    created: createdEndpoint,
    handler: async (request) => {
      const given = request.body as z.output<typeof creation>;
      const owner = ownerOf(request as FastifyRequest);
      const sealed = { ...given, ...sealedIn(given, keys) };
      const input = owner ? { ...sealed, owner, service: serviceOf(owner), active: true } : sealed;
      const { endpoint, secret } = await change((one) => createEndpoint(one, input, { ...rules, keys, byOperator: !own }));
      const [view, same_url] = await Promise.all([viewOneOwned(store, endpoint, clock.now()), doublesOf(store, endpoint)]);
      return { ...view, secret, same_url };
    },
  });
}

function filterPreviewRoute(app: App, { store }: Services, rules: EndpointRules, { own, ownerOf, operation }: Audience): void {
  const route = routesOf(app, endpointTags);
  route('POST /endpoints/filter-preview', {
    operationId: operation('previewFilter'),
    summary: 'How a filter would judge the newest events, before it is saved',
    description:
      'Checks the filter as saving it does, and counts as `filter_matches` of an endpoint does. It changes nothing and is a POST only because of its body.',
    body: own ? ownFilterPreview : filterPreview,
    data: filterMatches,
    config: { forViewers: true },
    handler: async (request) => {
      const given = request.body as z.output<typeof filterPreview>;
      const owner = ownerOf(request as FastifyRequest);
      const input = owner ? { ...given, owner, service: serviceOf(owner) } : given;
      return previewFilter(store, input, rules);
    },
  });
}

/** The credentials of a request with sealed values; nothing if there are none to change. */
const sealedIn = ({ credentials }: Pick<z.output<typeof patch>, 'credentials'>, keys: Keyring) =>
  credentials === undefined ? {} : { credentials: credentials && sealCredentials(keys, credentials) };

function changingRoutes(
  app: App,
  { store, change, clock, keys }: Services,
  rules: EndpointRules,
  { own, operation }: Audience,
): void {
  const route = routesOf(app, endpointTags);
  route('PATCH /endpoints/:id', {
    operationId: operation('updateEndpoint'),
    summary: 'Change, pause or resume an endpoint; fields not sent stay unchanged',
    description: own
      ? 'An endpoint that an operator disabled can be activated by an operator only. Another `url` must be verified again before anything is sent to it.'
      : 'While the endpoint is inactive, its deliveries are skipped and stay in the ledger. `active: true` also ends a hold (see `health`). ' +
        'An endpoint of an account or user must be verified again with another `url` (`url_changed`): its owner does, or an operator sends `active: true`. ' +
        'It cannot be activated while its owner is inactive.',
    params: idParams,
    body: own ? ownPatch : patch,
    data: endpointDetail,
    handler: async ({ params, body }: { params: { id: string }; body: z.output<typeof patch> }) => {
      const endpoint = await change((one) =>
        updateEndpoint(one, { id: params.id, ...body, ...sealedIn(body, keys) }, { ...rules, byOperator: !own }),
      );
      return viewOneOwned(store, endpoint, clock.now());
    },
  });
}
