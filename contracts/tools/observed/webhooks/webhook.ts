import type { ServiceName } from '../../../documents/services.ts';
import { eventsOf } from '../../../openapi/operations.ts';
import { fieldsOf, isRecord, type Json } from '../../json.ts';
import { isText } from '../call.ts';

/** What the partner's receiver answered. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
}

/** One attempt to deliver a webhook, as recognisers get it. It is kept in memory only. */
export interface SeenWebhook {
  /** When it arrived, and when the receiver's answer ended. */
  at: Date;
  endedAt: Date;
  /** Names are in lower case. */
  headers: Record<string, string>;
  body: unknown;
  /** Undefined if the receiver gave none, or none in time. */
  answer?: Answer;
  /** The service closed the connection before the receiver had answered. */
  isGivenUp: boolean;
  /** The key of the signature; `another`: not the secret that was given. */
  keyedWith?: 'secret' | 'decoded-bytes' | 'another' | undefined;
}

/** The documented event that a webhook is about, wherever it is named. */
export function eventOf(api: ServiceName, { headers, body }: Pick<SeenWebhook, 'headers' | 'body'>): string | undefined {
  const known = Object.keys(eventsOf(api));
  return [...Object.values(fieldsOf(body)), ...Object.values(headers)].find(
    (value): value is string => isText(value) && known.includes(value),
  );
}

const ofEnvelope = ['delivered_at', 'created_at'];

/** What a webhook says of its event, under `data` or beside the event's name. */
export function payloadOf({ body }: Pick<SeenWebhook, 'body'>, event: string): Json {
  const fields = fieldsOf(body);
  if (isRecord(fields.data)) return fields.data;
  const isNamed = Object.values(fields).includes(event);
  // A bare record has fields of these names for itself.
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== event && !(isNamed && ofEnvelope.includes(name))),
  );
}

export const isAccepted = ({ answer, isGivenUp }: SeenWebhook): boolean =>
  !isGivenUp && answer !== undefined && answer.status >= 200 && answer.status < 300;

/** Events that happen once to a record, so that two webhooks of the same content are two attempts. */
const once = ['sale.completed', 'payment.received', 'intervention.validated', 'intervention.terminated', 'plan.closed'];

/** Each webhook is compared with many. */
const identities = new WeakMap<SeenWebhook, string | undefined>();

/** What all attempts to deliver one event have in common. Undefined if nothing tells two events apart. */
export function identityOf(api: ServiceName, webhook: SeenWebhook): string | undefined {
  if (!identities.has(webhook)) identities.set(webhook, identify(api, webhook));
  return identities.get(webhook);
}

/** The id of its event, as the service gives it. Without one, two events of the same content look like attempts. */
export function idOf({ headers, body }: Pick<SeenWebhook, 'headers' | 'body'>): string | undefined {
  const id = headers['webhook-id'] ?? fieldsOf(body).event_id;
  return isText(id) ? id : undefined;
}

function identify(api: ServiceName, webhook: SeenWebhook): string | undefined {
  const event = eventOf(api, webhook);
  const id = idOf(webhook);
  if (id !== undefined) return id;
  return event !== undefined && once.includes(event) ? JSON.stringify([event, payloadOf(webhook, event)]) : undefined;
}
