/** An attempt that ended, and what it made of its delivery. */
export interface AttemptReport {
  deliveryId: string;
  attemptId: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  url: string;
  /** From 1. */
  attempt: number;
  outcome: string;
  responseStatus: number | null;
  durationMs: number;
  /** An operator asked for it. */
  manual: boolean;
  /** The delivery's after it. */
  status: string;
  /** Milliseconds since 1970; null where none follows. */
  nextAttemptAt: number | null;
  error: string | null;
}

/** Who counts deliveries, such as the metrics. */
export interface DeliveryListener {
  /** After each attempt that was recorded. */
  attempted(attempt: AttemptReport): void;
  /** When deliveries come to an end; those still pending are not told. */
  ended(status: 'delivered' | 'failed' | 'skipped', count: number): void;
}

export const nobodyListens: DeliveryListener = { attempted() {}, ended() {} };
