import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');

/** The console in a real browser: `npm run test:browser`. Not among `npm test`, which needs nothing but Node. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/e2e/template.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
