import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { text } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import type { EndpointRules } from '../../webhooks/endpoints/endpoints.ts';
import { rotateSecret, rotationOverlapHours } from '../../webhooks/endpoints/rotation.ts';
import { sendTestEvent } from '../../webhooks/operator/manual.ts';
import type { Audience } from '../audience.ts';
import { endpointTags as tags, withSecret } from './endpoints.ts';
import { deliveryView, idParams, viewDelivery, viewOneOwned } from './views.ts';

/**
 * Changing an endpoint's secret, and testing that its receiver knows it. For partners, the routes are behind a check that the
 * endpoint is theirs.
 */
export function secretRoutes(app: App, services: Services, options: EndpointRules, audience: Audience): void {
  const route = routesOf(app, tags);
  const { store, change, keys, clock } = services;
  const { operation } = audience;
  route('POST /endpoints/:id/rotate-secret', {
    operationId: operation('rotateEndpointSecret'),
    summary: 'Rotate the secret; the old one keeps signing during the overlap',
    description:
      'During the overlap `webhook-signature` contains a signature of each secret. `X-SERVICE-Signature` has room for one: it keeps the oldest secret until that one ends. To see whether the receiver knows the new secret, send a test event with `secret: new`. With `overlap_hours: 0`, or if the old secret cannot be decrypted, the new one signs every header at once. A second rotation during the overlap may end the old secrets earlier, and never later.',
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
    data: withSecret,
    handler: async (request) => {
      const input = { id: request.params.id, overlapHours: request.body.overlap_hours };
      const { endpoint, secret } = await change((one) => rotateSecret(one, input, keys));
      return { ...(await viewOneOwned(store, endpoint, clock.now())), secret };
    },
  });
  testRoute(app, services, options, audience);
}

function testRoute(
  app: App,
  { change }: Services,
  { catalogue }: EndpointRules,
  { operation, own, testLimits, catalogue: catalogueOf }: Audience,
): void {
  const route = routesOf(app, tags);
  route('POST /endpoints/:id/test', {
    operationId: operation('sendTestEvent'),
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
          '`new`: only the newest secret signs it, in both headers, so it shows whether the receiver knows this secret. It has one attempt.',
        ),
    }),
    created: deliveryView,
    config: { limits: testLimits },
    handler: async ({ params, body }) => {
      const { event_type: eventType, data, secret } = body;
      const input = { endpointId: params.id, eventType, data, newSecret: secret === 'new' };
      const delivery = await change((one) => sendTestEvent(one, input, catalogue, { byOwner: own }));
      return viewDelivery(delivery);
    },
  });
}
