import type { App, Services } from '../../http/api.ts';
import { accountRoutes, apiKeyRoutes } from './accounts.ts';
import { stockRoutes, storeRoutes } from './stores.ts';

/** The back office of the point-of-sale API, for which the document has no operations (gap pos.back-office). */
export function posRoutes(app: App, services: Services): void {
  accountRoutes(app, services);
  apiKeyRoutes(app, services);
  storeRoutes(app, services);
  stockRoutes(app, services);
}
