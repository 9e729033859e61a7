import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'contracts/consumers/*.pact.test.ts'],
    globalSetup: ['test/e2e/template.ts'],
    // The programs that tests start are compiled once for all of them.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // A PGlite takes some seconds to start on two busy cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
