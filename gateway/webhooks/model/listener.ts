/** A recorded attempt and the state of its delivery after it. */
export interface AttemptReport {
  deliveryId: string;
  attemptId: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  url: string;
  /** The attempt's number, from 1. */
  attempt: number;
  /** `success` or a class of failure, as in `reasons.ts`. */
  outcome: string;
  /** Null if no response came. */
  responseStatus: number | null;
  durationMs: number;
  /** True if an operator asked for the attempt. */
  manual: boolean;
  /** The delivery's status after the attempt. */
  status: string;
  /** Milliseconds since 1970; null if no attempt follows. */
  nextAttemptAt: number | null;
  error: string | null;
}

/** Observes deliveries, for example to count them. */
export interface DeliveryListener {
  /** Called after an attempt was recorded. */
  attempted(attempt: AttemptReport): void;
  /** Called when `count` deliveries reached a final status. */
  ended(status: 'delivered' | 'failed' | 'skipped', count: number): void;
  /**
   * Called when the first attempt of a delivery has begun, and when its event was received, with the milliseconds since the event.
   * Not called for tests and for attempts that somebody has asked for.
   */
  reached(stage: 'first_attempt' | 'receipt', sinceEventMs: number): void;
}

export const nobodyListens: DeliveryListener = { attempted() {}, ended() {}, reached() {} };
