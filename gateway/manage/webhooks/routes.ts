import type { App, Services } from '../../http/api.ts';
import type { EndpointRules } from '../../webhooks/endpoints/endpoints.ts';
import { type Audience, operators } from '../audience.ts';
import { deliveryRoutes } from './deliveries.ts';
import { diagnosisRoute, reasonsRoute } from './diagnose.ts';
import { endpointRoutes } from './endpoints.ts';
import { eventRoutes } from './events.ts';
import { ledgerRoute } from './ledger.ts';
import { noticeRoutes } from './notices.ts';
import { recoveryRoutes } from './recoveries.ts';
import { secretRoutes } from './secrets.ts';

export interface WebhookRoutesOptions extends EndpointRules {
  /** The name of the documented signature header. Default `X-SERVICE-Signature`. */
  signatureHeader: string;
}

type AddRoutes = (app: App, services: Services, options: WebhookRoutesOptions, audience: Audience) => void;

/** The routes of webhooks by who has them. Partners have those of `both` for their own endpoints. */
const table: readonly [who: 'both' | 'operators', add: AddRoutes][] = [
  ['both', endpointRoutes],
  ['both', secretRoutes],
  ['operators', eventRoutes],
  ['both', deliveryRoutes],
  ['both', diagnosisRoute],
  ['operators', (app) => reasonsRoute(app)],
  ['operators', ledgerRoute],
  ['both', recoveryRoutes],
  ['operators', noticeRoutes],
];

/** Webhooks: endpoints, events, deliveries, recoveries, notices and the ledger. */
export function webhookRoutes(app: App, services: Services, options: WebhookRoutesOptions, audience: Audience = operators): void {
  for (const [who, add] of table) if (who === 'both' || !audience.own) add(app, services, options, audience);
}
