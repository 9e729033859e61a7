import type { App, Services } from '../http/api.ts';
import type { EventDefinition } from '../webhooks/outbox.ts';
import { deliveryRoutes } from './webhooks/deliveries.ts';
import { diagnosisRoutes } from './webhooks/diagnose.ts';
import { endpointRoutes } from './webhooks/endpoints.ts';
import { eventRoutes } from './webhooks/events.ts';
import { ledgerRoute } from './webhooks/ledger.ts';
import { noticeRoutes } from './webhooks/notices.ts';
import { recoveryRoutes } from './webhooks/recoveries.ts';

export interface WebhookRoutesOptions {
  /** Every event of both services. */
  catalogue: readonly EventDefinition[];
  /** Whether endpoints on this machine are taken, for development. */
  allowLoopback: boolean;
  /** The name of X-SERVICE-Signature. */
  signatureHeader: string;
}

/** What the operator does with webhooks: endpoints, events, deliveries, recoveries, notices and the ledger. */
export function webhookRoutes(app: App, services: Services, options: WebhookRoutesOptions): void {
  endpointRoutes(app, services, options);
  eventRoutes(app, services, options.catalogue);
  deliveryRoutes(app, services);
  diagnosisRoutes(app, services, options);
  ledgerRoute(app, services);
  recoveryRoutes(app, services);
  noticeRoutes(app, services);
}
