import type { Outcome } from './outcome.ts';

/** Who counts deliveries, such as the metrics. */
export interface DeliveryListener {
  /** After each attempt that was recorded. */
  attempted(attempt: { outcome: Outcome | string; durationMs: number }): void;
  /** When deliveries come to an end; those still pending are not told. */
  ended(status: 'delivered' | 'failed' | 'skipped', count: number): void;
}

export const nobodyListens: DeliveryListener = { attempted() {}, ended() {} };
