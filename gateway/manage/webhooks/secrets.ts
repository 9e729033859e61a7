import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { text } from '../../http/fields.ts';
import type { EndpointRules } from '../../webhooks/endpoints/endpoints.ts';
import { cancelRotation, confirmSecret, rotateSecret, rotationOverlapHours } from '../../webhooks/endpoints/rotation.ts';
import { sendTestEvent } from '../../webhooks/operator/manual.ts';
import type { Audience } from '../audience.ts';
import { oneEndpoint, endpointTags as tags, withSecret } from './endpoints.ts';
import { deliveryView, idParams, idText, viewDelivery, viewOneOwned } from './views.ts';

/**
 * Changing an endpoint's secret, and testing that its receiver knows it. For partners, the routes are behind a check that the
 * endpoint is theirs.
 */
export function secretRoutes(app: App, services: Services, options: EndpointRules, audience: Audience): void {
  rotationRoute(app, services, audience);
  confirmationRoutes(app, services, audience);
  testRoute(app, services, options, audience);
}

function rotationRoute(app: App, { store, change, keys, clock }: Services, { operation }: Audience): void {
  app.route({
    method: 'POST',
    url: '/endpoints/:id/rotate-secret',
    schema: {
      operationId: operation('rotateEndpointSecret'),
      tags,
      summary: 'Rotate the secret; the old one keeps signing during the overlap',
      description: `During the overlap \`webhook-signature\` contains a signature of each secret. \`X-SERVICE-Signature\` keeps the old secret until the new one is confirmed (\`${operation('confirmEndpointSecret')}\`, or a test event with \`secret: new\`), at the latest until the overlap ends. An operator is told before that, by the notice \`endpoint.secret_unconfirmed\`. With \`overlap_hours: 0\`, or if the old secret cannot be decrypted, the new one signs every header at once. A second rotation during the overlap gives the old secret a new end.`,
      params: idParams,
      body: z.strictObject({
        overlap_hours: z
          .number()
          .int('must be a whole number')
          .min(0, 'must be 0 or more')
          .max(168, 'must be at most 168, which is 7 days')
          .default(rotationOverlapHours)
          .describe('How long the old secret keeps signing, in hours. Use 0 if it leaked.'),
      }),
      response: { 200: withSecret },
    },
    handler: async (request) => {
      const input = { id: request.params.id, overlapHours: request.body.overlap_hours };
      const { endpoint, secret } = await change((one) => rotateSecret(one, input, keys));
      return { data: { ...(await viewOneOwned(store, endpoint, clock.now())), secret } };
    },
  });
}

function confirmationRoutes(app: App, { store, change, clock }: Services, { operation }: Audience): void {
  app.route({
    method: 'POST',
    url: '/endpoints/:id/confirm-secret',
    schema: {
      operationId: operation('confirmEndpointSecret'),
      tags,
      summary: 'Confirm that the receiver knows the new secret',
      description:
        'From now on the new secret signs `X-SERVICE-Signature`. Attempts that have begun keep the old one, so the receiver should know both until the old one has ended. To confirm twice has no further effect. Refused with `no_rotation` if the secret was never rotated.',
      params: idParams,
      body: z
        .strictObject({
          secret_id: idText()
            .optional()
            .describe('The secret that the receiver knows. Refused with `not_newest` if it is no longer the newest one.'),
        })
        .nullish(),
      response: { 200: oneEndpoint },
    },
    handler: async ({ params: { id }, body }) => {
      const endpoint = await change((one) => confirmSecret(one, { id, secretId: body?.secret_id }));
      return { data: await viewOneOwned(store, endpoint, clock.now()) };
    },
  });
  app.route({
    method: 'POST',
    url: '/endpoints/:id/cancel-rotation',
    schema: {
      operationId: operation('cancelEndpointRotation'),
      tags,
      summary: 'Keep the old secret and withdraw the new one',
      description:
        'The old secret signs every header again, without an end. Refused with `no_rotation` once the new secret is confirmed or the overlap is over.',
      params: idParams,
      response: { 200: oneEndpoint },
    },
    handler: async ({ params }) => {
      const endpoint = await change((one) => cancelRotation(one, params.id));
      return { data: await viewOneOwned(store, endpoint, clock.now()) };
    },
  });
}

function testRoute(
  app: App,
  { change }: Services,
  { catalogue }: EndpointRules,
  { operation, own, testLimits, catalogue: catalogueOf }: Audience,
): void {
  app.route({
    method: 'POST',
    url: '/endpoints/:id/test',
    config: { limits: testLimits },
    schema: {
      operationId: operation('sendTestEvent'),
      tags,
      summary: 'Send a test event to this endpoint only',
      description:
        "Sends any event of the endpoint's service, whatever its event types and perimeter. The event and its delivery are in " +
        'the ledger and follow the retry schedule like any other. Refused while the endpoint is inactive, unless it is `unverified` or `url_changed`: then the test has one attempt.',
      params: idParams,
      body: z.strictObject({
        event_type: text(100).describe(`See \`${catalogueOf}\`.`).meta({ example: 'sale.completed' }),
        data: z.unknown().optional().describe("The event's `data`. Default: the example of the event catalogue."),
        secret: z
          .enum(['current', 'new'])
          .default('current')
          .describe(
            '`new`: only the unconfirmed secret of a rotation signs it, in both headers. If the receiver accepts it, the secret is confirmed. It has one attempt. Refused with `no_rotation` if there is none.',
          ),
      }),
      response: { 201: z.object({ data: deliveryView }) },
    },
    handler: async ({ params, body }, reply) => {
      const { event_type: eventType, data, secret } = body;
      const input = { endpointId: params.id, eventType, data, newSecret: secret === 'new' };
      const delivery = await change((one) => sendTestEvent(one, input, catalogue, { byOwner: own }));
      return reply.code(201).send({ data: viewDelivery(delivery) });
    },
  });
}
