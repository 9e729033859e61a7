import { createHmac } from 'node:crypto';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { AttemptHooks } from '../../gateway/webhooks/model/attempt-hooks.ts';
import { parsed } from '../../spec/openapi/asked.ts';
import type { Assumptions } from './assumptions.ts';
import type { Live } from './live.ts';

type Event = Pick<Row<'events'>, 'type' | 'body'>;

export function bodyOf(live: Live, event: Event): string {
  const before = parsed(event.body);
  const { body } = live.message({ event: event.type, metadata: {}, body: before });
  return body === before && !live.hasHarmless ? event.body : live.written(body);
}

/** Attempts are recorded with their headers, so this token is not the signing secret, which cannot be computed from it. */
const webhookToken = (secret: string): string => createHmac('sha256', secret).update('X-Webhook-Token').digest('hex');

/** Returns the headers of an attempt under the active alternatives. Its body was fixed, and changed, when the event was stored. */
export function headersOf(live: Live, event: Event, headers: Record<string, string>, secret: string): Record<string, string> {
  const { metadata } = live.message({
    event: event.type,
    metadata: headers,
    body: parsed(event.body),
    token: webhookToken(secret),
  });
  const sent = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
  return live.otherHeaders(sent);
}

/** Changes the API's events, and attempts to deliver them, as the active alternatives say. */
export const assumedAttempts = (assumptions: Assumptions, isOfApi: (type: string) => boolean): AttemptHooks => ({
  eventBody(event) {
    const { live, changedWebhooks } = assumptions;
    if (live === undefined || !isOfApi(event.type)) return event.body;
    changedWebhooks?.made(event);
    return bodyOf(live, event);
  },
  jobs: (jobs, due) => assumptions.changedWebhooks?.jobs(jobs, due),
  headers: (headers, event, secret) =>
    assumptions.live && isOfApi(event.type) ? headersOf(assumptions.live, event, headers, secret) : undefined,
});
