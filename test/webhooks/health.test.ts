import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FailureWindow, type HealthEvidence, healthAfter } from '../../gateway/webhooks/endpoints/health.ts';
import { forAll } from '../for-all.ts';
import { endpoint } from '../store/rows.ts';

const now = Date.UTC(2026, 10, 21);
const dayMs = 24 * 3_600_000;
const rules = { disableAfterMs: 5 * dayMs, random: () => 0.5 };
const failure = (change: Partial<HealthEvidence> = {}): HealthEvidence => ({
  success: false,
  failure: change.success ? null : 500,
  retryAfter: undefined,
  manual: false,
  startedAt: now,
  endedAt: now,
  ...change,
});
const healthy = endpoint('ep');
const failing_with = { failure: 500, mixed: false, attempts: 3 };
const held = endpoint('ep', { held_until: now, held_because: 'failing', holds: 2, failing_since: now - 1000, failing_with });

test('the circuit opens on a failing window; each failed attempt after a hold doubles it, with one notice for all', () => {
  const opened = healthAfter(healthy, [failure(), failure()], true, rules);
  expect(opened.patch).toMatchObject({ held_until: now + 10_000, held_because: 'failing', holds: 1 });
  expect(opened.notices).toMatchObject([{ kind: 'endpoint.held' }]);
  const again = healthAfter(held, [failure()], false, rules);
  expect(again).toEqual({
    patch: {
      failing_since: now - 1000,
      failing_with: { failure: 500, mixed: false, attempts: 4 },
      held_until: now + 40_000,
      held_because: 'failing',
      holds: 3,
    },
    notices: [],
  });
});

test('an attempt that ended before the endpoint was activated does not date its failures back to its pause', () => {
  const activated = { ...healthy, updated_at: now + 5000 };
  const late = failure({ startedAt: now + 6000, endedAt: now + 7000 });
  expect(healthAfter(activated, [failure(), late], true, rules).patch.failing_since).toBe(now + 5000);
});

test('an endpoint knows how its attempts failed since its last success, and its notices say so', () => {
  const mixed = healthAfter(held, [failure({ failure: 'connection_refused' })], false, rules).patch;
  expect(mixed.failing_with).toEqual({ failure: 'connection_refused', mixed: true, attempts: 4 });
  const [opened] = healthAfter(healthy, [failure(), failure()], true, rules).notices;
  expect(opened?.message).toMatch(
    / has answered 500 since 2026-11-21 00:00:00 UTC \(1 of 1\)\. Next try at 2026-11-21 00:00:10 UTC\. /,
  );
});

test('a success after the hold ends it; an attempt that began before does not', () => {
  const recovered = healthAfter(held, [failure({ success: true })], false, rules);
  expect(recovered.patch).toEqual({ held_until: null, held_because: null, holds: 0, failing_since: null, failing_with: null });
  expect(recovered.notices).toMatchObject([{ kind: 'endpoint.recovered' }]);
  const early = healthAfter(held, [failure({ success: true, startedAt: now - 1 })], false, rules);
  expect(early).toEqual({ patch: { failing_since: null, failing_with: null }, notices: [] });
  expect(
    healthAfter(held, [failure({ success: true, startedAt: now - 1, manual: true })], false, rules).patch.held_until,
  ).toBeNull();
});

test.each([429, 502, 503, 504])('%i holds the endpoint at once, for the time in Retry-After within bounds', (status) => {
  const until = (retryAfter?: string) =>
    healthAfter(healthy, [failure({ failure: status, retryAfter })], false, rules).patch.held_until;
  expect(until()).toBe(now + 1000);
  expect(until('30')).toBe(now + 30_000);
  expect(until(new Date(now + 90_000).toUTCString())).toBe(now + 90_000);
  expect(until('999999999')).toBe(now + 3_600_000);
  expect(until('nonsense')).toBe(now + 1000);
  expect(healthAfter(healthy, [failure({ failure: status })], false, rules).notices).toMatchObject([{ kind: 'endpoint.held' }]);
});

test('a 410 disables it, and so do five days in which every attempt failed', () => {
  const gone = healthAfter(held, [failure({ failure: 410 }), failure()], true, rules);
  expect(gone.patch).toMatchObject({ active: false, disabled_reason: 'gone', held_until: null });
  expect(gone.notices).toMatchObject([{ kind: 'endpoint.disabled' }]);
  const since = (ms: number) => endpoint('ep', { failing_since: now - ms });
  expect(healthAfter(since(5 * dayMs), [failure()], false, rules).patch).toMatchObject({
    active: false,
    disabled_reason: 'failing',
  });
  expect(healthAfter(since(5 * dayMs - 1), [failure()], false, rules).patch).not.toHaveProperty('active');
  expect(healthAfter(since(9 * dayMs), [failure({ success: true }), failure()], false, rules).patch).not.toHaveProperty('active');
  const patient = (ms: number) => healthAfter({ ...since(ms), retry_for_hours: 240 }, [failure()], false, rules).patch;
  expect(patient(10 * dayMs - 1)).not.toHaveProperty('active');
  expect(patient(10 * dayMs)).toMatchObject({ active: false, disabled_reason: 'failing' });
});

test('a hold is never longer than an hour, and only a success or disabling ends it', () => {
  const any = fc.record({
    success: fc.boolean(),
    failure: fc.constantFrom('timeout' as const, 429, 500, 503),
    retryAfter: fc.option(fc.oneof(fc.nat().map(String), fc.string()), { nil: undefined }),
    startedAt: fc.integer({ min: now - 10_000, max: now }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  forAll(100, [fc.array(any, { minLength: 1, maxLength: 20 }), fc.boolean(), fc.boolean()], (attempts, failing, isHeld) => {
    const before = isHeld ? held : healthy;
    const { patch } = healthAfter(
      before,
      attempts.map((one) => failure(one)),
      failing,
      { ...rules, random: () => attempts[0]?.random ?? 0 },
    );
    const after = { ...before, ...patch };
    expect((after.held_until ?? now) - now).toBeLessThanOrEqual(3_600_000);
    expect(after.held_until === null).toBe(after.holds === 0);
    if (isHeld && !attempts.some(({ success }) => success)) expect(after.held_until).not.toBeNull();
  });
});

test('the window fails at half of ten or more attempts within a minute', () => {
  const window = new FailureWindow();
  const note = (success: boolean, endedAt: number) => window.note('ep', failure({ success, endedAt }));
  for (let index = 0; index < 9; index++) note(false, now);
  expect(window.isFailing('ep', now)).toBe(false);
  note(false, now);
  expect(window.isFailing('ep', now)).toBe(true);
  for (let index = 0; index < 11; index++) note(true, now);
  expect(window.isFailing('ep', now)).toBe(false);
  for (let index = 0; index < 11; index++) note(false, now + 30_000);
  expect(window.isFailing('ep', now + 30_000)).toBe(true);
  expect(window.isFailing('ep', now + 90_000)).toBe(false);
  expect(window.isFailing('another', now)).toBe(false);
});
