import type { Api, App, Services } from '../http/api.ts';
import { type ManageOptions, manageApi } from './api.ts';
import { type FigureParts, figureRoutes } from './figures/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export interface ManageParts extends Omit<ManageOptions, 'parts'> {
  webhooks: Parameters<typeof webhookRoutes>[2];
  figures: FigureParts;
  /** The routes of each API that is served. */
  backOffices: readonly ((app: App) => void)[];
}

/** The manage API with all its parts. */
export function openManage(services: Services, { webhooks, figures, backOffices, ...options }: ManageParts): Api {
  const parts = [
    ...backOffices,
    (app: App) => webhookRoutes(app, services, webhooks),
    (app: App) => figureRoutes(app, services, figures),
  ];
  return manageApi(services, { ...options, parts });
}
