import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { type FailureWindow, type HealthEvidence, type HealthRules, healthAfter } from '../endpoints/health.ts';
import { noticeRow, storeNotices } from '../endpoints/notices.ts';
import { joinLane } from './wait-for-hold.ts';

export interface RecordHealthRules extends HealthRules {
  /** Delay before each attempt in seconds, including the first. */
  scheduleSeconds: readonly number[];
}

export interface RecordedHealth {
  /** True if it created events for the operator. */
  hasEvents: boolean;
  /** True if a hold began, went on or ended at an endpoint that is not ordered: its lane should be checked. */
  hasHoldChanged: boolean;
  /** The deliveries that wait in the lane now, because of the hold. */
  joined: string[];
}

/** Updates an endpoint's health, and stores notices of the change. */
export async function recordHealth(
  tx: Rows,
  endpoint: Row<'endpoints'>,
  unsorted: HealthEvidence[],
  window: FailureWindow,
  rules: RecordHealthRules,
): Promise<RecordedHealth> {
  // Attempts of one batch may have ended in another order than they were recorded in.
  const evidence = unsorted.toSorted((a, b) => a.endedAt - b.endedAt);
  const lastEndedAt = evidence.at(-1)?.endedAt ?? 0;
  const isFailing = window.isFailing(endpoint.id, lastEndedAt);
  const { patch, notices } = healthAfter(endpoint, evidence, isFailing, rules);
  const updated_at = Math.max(endpoint.updated_at, lastEndedAt);
  if (Object.keys(patch).length > 0) await tx.update('endpoints', { id: endpoint.id }, { ...patch, updated_at });
  if (patch.held_until === null) window.forget(endpoint.id);
  const hasHoldChanged = patch.held_until !== undefined && patch.active !== false && !endpoint.ordered;
  // The row after the end of a hold no longer says since when it failed.
  const during = patch.held_until === null ? endpoint : { ...endpoint, ...patch };
  const joined = hasHoldChanged ? await joinLane(tx, during, lastEndedAt, rules.scheduleSeconds) : [];
  if (notices.length === 0) return { hasEvents: false, hasHoldChanged, joined };
  const rows = notices.map(({ kind, message }) => noticeRow(kind, endpoint.id, message, lastEndedAt));
  const hasEvents = await storeNotices(tx, endpoint, rows, 'attempts');
  return { hasEvents, hasHoldChanged, joined };
}
