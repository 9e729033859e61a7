import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewAttempt } from '../../gateway/manage/webhooks/views.ts';
import { type AttemptResult, decideNext, defaultRetrySeconds } from '../../gateway/webhooks/delivery/retry.ts';
import { parseRetryAfter } from '../../gateway/webhooks/sending/retry-after.ts';
import { forAll } from '../for-all.ts';
import { attempt } from '../store/rows.ts';

const nowMs = Date.UTC(2026, 10, 21, 8, 0, 0);
const attempted = (given: Partial<AttemptResult> = {}): AttemptResult => ({
  outcome: 'status',
  attempt: 1,
  nowMs,
  retryAfter: undefined,
  scheduleSeconds: defaultRetrySeconds,
  retryUntilMs: null,
  isSingle: false,
  random: 0.5,
  ...given,
});

test('the default schedule: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, then never', () => {
  const delays = defaultRetrySeconds.map((_, index) => {
    const verdict = decideNext(attempted({ attempt: index + 1 }));
    return verdict.kind === 'retry' ? (verdict.atMs - nowMs) / 1000 : verdict.kind;
  });
  expect(defaultRetrySeconds[0]).toBe(0);
  expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 'dead']);
});

test('a success, a 410 and the last attempt of the schedule end a delivery', () => {
  expect(decideNext(attempted({ outcome: 'success' }))).toEqual({ kind: 'success' });
  expect(decideNext(attempted({ outcome: 'gone' }))).toMatchObject({ kind: 'dead' });
  expect(decideNext(attempted({ attempt: 10 }))).toMatchObject({ kind: 'dead' });
});

test('the single attempt of a finished delivery has no retries', () => {
  expect(decideNext(attempted({ isSingle: true }))).toMatchObject({ kind: 'dead' });
  expect(decideNext(attempted({ isSingle: true, outcome: 'gone' }))).toMatchObject({ kind: 'dead' });
  expect(decideNext(attempted({ isSingle: true, outcome: 'success' }))).toEqual({ kind: 'success' });
});

test('the next attempt is within bounds for every outcome and every Retry-After', () => {
  const outcomes = fc.constantFrom('status', 'timeout', 'reset', 'dns', 'redirect', 'blocked_address', 'unknown' as const);
  const schedule = fc.array(fc.integer({ min: 0, max: 604_800 }), { minLength: 1, maxLength: 30 });
  const header = fc.option(
    fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
    { nil: undefined },
  );
  forAll(
    100,
    [outcomes, schedule, fc.integer({ min: 1, max: 31 }), fc.double({ min: 0, max: 1, noNaN: true }), header],
    (outcome, scheduleSeconds, attempt, random, retryAfter) => {
      const verdict = decideNext(attempted({ outcome, scheduleSeconds, attempt, random, retryAfter }));
      expect(verdict.kind === 'success' ? null : verdict.why.case).toEqual(
        scheduleSeconds[attempt] === undefined ? 'last' : expect.stringMatching(/^(schedule|retry_after)$/),
      );
      const scheduled = scheduleSeconds[attempt];
      if (scheduled === undefined) return void expect(verdict.kind).toBe('dead');
      if (verdict.kind !== 'retry') throw new Error('a failed attempt with a next one scheduled must be tried again');
      const delayMs = verdict.atMs - nowMs;
      expect(Number.isInteger(delayMs)).toBe(true);
      expect(delayMs).toBeGreaterThanOrEqual(Math.floor(scheduled * 900));
      expect(delayMs).toBeLessThanOrEqual(Math.max(Math.ceil(scheduled * 1100), 86_400_000));
    },
  );
});

/** Returns how many hours after the first attempt each further one is made, if all fail. */
function hoursOfRetries(retryForHours: number, given: Partial<AttemptResult> = {}): number[] {
  const retryUntilMs = nowMs + retryForHours * 3_600_000;
  const times: number[] = [];
  for (let [attempt, atMs] = [1, nowMs]; ; attempt++) {
    const verdict = decideNext(attempted({ attempt, nowMs: atMs, retryUntilMs, ...given }));
    if (verdict.kind !== 'retry') {
      expect(verdict).toEqual({ kind: 'dead', why: { case: 'last', values: { attempt: String(attempt) } } });
      return times;
    }
    atMs = verdict.atMs;
    times.push(Math.floor((atMs - nowMs) / 3_600_000));
  }
}

test('an endpoint with a time of its own: the last wait repeats until then, and no attempt is planned after it', () => {
  expect(hoursOfRetries(1)).toEqual([0, 0, 0]);
  expect(hoursOfRetries(75)).toEqual([0, 0, 0, 2, 7, 17, 31, 51]);
  expect(hoursOfRetries(240)).toEqual([0, 0, 0, 2, 7, 17, 31, 51, 75, 99, 123, 147, 171, 195, 219]);
  expect(hoursOfRetries(1, { retryAfter: '7200' })).toEqual([]);
  // A schedule of tests, which ends with no wait at all, does not become a storm.
  expect(hoursOfRetries(1, { scheduleSeconds: [0] })).toHaveLength(60);
});

test('Retry-After stretches the delay, within a day, and never shortens it', () => {
  const delayFor = (retryAfter: string) => {
    const verdict = decideNext(attempted({ retryAfter }));
    return verdict.kind === 'retry' ? verdict.atMs - nowMs : undefined;
  };
  expect(delayFor('120')).toBe(120_000);
  expect(delayFor('1')).toBe(5000);
  expect(delayFor('999999999')).toBe(86_400_000);
  expect(delayFor('Sat, 21 Nov 2026 08:10:00 GMT')).toBe(600_000);
  expect(delayFor('Fri, 20 Nov 2026 08:10:00 GMT')).toBe(5000);
  expect(delayFor('soon')).toBe(5000);
});

test('Retry-After that is neither seconds nor an HTTP date is ignored', () => {
  for (const value of [undefined, '', '-5', '1.5', 'NaN', '1e9', '2026-11-21', 'Sat, 99 Foo 2026']) {
    expect(parseRetryAfter(value, nowMs), String(value)).toBeNull();
  }
});

test('why the next attempt is made is said from its case', () => {
  const why = { case: 'schedule' as const, values: { seconds: '5', attempt: '2' } };
  expect(viewAttempt(attempt('dlv_1', 0, { next_attempt_case: why }))).toMatchObject({
    next_attempt_why: 'The schedule waits 5 s, plus or minus 10 %, before attempt 2.',
    next_attempt_case: why,
  });
});
