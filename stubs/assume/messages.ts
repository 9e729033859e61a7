import { createHmac } from 'node:crypto';
import type { JsonMessage } from '../../contracts/tools/assumptions/alternative.ts';
import { jsonOr } from '../../contracts/tools/json.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { BodyAt, Dress } from '../../gateway/webhooks/delivery/send.ts';
import type { Assumptions } from './assumptions.ts';
import { type EventFacts, withFacts } from './event-facts.ts';
import type { Live } from './types.ts';

const messageOf = ({ type, body }: Pick<Row<'events'>, 'type' | 'body'>, metadata: Record<string, unknown>): JsonMessage => ({
  event: type,
  metadata,
  body: jsonOr(body, body),
});

/** Returns the body of an event under the active alternatives. `facts`: what they have read for it. */
export function wordEvent(live: Live, event: Pick<Row<'events'>, 'type' | 'body' | 'caused_by'>, facts?: EventFacts): string {
  const before = messageOf(event, { caused_by: event.caused_by, ...withFacts(facts) });
  const after = live.message(before);
  if (live.harmless) return live.harmless.text(after.body);
  return after.body === before.body ? event.body : JSON.stringify(after.body);
}

/** Stands for a token of the endpoint where an alternative sends one. */
const tokenPlace = '<SIGNING_SECRET>';

/**
 * The token that a receiver compares in place of a signature. Attempts are recorded with their headers, so it is not the signing
 * secret, and the secret cannot be computed from it.
 */
export const webhookToken = (secret: string): string => createHmac('sha256', secret).update('X-Webhook-Token').digest('hex');

/** Gives an attempt the headers of the active alternatives. Its body was fixed, and changed, when the event was stored. */
export const dressed =
  (assumptions: Assumptions, signatureHeader: string, isOfApi: (type: string) => boolean): Dress =>
  (headers, event, secret) => {
    const { live } = assumptions;
    if (live === undefined || !isOfApi(event.type)) return headers;
    const signed = live.isActive('cohesion.webhook-secret=decoded-bytes')
      ? { ...headers, [signatureHeader]: signedWithBytes(secret, event.body) }
      : headers;
    const { metadata } = live.message(messageOf(event, signed));
    const sent = Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, value === tokenPlace ? webhookToken(secret) : String(value)]),
    );
    return live.harmless?.headers(sent) ?? sent;
  };

/** Gives the body of an attempt its time, where `delivered_at` is that of the attempt. */
export const datedBody =
  (assumptions: Assumptions, isOfApi: (type: string) => boolean): BodyAt =>
  ({ type, body }, atMs) => {
    if (!assumptions.live || !isOfApi(type) || !assumptions.live.isActive('cohesion.delivered-at=attempt')) return body;
    const time = new Date(atMs).toISOString().replace(/\.\d+Z$/, '+00:00');
    // As text, so that nothing else of the body changes.
    return body.replace(/("delivered_at": *")[^"]*(?=")/i, (_, before: string) => `${before}${time}`);
  };

const signedWithBytes = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(body)
    .digest('hex')}`;
