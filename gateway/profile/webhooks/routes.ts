import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { reasonsRoute } from '../../manage/webhooks/diagnose.ts';
import { eventTypes, eventTypeView } from '../../manage/webhooks/events.ts';
import { webhookRoutes } from '../../manage/webhooks/routes.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { partners } from '../audience.ts';
import { callerOf } from '../caller.ts';
import { consumerRoutes } from './consumers.ts';
import { byIdRoute, digestRoute } from './digest.ts';
import { feedRoute } from './feed.ts';
import { type ProfileWebhookOptions, refuseOthers, refuseWeakTokens, speakToPartners, tags } from './own.ts';
import { receiverRoute } from './receivers.ts';
import { verificationRoute } from './verify.ts';

/** A partner's own webhooks: endpoints, deliveries and recoveries. Nothing in a request says whose they are but its credential. */
export function profileWebhookRoutes(app: App, services: Services, options: ProfileWebhookOptions): void {
  app.register(async (own) => {
    refuseWeakTokens(own);
    refuseOthers(own, services.store);
    speakToPartners(own);
    webhookRoutes(own, services, options, partners);
    verificationRoute(own, services, options);
    feedRoute(own, services, options);
    digestRoute(own, services, options);
    byIdRoute(own, services);
    consumerRoutes(own, services, options);
  });
  reasonsRoute(app, partners);
  catalogueRoute(app, options);
  receiverRoute(app, options);
}

function catalogueRoute(app: App, { catalogue }: ProfileWebhookOptions): void {
  const types = eventTypes(catalogue);
  app.route({
    method: 'GET',
    url: '/events/catalogue',
    schema: {
      operationId: 'listProfileEventTypes',
      tags,
      summary: 'The events of your API, with schemas and examples',
      response: { 200: z.object({ data: z.array(eventTypeView) }) },
    },
    handler: async (request) => {
      const service = serviceOf(callerOf(request).owner);
      return { data: types().filter((type) => type.service === service) };
    },
  });
}
