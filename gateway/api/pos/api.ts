import type { FastifyRequest } from 'fastify';
import type { Api, LimitRule, Services } from '../../http/api.ts';
import type { Plan } from '../../store/tables/pos.ts';
import { callerOf } from './access.ts';
import { posEvents } from './events.ts';
import { accountsOf, identify } from './identity.ts';
import { posRoutes } from './routes.ts';

/** Calls a minute of each plan (document section 8); null is unlimited. */
const callsPerMinute: Record<Plan, number | null> = { free: 100, pro: 1000, enterprise: null };

/** All calls of an account together (gap pos.plan-scope). */
const planLimit: LimitRule = {
  name: 'plan',
  windowMs: 60_000,
  max: (request) => callsPerMinute[callerOf(request).account.plan],
  key: (request) => callerOf(request).id,
};

/** The Point-of-Sale Integration API (`spec/point-of-sale.md`). */
export function posApi(services: Services): Api {
  return {
    name: 'pos',
    document: {
      title: 'Point-of-Sale Integration API',
      version: '1.0',
      description:
        'Sell, read the inventory of a store, take mobile-money payments and read sales reports. Obtain a token first (`POST /api/auth`) and send it as ' +
        '`Authorization: Bearer`. Amounts are decimal numbers in the currency of the store. Limits: Free 100 calls a minute, Pro 1000, Enterprise unlimited.',
    },
    events: posEvents,
    // The scope that the route was made in has the signer and verifier.
    identify: (request: FastifyRequest) => identify(request, request.server.jwt, services),
    limits: [planLimit],
    // Only statuses that the document lists, and those of transport and limits (gap pos.error-conditions, gap pos.transport-statuses).
    status: {
      invalid: 400,
      unauthorized: 401,
      forbidden: 401,
      not_found: 404,
      conflict: 400,
      too_large: 413,
      media_type: 415,
      limited: 429,
      unavailable: 503,
      internal: 500,
    },
    errorBody: ({ code, message, details }) => ({ success: false, error: { code, message, details } }),
    routes: (app) => posRoutes(app, services),
    forget: () => accountsOf(services).forgetAll(),
  };
}
