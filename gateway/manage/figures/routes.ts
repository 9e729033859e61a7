import { z } from 'zod';
import { readEndpointFigures } from '../../figures/endpoints.ts';
import { readLimits } from '../../figures/limits.ts';
import { type OverviewParts, readOverview } from '../../figures/overview.ts';
import { pointsOf } from '../../figures/periods.ts';
import type { App, Services } from '../../http/api.ts';
import { routesOf } from '../../http/routes.ts';
import { StoreTooSlow } from '../../store/port.ts';
import { ownersOf } from '../partners.ts';
import { endpointIds } from '../webhooks/views.ts';
import { callerLimitsView, endpointFiguresView, overviewView, periodField, periodView } from './shapes.ts';
import { viewCallerLimits, viewEndpointFigures, viewOverview, viewPeriod } from './views.ts';

const tags = ['Figures'];

const near = z
  .enum(['true', 'false'])
  .default('false')
  .describe('`true`: only callers that were refused, or used 80 % of a limit or more.');

const limit = z.coerce.number().int().min(1).max(200).default(50).describe('Maximum number of callers, 1 to 200.');

/** State of this process that the figures need, and the known limits. */
export type FigureParts = OverviewParts & {
  /** Stores pending counts, so that the figures include everything before this call. */
  upToDate(): Promise<void>;
  /** The window of each known limit, in milliseconds. */
  windowsMs: ReadonlyMap<string, number>;
};

/** Figures over time come from tallies (`figures/tally.ts`), so that no route scans recorded calls or attempts. */
export function figureRoutes(app: App, services: Services, parts: FigureParts): void {
  const route = routesOf(app, tags);
  const { store, clock } = services;

  route('GET /overview', {
    operationId: 'readOverview',
    summary: 'Overview: calls, attempts, deliveries, endpoints, limits and the ledger',
    querystring: z.strictObject({ period: periodField() }),
    data: overviewView,
    handler: async ({ query }) => {
      const read = async () => {
        await parts.upToDate();
        const overview = await readOverview(store, pointsOf(query.period, clock.now()), parts);
        const inTrouble = overview.endpoints.inTrouble.map(({ trouble }) => trouble.endpoint.owner);
        return viewOverview(overview, await ownersOf(store, inTrouble));
      };
      return withinDeadline(read());
    },
  });

  route('GET /endpoints/figures', {
    operationId: 'readEndpointFigures',
    summary: 'Attempts and deliveries of some endpoints over a period, in the order of the ids given',
    description: 'An unknown id gets zeros.',
    querystring: z.strictObject({ period: periodField(), ids: endpointIds }),
    reply: z.object({ data: z.array(endpointFiguresView), period: periodView }),
    handler: async ({ query }) => {
      await parts.upToDate();
      const points = pointsOf(query.period, clock.now());
      const data = await readEndpointFigures(store, { ids: query.ids, points, inFlight: parts.inFlight });
      return { data: data.map(viewEndpointFigures), period: viewPeriod(points) };
    },
  });
  limitsRoute(app, services, parts);
}

function limitsRoute(app: App, { store, clock }: Services, parts: FigureParts): void {
  const route = routesOf(app, tags);
  route('GET /limits', {
    operationId: 'listLimits',
    summary: 'Accounts and tokens with their calls and limits in a period, most refused first',
    querystring: z.strictObject({ period: periodField(), near, limit }),
    reply: z.object({
      data: z.array(callerLimitsView),
      period: periodView,
      truncated: z.boolean().describe('True if there are more than `limit`.'),
    }),
    handler: async ({ query }) => {
      await parts.upToDate();
      const points = pointsOf(query.period, clock.now());
      const input = { points, onlyNear: query.near === 'true', limit: query.limit, windowsMs: parts.windowsMs };
      const { data, truncated } = await readLimits(store, input);
      return { data: data.map(viewCallerLimits), period: viewPeriod(points), truncated };
    },
  });
}

/** A store that hangs must not keep the operator from knowing it. */
const answerWithinMs = 8000;

async function withinDeadline<R>(reading: Promise<R>): Promise<R> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const tooSlow = new StoreTooSlow(`The query took longer than ${answerWithinMs / 1000} s.`);
  const timer = setTimeout(() => reject(tooSlow), answerWithinMs);
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
