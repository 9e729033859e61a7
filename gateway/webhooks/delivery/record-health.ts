import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { type FailureWindow, type HealthEvidence, type HealthRules, healthAfter } from '../endpoints/health.ts';
import { noticeRow, storeNotices } from '../endpoints/notices.ts';
import { confirmed } from '../endpoints/rotation.ts';

/** Updates an endpoint's health, confirms a secret that its receiver knows, and stores notices of the change. Returns true if it created events for the operator. */
export async function recordHealth(
  tx: Rows,
  endpoint: Row<'endpoints'>,
  unsorted: HealthEvidence[],
  window: FailureWindow,
  rules: HealthRules,
): Promise<boolean> {
  // Attempts of one batch may have ended in another order than they were recorded in.
  const evidence = unsorted.toSorted((a, b) => a.endedAt - b.endedAt);
  const lastEndedAt = evidence.at(-1)?.endedAt ?? 0;
  const isFailing = window.isFailing(endpoint.id, lastEndedAt);
  const { patch: health, notices } = healthAfter(endpoint, evidence, isFailing, rules);
  const patch = { ...health, ...provenBy(endpoint, evidence) };
  const updated_at = Math.max(endpoint.updated_at, lastEndedAt);
  if (Object.keys(patch).length > 0) await tx.update('endpoints', { id: endpoint.id }, { ...patch, updated_at });
  if (patch.held_until === null) window.forget(endpoint.id);
  if (notices.length === 0) return false;
  const rows = notices.map(({ kind, message }) => noticeRow(kind, endpoint.id, message, lastEndedAt));
  return storeNotices(tx, endpoint, rows, 'attempts');
}

function provenBy(endpoint: Row<'endpoints'>, evidence: readonly HealthEvidence[]): Partial<Row<'endpoints'>> {
  const last = evidence.findLast(({ provenSecret }) => typeof provenSecret === 'string');
  return last?.provenSecret ? confirmed(endpoint, last.provenSecret, last.endedAt) : {};
}
