import type { App, Services } from '../http/api.ts';
import { financingRoutes } from './cohesion/financings.ts';
import { indicatorRoutes } from './cohesion/indicators.ts';
import { interventionRoutes } from './cohesion/interventions.ts';
import { planRoutes } from './cohesion/plans.ts';
import { reportRoutes } from './cohesion/reports.ts';
import { structureRoutes } from './cohesion/structures.ts';
import { tokenRoutes } from './cohesion/tokens.ts';
import { userRoutes } from './cohesion/users.ts';

/** What the social-cohesion document has no endpoint for: its users and tokens, and the moves of its domain (gap cohesion.back-office). */
export function cohesionRoutes(app: App, services: Services): void {
  const parts = [
    userRoutes,
    tokenRoutes,
    structureRoutes,
    interventionRoutes,
    indicatorRoutes,
    financingRoutes,
    planRoutes,
    reportRoutes,
  ];
  for (const part of parts) part(app, services);
}
