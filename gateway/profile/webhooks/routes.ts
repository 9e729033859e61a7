import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { routesOf } from '../../http/routes.ts';
import { reasonsRoute } from '../../manage/webhooks/diagnose.ts';
import { eventTypes, eventTypeView } from '../../manage/webhooks/events.ts';
import { webhookRoutes } from '../../manage/webhooks/routes.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { partners } from '../audience.ts';
import { callerOf } from '../caller.ts';
import { feedRoute } from './feed.ts';
import { type ProfileWebhookOptions, refuseOthers, refuseWeakTokens, speakToPartners, tags } from './own.ts';
import { receiverRoute } from './receivers.ts';
import { verificationRoute } from './verify.ts';

/**
 * A partner's own webhooks: endpoints, deliveries and recoveries. Only the credential of a request decides whose webhooks they
 * are.
 */
export function profileWebhookRoutes(app: App, services: Services, options: ProfileWebhookOptions): void {
  const route = routesOf(app, tags);
  const { catalogue } = options;
  app.register(async (own) => {
    refuseWeakTokens(own);
    refuseOthers(own, services.store);
    speakToPartners(own);
    webhookRoutes(own, services, options, partners);
    verificationRoute(own, services, options);
    feedRoute(own, services, options);
  });
  reasonsRoute(app, partners);
  const types = eventTypes(catalogue);
  route('GET /events/catalogue', {
    operationId: 'listProfileEventTypes',
    summary: 'The events of your API, with schemas and examples',
    data: z.array(eventTypeView),
    handler: async (request) => {
      const service = serviceOf(callerOf(request).owner);
      return types().filter((type) => type.service === service);
    },
  });
  receiverRoute(app, options);
}
