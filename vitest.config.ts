import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { v8Flags } from './gateway/base/v8-flags.ts';
import { longestWaitMs } from './test/longest-wait.ts';
import { tellSkipped } from './test/skipped.ts';

// Workers, and the programs that tests start, are compiled once for all of them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/**
 * `npm test` takes less than three minutes, so it leaves these to `.ci/release`. The core (`api`, `http`, `store`, `webhooks`) belongs to
 * the suite, but for upgrades, generated bad input, strangers' proxies, overload, the embedded database's own files and faults, and the
 * stories that run on every tier.
 */
const slow = 'test/**/*.slow.test.ts';

/** Tests of the console in a real browser. `npm test` does not run them. */
const browser = 'test/browser/*.test.ts';

/**
 * Tests of the console's pages give their process a window, so each file has a process of its own. Other test files share one: the start of
 * a process and the import of the gateway for each file took half of the suite's time.
 */
const pages = 'test/console/page/*.test.ts';
const slowPages = 'test/console/page/*.slow.test.ts';
const quick = ['test/**/*.test.ts', 'contracts/consumers/*.pact.test.ts'];

const project = (name: string, test: { include: string[]; exclude?: string[]; isolate?: boolean; globalSetup?: string[] }) => ({
  extends: true as const,
  test: { name, ...test },
});

export default defineConfig({
  test: {
    projects: [
      project('suite', { include: quick, exclude: [slow, browser, pages], isolate: false }),
      project('suite-pages', { include: [pages], exclude: [slow] }),
      project('slow', { include: [slow], exclude: [pages], isolate: false, globalSetup: ['test/built-pages.ts'] }),
      project('slow-pages', { include: [slowPages] }),
      project('browser', { include: [browser] }),
    ],
    reporters: [...configDefaults.reporters, tellSkipped],
    // Vitest prints the seed of the order: `--sequence.seed=N` repeats it. Tests of one file stay in theirs.
    sequence: { shuffle: { files: true } },
    globalSetup: ['test/e2e/template.ts'],
    // Commands write annotations only where a test asks for them.
    env: { GITHUB_ACTIONS: '', GITHUB_WORKSPACE: '' },
    // Bounds a test that hangs. On a machine that is ten times overloaded a PGlite takes minutes to start.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: longestWaitMs } },
    maxWorkers: 2,
    // As a gateway has them.
    execArgv: [...v8Flags],
  },
});
