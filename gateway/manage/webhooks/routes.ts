import type { App, Services } from '../../http/api.ts';
import type { EndpointRules } from '../../webhooks/endpoints/endpoints.ts';
import { deliveryRoutes } from './deliveries.ts';
import { diagnosisRoutes } from './diagnose.ts';
import { endpointRoutes } from './endpoints.ts';
import { eventRoutes } from './events.ts';
import { ledgerRoute } from './ledger.ts';
import { noticeRoutes } from './notices.ts';
import { recoveryRoutes } from './recoveries.ts';
import { secretRoutes } from './secrets.ts';

export interface WebhookRoutesOptions extends EndpointRules {
  /** The name of the documented signature header. Default `X-SERVICE-Signature`. */
  signatureHeader: string;
  /** The address of the page that shows a trace, with `{trace_id}` for its id. */
  tracePage?: string | undefined;
}

/** Webhooks: endpoints, events, deliveries, recoveries, notices and the ledger. */
export function webhookRoutes(app: App, services: Services, options: WebhookRoutesOptions): void {
  endpointRoutes(app, services, options);
  secretRoutes(app, services, options);
  eventRoutes(app, services, options);
  deliveryRoutes(app, services, options);
  diagnosisRoutes(app, services, options);
  ledgerRoute(app, services);
  recoveryRoutes(app, services, options);
  noticeRoutes(app, services);
}
