import type { Api, App, BackOffice, LimitRule, Services } from '../http/api.ts';
import { type AlertRoutesOptions, alertRoutes } from './alerts/routes.ts';
import { type ManageOptions, manageApi } from './api.ts';
import { auditRoutes } from './audit/routes.ts';
import { changedByCalls } from './audit/trail.ts';
import { type FigureParts, figureRoutes } from './figures/routes.ts';
import { storyRoute } from './story/routes.ts';
import { type WebhookRoutesOptions, webhookRoutes } from './webhooks/routes.ts';

export interface ManageParts extends Omit<ManageOptions, 'parts'>, Pick<FigureParts, 'depth' | 'inFlight'> {
  webhooks: WebhookRoutesOptions;
  alerts: AlertRoutesOptions;
  /** Adds up the figures, if they are kept. */
  tallier?: { flush(): Promise<void> } | undefined;
  /** The differences that the audit found. */
  ledger: ReturnType<FigureParts['ledger']>;
  /** The limits whose use is shown. */
  limits: readonly LimitRule[];
  /** The back-office routes of each API that is served. */
  backOffices: readonly BackOffice[];
}

/** The manage API with all its routes. */
export function openManage(given: Services, parts: ManageParts): Api {
  const services = changedByCalls(given);
  const { webhooks, alerts, depth, inFlight, records, tallier, ledger, limits, backOffices, ...options } = parts;
  const figures: FigureParts = {
    depth,
    inFlight,
    recorder: () => records.state,
    async upToDate() {
      await records.flush();
      await tallier?.flush();
    },
    ledger: () => ledger,
    windowsMs: new Map(limits.map(({ name, windowMs }) => [name, windowMs])),
  };
  const routes = [
    ...backOffices.map((backOffice) => (app: App) => backOffice(app, services)),
    (app: App) => auditRoutes(app, services),
    (app: App) => storyRoute(app, services, records),
    (app: App) => webhookRoutes(app, services, webhooks),
    (app: App) => figureRoutes(app, services, figures),
    (app: App) => alertRoutes(app, services, alerts),
  ];
  return manageApi(services, { ...options, records, parts: routes });
}
