import { createHmac } from 'node:crypto';
import type { JsonMessage } from '../../contracts/gaps/is/is.ts';
import { jsonOr } from '../../contracts/json.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { AttemptHooks } from '../../gateway/webhooks/model/attempt-hooks.ts';
import type { Assumptions } from './assumptions.ts';
import type { Live } from './live.ts';

type Event = Pick<Row<'events'>, 'type' | 'body'>;

const messageOf = ({ type, body }: Event, metadata: Record<string, unknown>): JsonMessage => ({
  event: type,
  metadata,
  body: jsonOr(body, body),
});

/** Returns the body of a new event under the active alternatives. */
export function bodyOf(live: Live, event: Event): string {
  const before = messageOf(event, {});
  const { body } = live.message(before);
  if (live.harmless) return live.harmless.text(body);
  return body === before.body ? event.body : JSON.stringify(body);
}

/**
 * The token that a receiver compares in place of a signature. Attempts are recorded with their headers, so it is not the signing
 * secret, and the secret cannot be computed from it.
 */
const webhookToken = (secret: string): string => createHmac('sha256', secret).update('X-Webhook-Token').digest('hex');

/** Returns the headers of an attempt under the active alternatives. Its body was fixed, and changed, when the event was stored. */
export function headersOf(
  live: Live,
  event: Event,
  { headers, secret, signatureHeader }: { headers: Record<string, string>; secret: string; signatureHeader: string },
): Record<string, string> {
  const signature = live.webhooks.signature?.(secret, event.body);
  const signed = signature === undefined ? headers : { ...headers, [signatureHeader]: signature };
  const { metadata } = live.message({ ...messageOf(event, signed), token: webhookToken(secret) });
  const sent = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
  return live.harmless?.headers(sent) ?? sent;
}

/** What the active alternatives make of the API's events, and of attempts to deliver them. */
export const assumedAttempts = (
  assumptions: Assumptions,
  { isOfApi, signatureHeader }: { isOfApi(type: string): boolean; signatureHeader: string },
): AttemptHooks => ({
  eventBody(event) {
    const { live, changedWebhooks } = assumptions;
    if (live === undefined || !isOfApi(event.type)) return event.body;
    changedWebhooks?.made(event);
    return bodyOf(live, event);
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
