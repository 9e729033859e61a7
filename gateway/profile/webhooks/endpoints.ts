import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { toInstant } from '../../http/fields.ts';
import { listQuery, pagesOf, searchedPageOf } from '../../http/page.ts';
import {
  endpointFields,
  notEmpty,
  oneEndpoint,
  removedEndpoint,
  stateFilter,
  urlFilter,
  withSecret,
} from '../../manage/webhooks/endpoints.ts';
import { idParams, ownedEndpointView, viewOneOwned, viewOwned } from '../../manage/webhooks/views.ts';
import {
  createEndpoint,
  listEndpoints,
  readEndpoint,
  removeEndpoint,
  updateEndpoint,
} from '../../webhooks/endpoints/endpoints.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { callerOf } from '../caller.ts';
import { type ProfileWebhookOptions, tags } from './own.ts';

const { url, events, perimeter, description, ordered, max_per_second } = endpointFields;

const creation = z.strictObject({
  url,
  description: description.default(''),
  events: events.default(null),
  perimeter: perimeter.default(null),
  max_per_second: max_per_second.default(null),
  ordered: ordered.default(false),
});

const patch = notEmpty(
  z.strictObject({
    url: url.optional().describe('Another URL must be verified again before anything is sent to it.'),
    description: description.optional(),
    events: events.optional(),
    perimeter: perimeter.optional(),
    active: z
      .boolean()
      .optional()
      .describe('`false` pauses: deliveries are skipped, and a recovery can send them later. `true` resumes, and ends a hold.'),
    max_per_second: max_per_second.optional(),
    ordered: ordered.optional(),
  }),
);

/** The endpoints of a partner. Their owner is the caller, whatever is sent. */
export function endpointRoutes(app: App, services: Services, options: ProfileWebhookOptions): void {
  creationRoute(app, services, options);
  readingRoutes(app, services);
  changingRoutes(app, services, options);
}

function creationRoute(app: App, { store, change, keys, clock }: Services, rules: ProfileWebhookOptions): void {
  app.route({
    method: 'POST',
    url: '/endpoints',
    schema: {
      operationId: 'createProfileEndpoint',
      tags,
      summary: 'Create an endpoint; its secret is shown once',
      description:
        'It receives events of your stores or structures only. It is not active before it is verified (`verifyProfileEndpoint`). ' +
        'You may have 100 endpoints.',
      'x-gap': ['pos.webhook-subscription', 'pos.webhook-target', 'cohesion.webhook-configuration', 'cohesion.webhook-secret'],
      body: creation,
      response: { 201: withSecret },
    },
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const input = { ...request.body, owner, service: serviceOf(owner), active: true };
      const { endpoint, secret } = await change((one) => createEndpoint(one, input, { ...rules, keys }));
      return reply.code(201).send({ data: { ...(await viewOneOwned(store, endpoint, clock.now())), secret } });
    },
  });
}

function readingRoutes(app: App, { store, clock }: Services): void {
  app.route({
    method: 'GET',
    url: '/endpoints',
    schema: {
      operationId: 'listProfileEndpoints',
      tags,
      summary: 'Your endpoints, newest first',
      querystring: listQuery({ ...pagesOf('ep'), state: stateFilter, q: urlFilter }),
      response: { 200: searchedPageOf(ownedEndpointView) },
    },
    handler: async (request) => {
      const found = await listEndpoints(store, { ...request.query, owner: callerOf(request).owner });
      const searched_to = found.stopped && toInstant(found.stopped.created_at);
      return { data: await viewOwned(store, found.data, clock.now()), next: found.next, searched_to };
    },
  });

  app.route({
    method: 'GET',
    url: '/endpoints/:id',
    schema: {
      operationId: 'readProfileEndpoint',
      tags,
      summary: 'One endpoint',
      params: idParams,
      response: { 200: oneEndpoint },
    },
    handler: async ({ params }) => ({ data: await viewOneOwned(store, await readEndpoint(store, params.id), clock.now()) }),
  });
}

function changingRoutes(app: App, { store, change, clock }: Services, rules: ProfileWebhookOptions): void {
  app.route({
    method: 'PATCH',
    url: '/endpoints/:id',
    schema: {
      operationId: 'updateProfileEndpoint',
      tags,
      summary: 'Change, pause or resume an endpoint; fields not sent stay unchanged',
      description: 'An endpoint that an operator disabled can be activated by an operator only.',
      params: idParams,
      body: patch,
      response: { 200: oneEndpoint },
    },
    handler: async ({ params, body }) => {
      const endpoint = await change((one) => updateEndpoint(one, { id: params.id, ...body }, rules));
      return { data: await viewOneOwned(store, endpoint, clock.now()) };
    },
  });

  for (const [move, active, summary] of moves)
    app.route({
      method: 'POST',
      url: `/endpoints/:id/${move}`,
      schema: {
        operationId: `${move}ProfileEndpoint`,
        tags,
        summary,
        description: `The same as a change of \`active\` to \`${active}\`.`,
        params: idParams,
        response: { 200: oneEndpoint },
      },
      handler: async ({ params }) => {
        const endpoint = await change((one) => updateEndpoint(one, { id: params.id, active }, rules));
        return { data: await viewOneOwned(store, endpoint, clock.now()) };
      },
    });

  app.route({
    method: 'DELETE',
    url: '/endpoints/:id',
    schema: {
      operationId: 'removeProfileEndpoint',
      tags,
      summary: 'Delete an endpoint; its deliveries can still be read',
      params: idParams,
      response: { 200: removedEndpoint },
    },
    handler: async ({ params: { id } }) => ({ data: { id, ...(await change((one) => removeEndpoint(one, id))) } }),
  });
}

const moves = [
  ['pause', false, 'Pause an endpoint: its deliveries are skipped until it is resumed'],
  ['resume', true, 'Resume a paused endpoint'],
] as const;
