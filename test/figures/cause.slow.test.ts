import { expect, test } from 'vitest';
import { causeOfDelivery } from '../../gateway/figures/cause.ts';
import { delivery, endpoint } from '../store/rows.ts';

const nowMs = Date.UTC(2026, 10, 21);
const row = delivery('dlv', 'evt', 'ep', { status: 'pending', attempts: 2, reason: 'status', response_status: 503 });
const caseOf = (change: Partial<typeof row>, heldUntil: number | null = null) =>
  causeOfDelivery({ ...row, ...change }, endpoint('ep', { held_until: heldUntil, failing_since: 1 }), nowMs);

test('a delivery that waits for its own retry says so, and does not say that it tests its endpoint or is in a turn', () => {
  const later = { next_attempt_at: nowMs + 240_000 };
  const retry = { case: 'retry', values: { failure: 503, attempts: 2, next_at: '2026-11-21T00:04:00.000Z' } };
  expect(caseOf(later)).toMatchObject(retry);
  expect(caseOf({ ...later, parked: true })).toMatchObject(retry);
  expect(caseOf({ ...later, parked: true }, nowMs - 1)).toMatchObject(retry);
  expect(caseOf({ ...later, parked: true }, nowMs + 1000)).toMatchObject({ case: 'held' });
  expect(caseOf(later, nowMs + 1000)).toMatchObject(retry);
  expect(caseOf(later, nowMs + 300_000)).toMatchObject({ case: 'held' });
  expect(caseOf({ next_attempt_at: nowMs, parked: true }, nowMs - 1)).toMatchObject({ case: 'probing' });
  expect(caseOf({ next_attempt_at: nowMs, parked: true })).toMatchObject({ case: 'in_turn' });
});
