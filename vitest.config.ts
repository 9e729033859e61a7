import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers, and the programs that tests start, are compiled once for all of them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Slow tests, so that `npm test` takes less than three minutes. `.ci/run` runs them in a step of their own. */
const slow = [
  'alerts/channels',
  'alerts/rules',
  'alerts/watcher',
  'api/cohesion/bad-input',
  'api/cohesion/sql',
  'api/pos/idempotency',
  'api/pos/reads',
  'api/pos/sql',
  'cli/completion',
  'cli/doctor',
  'cli/listen',
  'console/page/lists',
  'console/page/operations',
  'console/page/operator',
  'contracts/alternatives',
  'contracts/assumptions',
  'contracts/broker',
  'contracts/changed-app',
  'contracts/check-breaking',
  'contracts/cli',
  'e2e/backup',
  'e2e/full-disk',
  'e2e/https',
  'e2e/kill',
  'e2e/kill-at-random',
  'e2e/memory',
  'e2e/operator-walk',
  'e2e/shutdown',
  'e2e/stalled',
  'e2e/tls-delivery',
  'figures/tallies',
  'http/bad-input',
  'http/documented-statuses',
  'manage/audit',
  'manage/back-office',
  'manage/export-size',
  'manage/story',
  'manage/verdict',
  'manage/verifications',
  'start/retention',
  'start/traces',
  'store/days',
  'store/leases',
  'store/migrations',
  'store/pglite-disk',
  'store/pglite-pool',
  'store/pglite-statements',
  'stubs/stub-cli',
  'webhooks/audit',
  'webhooks/embedded-faults',
  'webhooks/every-tier',
  'webhooks/fanout',
  'webhooks/lanes',
  'webhooks/manual',
  'webhooks/reconcile',
  'webhooks/recover',
  'webhooks/rotation',
].map((name) => `test/${name}.test.ts`);

/** Tests of the console in a real browser. `npm test` does not run them. */
const browser = 'test/browser/*.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/**/*.test.ts', 'contracts/consumers/*.pact.test.ts'],
          exclude: [...slow, browser],
        },
      },
      { extends: true, test: { name: 'slow', include: slow } },
      { extends: true, test: { name: 'browser', include: [browser] } },
    ],
    globalSetup: ['test/e2e/template.ts'],
    // Bounds a test that hangs. On a machine that is ten times overloaded a PGlite takes minutes to start.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    // Two defects of V8 13 kill a process at random: a garbage collection meets a stale pointer of the Sparkplug compiler
    // (nodejs/node#62393), and threads that compile WebAssembly lose a page of protected code (nodejs/node#64500).
    execArgv: ['--no-sparkplug', '--no-memory-protection-keys'],
  },
});
