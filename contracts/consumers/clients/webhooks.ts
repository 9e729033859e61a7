/** A webhook as it comes. */
export interface Delivery {
  signature: string;
  /** The raw body: what the signature is over. */
  body: string;
}

/** What every event has. */
export interface WebhookEvent {
  event: string;
}

export interface InterventionValidated extends WebhookEvent {
  event: 'intervention.validated';
  delivered_at: string;
  data: {
    intervention_id: number;
    reference: string;
    intitule: string;
    structure_id: number;
    region: string;
    validated_by: { id: number; name: string };
  };
}

export type Handlers = Record<string, (event: WebhookEvent) => void>;

const signed = /^sha256=[0-9a-fA-F]{64}$/;

/**
 * Hands an event to its handler, and says which it was. The signature is looked at for its form only: that it is genuine
 * is shown in `receivers/verify-signature.ts` and its tests, and a pact's example cannot be.
 */
export function receive({ signature, body }: Delivery, handlers: Handlers): string {
  if (!signed.test(signature)) throw new Error('The signature is not sha256= and 64 hexadecimal digits.');
  const event = JSON.parse(body) as WebhookEvent;
  const handler = handlers[event.event];
  if (handler === undefined) throw new Error(`Nothing handles ${event.event}.`);
  handler(event);
  return event.event;
}

export const isValidation = (event: WebhookEvent): event is InterventionValidated => event.event === 'intervention.validated';
