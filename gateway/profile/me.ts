import { z } from 'zod';
import { plans } from '../../spec/documents/plans.ts';
import { type CallerLimits, readLimits } from '../figures/limits.ts';
import { pointsOf } from '../figures/periods.ts';
import type { App, LimitRule } from '../http/api.ts';
import { toInstant } from '../http/fields.ts';
import { routesOf } from '../http/routes.ts';
import { callerLimitsView, periodField, periodView } from '../manage/figures/shapes.ts';
import { viewCallerLimits, viewPeriod } from '../manage/figures/views.ts';
import type { Rows } from '../store/port.ts';
import { abilityNames, userRoles } from '../store/tables/cohesion.ts';
import { partsOf } from '../webhooks/outbox/owners.ts';
import { callersOf } from './audience.ts';
import { callerOf, type ProfileCaller } from './caller.ts';
import type { ProfileServices } from './services.ts';
import { partnerView, viewPartner } from './session-routes.ts';

const tags = ['Profile'];
const ids = z.array(z.int()).nullable();

const account = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(plans),
  store_ids: z.array(z.string()).nullable().describe('The stores that the account may use; null means all.'),
});

const user = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role: z.enum(userRoles),
  structure_ids: ids.describe('The perimeter: the structures that your tokens may write for; null means all.'),
});

const me = partnerView.extend({
  account: account.nullable().describe('Null for a user.'),
  user: user.nullable().describe('Null for an account.'),
  token: z
    .object({ id: z.int(), name: z.string(), abilities: z.array(z.enum(abilityNames)), structure_ids: ids })
    .nullable()
    .describe('The token that you came with: what you create may do no more than it. Null for a key or a link.'),
});

const day = z.object({ day: z.string().describe('A day in UTC, YYYY-MM-DD.'), calls: z.int(), refused: z.int() });

const use = z.object({
  callers: z.array(callerLimitsView).describe('Your account, or each of your tokens.'),
  days: z.array(day).describe('The last seven days and today, oldest first. `refused`: by a limit (429).'),
  plan_limit: z
    .object({ calls: z.int().nullable().describe('Null: unlimited.'), window_seconds: z.int() })
    .nullable()
    .describe("The limit of the account's plan; null for users."),
});

export interface MeParts {
  /** Stores pending counts, so that the figures include everything before this call. */
  upToDate(): Promise<void>;
  /** The limits whose use is shown. */
  limits: readonly LimitRule[];
}

/** Who the caller is, and how much of the limits is used. */
export function meRoutes(app: App, services: ProfileServices, { upToDate, limits }: MeParts): void {
  const route = routesOf(app, tags);
  const { store, clock } = services;
  const windowsMs = new Map(limits.map(({ name, windowMs }) => [name, windowMs]));
  route('GET /me', {
    operationId: 'readProfile',
    summary: 'Who you are: account and plan, or user, role and perimeter',
    data: me,
    handler: async (request) => {
      const caller = callerOf(request);
      return { ...viewPartner(caller), ...(await ownerView(store, caller)), token: tokenView(caller) };
    },
  });
  route('GET /use', {
    operationId: 'readProfileUse',
    summary: 'Your limits: use now, use by day, and refusals',
    querystring: z.strictObject({ period: periodField() }),
    reply: z.object({ data: use, period: periodView }),
    handler: async (request) => {
      await upToDate();
      const caller = callerOf(request);
      const callers = await callersOf(store, caller);
      const read = (name: 'hour' | 'day' | 'week') =>
        readLimits(store, { points: pointsOf(name, clock.now()), callers, onlyNear: false, limit: callers.length, windowsMs });
      const [chosen, week] = await Promise.all([read(request.query.period), read('week')]);
      const planRule = limits.find(({ name }) => name === 'plan');
      const { account: found } = await ownerView(store, caller);
      const plan_limit =
        found && planRule ? { calls: planCalls(planRule, found.plan), window_seconds: planRule.windowMs / 1000 } : null;
      return {
        data: { callers: chosen.data.map(viewCallerLimits), days: daysOf(week.data), plan_limit },
        period: viewPeriod(pointsOf(request.query.period, clock.now())),
      };
    },
  });
}

const planCalls = ({ max }: LimitRule, plan: string): number | null => (typeof max === 'number' ? max : (max[plan] ?? null));

async function ownerView(rows: Rows, { owner }: ProfileCaller) {
  const { kind, id } = partsOf(owner);
  if (kind === 'account') {
    const found = await rows.get('accounts', { id });
    const view = found && { id: found.id, name: found.name, plan: found.plan, store_ids: found.store_ids };
    return { account: view ?? null, user: null };
  }
  const found = await rows.get('users', { id: Number(id) });
  const view = found && {
    id: found.id,
    name: found.name,
    email: found.email,
    role: found.role,
    structure_ids: found.structure_ids,
  };
  return { account: null, user: view ?? null };
}

const tokenView = ({ token }: ProfileCaller) =>
  token && { id: token.id, name: token.name, abilities: token.abilities, structure_ids: token.structure_ids };

function daysOf(callers: readonly CallerLimits[]): z.input<typeof day>[] {
  const points = callers.flatMap(({ series }) => series);
  const byDay = Map.groupBy(points, ({ at }) => toInstant(at).slice(0, 10));
  return [...byDay].sort().map(([name, found]) => ({
    day: name,
    calls: found.reduce((sum, { calls }) => sum + calls, 0),
    refused: found.reduce((sum, { refused }) => sum + refused, 0),
  }));
}
