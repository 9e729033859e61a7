import type { App, Services } from '../../http/api.ts';
import { financingRoutes } from './financings.ts';
import { indicatorRoutes } from './indicators.ts';
import { interventionRoutes } from './interventions.ts';
import { planRoutes } from './plans.ts';
import { reportRoutes } from './reports.ts';
import { structureRoutes } from './structures.ts';
import { tokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';

/** The back office of the social-cohesion API: users, tokens and state changes without an operation in the document (gap cohesion.back-office). */
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
