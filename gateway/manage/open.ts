import type { Api, App, BackOffice, LimitRule, Services } from '../http/api.ts';
import type { CallRecords } from '../http/record/recorder.ts';
import type { EndpointRules } from '../webhooks/endpoints/endpoints.ts';
import { type AlertRoutesOptions, alertRoutes } from './alerts/routes.ts';
import { type ManageOptions, manageApi } from './api.ts';
import { auditRoutes } from './audit/routes.ts';
import { changedByCalls } from './audit/trail.ts';
import { callRoutes } from './calls/routes.ts';
import { type FigureParts, figureRoutes } from './figures/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { operatorSessionRoutes } from './operators/session-routes.ts';
import { keepOwnerNames } from './owner-names.ts';
import { partnerRoutes } from './partner-routes.ts';
import { processRoutes } from './processes/routes.ts';
import { profileLinkRoutes } from './profile-links/routes.ts';
import { creationRoute } from './webhooks/endpoints.ts';
import { type WebhookRoutesOptions, webhookRoutes } from './webhooks/routes.ts';

export interface ManageParts extends Omit<ManageOptions, 'routes'>, Pick<FigureParts, 'depth' | 'inFlight'> {
  records: CallRecords;
  webhooks: WebhookRoutesOptions;
  alerts: AlertRoutesOptions;
  /** Adds up the figures, if they are kept. */
  tallier?: { flush(): Promise<void> } | undefined;
  /** False if no other process writes to the store: names of owners are then read once. The default is true. */
  isStoreShared?: boolean;
  /** The differences that the audit found. */
  ledger: ReturnType<FigureParts['ledger']>;
  /** Given if the gateway serves profiles: its address in links to them. Default: that of the request. */
  profileLinks?: { publicUrl: string | undefined };
  /** The limits whose use is shown. */
  limits: readonly LimitRule[];
  /** The back-office routes of each API that is served. */
  backOffices: readonly BackOffice[];
}

export function openManage(given: Services, parts: ManageParts): Api {
  const services = changedByCalls(given);
  const {
    webhooks,
    alerts,
    depth,
    inFlight,
    records,
    tallier,
    ledger,
    limits,
    backOffices,
    profileLinks,
    isStoreShared,
    ...options
  } = parts;
  keepOwnerNames(services, isStoreShared ?? true);
  const figures: FigureParts = {
    depth,
    inFlight,
    recorder: () => records.state,
    async upToDate() {
      await records.flush();
      await tallier?.flush();
    },
    ledger: () => ledger,
    clock: services.clock,
    windowsMs: new Map(limits.map(({ name, windowMs }) => [name, windowMs])),
  };
  const routes: ManageOptions['routes'] = [
    operatorSessionRoutes,
    (app) => operatorRoutes(app, services),
    (app) => partnerRoutes(app, services),
    ...(profileLinks ? [(app: App) => profileLinkRoutes(app, services, profileLinks.publicUrl)] : []),
    (app) => callRoutes(app, services, records),
    ...backOffices.map((backOffice) => (app: App) => backOffice(app, services)),
    (app) => auditRoutes(app, services),
    (app) => webhookRoutes(app, services, webhooks),
    (app) => figureRoutes(app, services, figures),
    (app) => processRoutes(app, services),
    (app) => alertRoutes(app, services, alerts),
  ];
  return manageApi(services, { ...options, routes });
}

export interface BackOfficeParts extends Omit<ManageOptions, 'routes'> {
  backOffices: readonly BackOffice[];
  endpoints: EndpointRules;
}

/** The part of the manage API that a program needs to set up data: the back offices, and new endpoints. */
export function openBackOffice(given: Services, { backOffices, endpoints, ...options }: BackOfficeParts): Api {
  const services = changedByCalls(given);
  const offices = backOffices.map((backOffice) => (app: App) => backOffice(app, services));
  return manageApi(services, { ...options, routes: [...offices, (app) => creationRoute(app, services, endpoints)] });
}
