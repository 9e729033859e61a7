/** A test of this repository that fails without a documented behaviour. */
export interface HoldingTest {
  behaviour: string;
  file: string;
  /** A part of the test's name, as `vitest -t` takes it. */
  test: string;
}

const https = { file: 'test/e2e/https.slow.test.ts', test: 'it does not start with' };
const plans = { file: 'test/http/limits.test.ts', test: 'Free: 100 calls a minute; Pro: 1000; Enterprise: unlimited' };
const minute = { file: 'test/http/limits.test.ts', test: 'are taken in any minute' };

const validation = { file: 'test/api/cohesion/back-office.test.ts', test: 'send exactly the documented payload' };
const stored = { file: 'test/api/cohesion/financings.test.ts', test: 'stores a financing and returns 201' };

/**
 * The tests that hold what no pact can: it needs another process, many calls, an error, the operator's view, a status that the
 * document does not show for the operation, or a value that the service chooses, of which a pact knows only the kind.
 */
export const holdingTests: readonly HoldingTest[] = [
  { behaviour: 'pos/https-only', ...https },
  { behaviour: 'cohesion/https-only', ...https },
  { behaviour: 'cohesion/last-address', file: 'test/api/cohesion/access.test.ts', test: 'is recorded with the caller' },
  { behaviour: 'cohesion/me-user-id', file: 'test/api/cohesion/access.test.ts', test: 'me needs no ability' },
  { behaviour: 'cohesion/indicator-id', file: 'test/api/cohesion/reads.test.ts', test: 'in the order of ids, each row once' },
  { behaviour: 'cohesion/financing-structure', ...stored },
  { behaviour: 'cohesion/validated-intervention', ...validation },
  { behaviour: 'cohesion/validated-structure', ...validation },
  { behaviour: 'cohesion/validated-by-id', ...validation },
  { behaviour: 'cohesion/validated-by-name', ...validation },
  { behaviour: 'cohesion/write-throttle-minute', ...minute },
  { behaviour: 'pos/limit-minute', ...minute },
  { behaviour: 'pos/limit-pro', ...plans },
  { behaviour: 'pos/limit-enterprise', ...plans },
  { behaviour: 'pos/status-201', file: 'test/api/pos/sales.test.ts', test: 'paid in cash completes at once' },
  { behaviour: 'pos/status-500', file: 'test/http/unexpected-error.test.ts', test: 'an error that nobody expected' },
];
