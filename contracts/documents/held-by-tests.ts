/** A test of this repository that fails without a documented behaviour. */
export interface HoldingTest {
  behaviour: string;
  file: string;
  /** A part of the test's name, as `vitest -t` takes it. */
  test: string;
}

const https = { file: 'test/e2e/https.test.ts', test: 'it does not start with' };
const plans = { file: 'test/api/pos/auth.test.ts', test: 'Pro: 1000 calls; Enterprise: unlimited' };
const minute = { file: 'test/http/limits.test.ts', test: 'are taken in any minute' };

/**
 * The tests that hold what no pact can: it needs another process, many calls, an error, the operator's view, or a status that the
 * document does not show for the operation. `test/contracts/gate-tests.test.ts` takes each behaviour away and sees the test fail.
 */
export const holdingTests: readonly HoldingTest[] = [
  { behaviour: 'pos/https-only', ...https },
  { behaviour: 'cohesion/https-only', ...https },
  { behaviour: 'cohesion/last-address', file: 'test/api/cohesion/access.test.ts', test: 'is recorded with the caller' },
  { behaviour: 'cohesion/write-throttle-minute', ...minute },
  { behaviour: 'pos/limit-minute', ...minute },
  { behaviour: 'pos/limit-pro', ...plans },
  { behaviour: 'pos/limit-enterprise', ...plans },
  { behaviour: 'pos/status-201', file: 'test/api/pos/sales.test.ts', test: 'paid in cash completes at once' },
  { behaviour: 'pos/status-500', file: 'test/http/unexpected-error.test.ts', test: 'an error that nobody expected' },
];
