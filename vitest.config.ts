import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers, and the programs that tests start, are compiled once for all of them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Slow tests of faults. `.ci/run` runs them as a step of their own. */
const faults = [
  'contracts/changed-app',
  'e2e/backup',
  'e2e/kill',
  'e2e/kill-at-random',
  'e2e/full-disk',
  'e2e/operator-walk',
  'e2e/shutdown',
  'webhooks/embedded-faults',
  'webhooks/every-tier',
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
          exclude: [...faults, browser],
        },
      },
      { extends: true, test: { name: 'faults', include: faults } },
      { extends: true, test: { name: 'browser', include: [browser], testTimeout: 180_000 } },
    ],
    globalSetup: ['test/e2e/template.ts'],
    // A PGlite takes some seconds to start on two busy cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
