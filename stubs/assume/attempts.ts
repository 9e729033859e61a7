import type { AttemptHooks } from '../../gateway/webhooks/model/attempt-hooks.ts';
import type { Assumptions } from './assumptions.ts';
import { bodyOf, headersOf } from './messages.ts';

/** What the active alternatives make of the API's events, and of attempts to deliver them. */
export const assumedAttempts = (
  assumptions: Assumptions,
  { isOfApi, signatureHeader }: { isOfApi(type: string): boolean; signatureHeader: string },
): AttemptHooks => ({
  eventBody(event, tx) {
    const { live, changedWebhooks } = assumptions;
    if (live === undefined || !isOfApi(event.type)) return event.body;
    changedWebhooks?.made(event);
    return bodyOf(live, event, tx);
  },
  jobs: (jobs, due) => assumptions.changedWebhooks?.jobs(jobs, due),
  body: ({ type, body }, atMs) => (isOfApi(type) ? assumptions.live?.webhooks.bodyAt?.(body, atMs) : undefined),
  headers: (headers, event, secret) =>
    assumptions.live && isOfApi(event.type)
      ? headersOf(assumptions.live, event, { headers, secret, signatureHeader })
      : undefined,
  deadlineMs: () => assumptions.live?.webhooks.deadlineMs,
  scheduleSeconds: () => assumptions.live?.webhooks.scheduleSeconds,
});
