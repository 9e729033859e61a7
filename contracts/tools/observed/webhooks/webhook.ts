import type { ServiceName } from '../../../../spec/documents/services.ts';
import { fieldsOf, isRecord, type Json } from '../../../../spec/json.ts';
import { eventsOf } from '../../../../spec/openapi/operations.ts';
import { isText } from '../call.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
}

/** One attempt to deliver a webhook. It is kept in memory only. */
export interface Received {
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

/** A webhook as recognisers get it. */
export interface SeenWebhook extends Received {
  /** The documented event that it is about, wherever it is named. */
  event: string | undefined;
  /** What it says of its event, under `data` or beside the event's name. */
  payload: Json;
  /** The id of its event, as the service gives it. Without one, two events of the same content look like attempts. */
  id: string | undefined;
  /** What all attempts to deliver one event have in common. Undefined if nothing tells two events apart. */
  identity: string | undefined;
}

/** Events that happen only once to a record. So two webhooks with the same content are two attempts of one event. */
const once = ['sale.completed', 'payment.received', 'intervention.validated', 'intervention.terminated', 'plan.closed'];

export function seenWebhook(api: ServiceName, received: Received): SeenWebhook {
  const { headers, body } = received;
  const known = Object.keys(eventsOf(api));
  const texts = [...Object.values(fieldsOf(body)), ...Object.values(headers)].filter(isText);
  const event = texts.find((value) => known.includes(value));
  const payload = payloadIn(body, event);
  const given = headers['webhook-id'] ?? fieldsOf(body).event_id;
  const id = isText(given) ? given : undefined;
  const content = event !== undefined && once.includes(event) ? JSON.stringify([event, payload]) : undefined;
  return { ...received, event, payload, id, identity: id ?? content };
}

const ofEnvelope = ['delivered_at', 'created_at'];

export function payloadIn(body: unknown, event: string | undefined): Json {
  const fields = fieldsOf(body);
  if (isRecord(fields.data)) return fields.data;
  const isNamed = Object.values(fields).includes(event);
  // If the record is bare, fields with these names belong to the record.
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== event && !(isNamed && ofEnvelope.includes(name))),
  );
}

export const isAccepted = ({ answer, isGivenUp }: SeenWebhook): boolean =>
  !isGivenUp && answer !== undefined && answer.status >= 200 && answer.status < 300;
