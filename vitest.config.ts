import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers, and the programs that tests start, are compiled once for all of them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'contracts/consumers/*.pact.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    globalSetup: ['test/e2e/template.ts'],
    // A PGlite takes some seconds to start on two busy cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
