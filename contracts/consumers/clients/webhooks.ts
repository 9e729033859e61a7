/** A received webhook. */
export interface Delivery {
  signature: string;
  /** The raw body, which the signature covers. */
  body: string;
}

/** The fields of every event. */
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
 * Passes an event to its handler and returns its type. Checks only the form of the signature, because a pact's example
 * signature cannot be valid. `receivers/verify-signature.ts` verifies signatures.
 */
export function receive({ signature, body }: Delivery, handlers: Handlers): string {
  if (!signed.test(signature)) throw new Error('The signature must be sha256= followed by 64 hexadecimal digits.');
  const event = JSON.parse(body) as WebhookEvent;
  const handler = handlers[event.event];
  if (handler === undefined) throw new Error(`There is no handler for ${event.event}.`);
  handler(event);
  return event.event;
}

export const isValidation = (event: WebhookEvent): event is InterventionValidated => event.event === 'intervention.validated';
