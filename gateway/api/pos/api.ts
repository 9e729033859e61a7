import { callsPerMinute, planLimits } from '../../../spec/documents/plans.ts';
import type { Api, LimitRule, Services } from '../../http/api.ts';
import { confirmedAtOnce, type MobileMoney } from './domain/mobile-money.ts';
import { errorBody, statusOfRefusal } from './errors.ts';
import { posEvents } from './events.ts';
import { posGaps } from './gaps.ts';
import { cachedAccounts, callerOf, identify } from './identity.ts';
import { posRoutes } from './routes.ts';

/** Counts all calls of an account together (gap pos.plan-scope). */
const planLimit: LimitRule = {
  name: 'plan',
  windowMs: 60_000,
  max: callsPerMinute,
  kindOf: (request) => callerOf(request).account.plan,
  per: 'account',
  key: (request) => callerOf(request).id,
};

/** The Point-of-Sale Integration API (`spec/point-of-sale.md`). */
export function posApi(services: Services, mobileMoney: MobileMoney = confirmedAtOnce): Api {
  const accounts = cachedAccounts(services);
  return {
    name: 'pos',
    document: {
      title: 'Point-of-Sale Integration API',
      version: '1.0',
      description:
        'Sell, read the inventory of a store, take mobile-money payments and read sales reports. Obtain a token first (`POST /api/auth`) and send it as ' +
        '`Authorization: Bearer`. Amounts are decimal numbers in the currency of the store. ' +
        `Calls a minute, by plan: ${planLimits()}.`,
    },
    events: posEvents,
    gaps: posGaps,
    // `request.server` is the scope of the route, where @fastify/jwt is registered.
    identify: (request) => identify(request, request.server.jwt, services.clock, accounts),
    limits: [planLimit],
    status: statusOfRefusal,
    errorBody,
    routes: (app) => posRoutes(app, services, mobileMoney),
  };
}
