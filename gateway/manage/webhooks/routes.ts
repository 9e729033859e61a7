import type { App, Services } from '../../http/api.ts';
import type { EventDefinition } from '../../webhooks/outbox/outbox.ts';
import { deliveryRoutes } from './deliveries.ts';
import { diagnosisRoutes } from './diagnose.ts';
import { endpointRoutes } from './endpoints.ts';
import { eventRoutes } from './events.ts';
import { ledgerRoute } from './ledger.ts';
import { noticeRoutes } from './notices.ts';
import { recoveryRoutes } from './recoveries.ts';

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
