import type { viewAttempt, viewDelivery } from '../gateway/manage/webhooks/views.ts';

/** An endpoint that webhooks go to. */
export interface StubEndpoint {
  id: string;
  url: string;
  /** Event types; null for all. */
  events: string[] | null;
  /** What its deliveries are signed with. */
  secret: string;
}

/** A delivery as the manage API shows it, with the evidence of its attempts. */
export type StubDelivery = ReturnType<typeof viewDelivery> & {
  url: string | null;
  attempts_made: ReturnType<typeof viewAttempt>[];
};

export interface TriggerOptions {
  /** False sends anything: an event type that there is not, fields of no schema. */
  validate?: boolean;
  /** How often each delivery is made again, with the same `webhook-id`. */
  duplicates?: number;
}

export interface EventToSend {
  event: string;
  /** Merged into the catalogue's example. */
  data?: Record<string, unknown> | undefined;
}

export interface Triggered {
  /** The `webhook-id`. */
  id: string;
  event: string;
  /** As they are after their first attempts. */
  deliveries: StubDelivery[];
}
