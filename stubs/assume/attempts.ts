import type { AttemptHooks } from '../../gateway/webhooks/model/attempt-hooks.ts';
import type { Assumptions } from './assumptions.ts';
import { bodyOf, headersOf, withDeliveredAt } from './messages.ts';

/** Seconds before each attempt, the first included, under alternatives that retry otherwise. "Within minutes" is one a minute. */
const schedules: Readonly<Record<string, readonly number[]>> = {
  'pos.webhook-retries=none': [0],
  'pos.webhook-retries=few': [0, 60, 60, 60],
  'cohesion.webhook-retries=none': [0],
  'cohesion.webhook-retries=three': [0, 60, 60, 60],
};

/** How long an attempt may take, in milliseconds, under alternatives that wait longer or less. */
const deadlines: Readonly<Record<string, number>> = {
  'cohesion.webhook-timeouts=5-s': 5000,
  'cohesion.webhook-timeouts=30-s': 30_000,
};

const activeOf = <T>(choices: Readonly<Record<string, T>>, { live }: Assumptions): T | undefined =>
  live && Object.entries(choices).find(([one]) => live.isActive(one))?.[1];

/** What the active alternatives make of the API's events, and of attempts to deliver them. */
export const assumedAttempts = (
  assumptions: Assumptions,
  { isOfApi, signatureHeader }: { isOfApi(type: string): boolean; signatureHeader: string },
): AttemptHooks => ({
  eventBody(event, tx) {
    const { live, webhooks } = assumptions;
    if (live === undefined || !isOfApi(event.type)) return event.body;
    webhooks?.made(event);
    return bodyOf(live, event, tx);
  },
  jobs: (jobs, due) => assumptions.webhooks?.jobs(jobs, due),
  body: ({ type, body }, atMs) =>
    assumptions.live?.isActive('cohesion.delivered-at=attempt') && isOfApi(type) ? withDeliveredAt(body, atMs) : undefined,
  headers: (headers, event, secret) =>
    assumptions.live && isOfApi(event.type)
      ? headersOf(assumptions.live, event, { headers, secret, signatureHeader })
      : undefined,
  deadlineMs: () => activeOf(deadlines, assumptions),
  scheduleSeconds: () => activeOf(schedules, assumptions),
});
