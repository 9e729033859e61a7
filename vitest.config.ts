import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { longestWaitMs } from './test/longest-wait.ts';
import { tellSkipped } from './test/skipped.ts';

// Workers, and the programs that tests start, are compiled once for all of them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/**
 * Slow tests, so that `npm test` takes less than three minutes. `.ci/release` runs them. The core (`api`, `http`,
 * `store`, `webhooks`) belongs to the suite, but for upgrades, generated bad input, strangers' proxies, overload, the embedded database's own
 * files and faults, and the stories that run on every tier.
 */
export const slow = [
  'alerts/*',
  'api/cohesion/bad-input',
  'base/redact',
  'cli/closed-output',
  'cli/completion',
  'cli/convention',
  'cli/coverage-suite',
  'cli/doctor',
  'cli/doctor-command',
  'cli/gateway-command',
  'cli/listen',
  'cli/mcp',
  'cli/receiver-check',
  'cli/receiver-command',
  'cli/reconcile',
  'cli/run',
  'cli/running-gateway',
  'cli/strangers',
  'cli/stub-commands',
  'cli/trigger-gateway',
  'clients/*',
  'console/page/alerts',
  'console/page/gaps',
  'console/page/lists',
  'console/page/operations',
  'console/page/operator',
  'contracts/agreement',
  'contracts/alternatives',
  'contracts/assumptions',
  'contracts/assumptions-file',
  'contracts/broker',
  'contracts/changed-app',
  'contracts/cli',
  'contracts/compare',
  'contracts/doubts',
  'contracts/gate',
  'contracts/harmless',
  'contracts/observed/alternatives',
  'contracts/observed/cohesion',
  'contracts/observed/observe-command',
  'contracts/observed/observe-webhooks',
  'contracts/observed/other-service',
  'contracts/observed/webhook-alternatives',
  'contracts/pact-command',
  'contracts/proxied',
  'contracts/recipe',
  'contracts/recording',
  'contracts/recording/gateway-calls',
  'contracts/recording/messages',
  'contracts/recording/pact-sources',
  'contracts/recording/php-suite',
  'contracts/recording/settle',
  'contracts/reference',
  'contracts/secrets',
  'contracts/unreached',
  'contracts/unusable',
  'contracts/verdicts',
  'contracts/verify',
  'contracts/verify-options',
  'contracts/version-2',
  'deploy/monitoring',
  'docs/guides',
  'docs/reference',
  'docs/sections',
  'e2e/*',
  'erasures/erase',
  'erasures/files',
  'figures/*',
  'http/bad-input',
  'http/overload',
  'manage/*',
  'packaging/action',
  'packaging/release',
  'power-cuts/power-cuts',
  'probe/command',
  'probe/differences',
  'probe/exercised',
  'probe/exercised-uses',
  'probe/library',
  'probe/observed',
  'probe/search',
  'profile/*',
  'queue/queue',
  'receivers/journeys',
  'receivers/more-languages',
  'receivers/samples',
  'rooms-lint',
  'scale/image',
  'skipped',
  'start/retention',
  'start/telemetry',
  'store/days',
  'store/migrations',
  'store/pglite-*',
  'stubs/assume',
  'stubs/assume-choosing',
  'stubs/assume-cohesion',
  'stubs/assume-pos',
  'stubs/assumed-documents',
  'stubs/causes',
  'stubs/custom-replies',
  'stubs/cut-connections',
  'stubs/examples',
  'stubs/fault-help',
  'stubs/fault-text',
  'stubs/greeting-walk',
  'stubs/harmless',
  'stubs/harmless-webhooks',
  'stubs/in-tests',
  'stubs/journal-export',
  'stubs/lost-webhooks',
  'stubs/misspelt',
  'stubs/mobile-money',
  'stubs/profile',
  'stubs/seed-state',
  'stubs/seed-words',
  'stubs/served-document',
  'stubs/signing-secret',
  'stubs/stub-cli',
  'stubs/stub-clock',
  'stubs/stub-cohesion',
  'stubs/stub-console',
  'stubs/stub-control',
  'stubs/stub-fixtures',
  'stubs/stub-light',
  'stubs/stub-pos',
  'stubs/stub-tls',
  'stubs/stub-webhooks',
  'stubs/survives-harmless',
  'stubs/test-numbers',
  'stubs/try-it',
  'stubs/worlds',
  'stubs/worlds-apart',
  'stubs/wrong-types',
  'webhooks/embedded-faults',
  'webhooks/every-tier',
  'webhooks/proxy',
].map((name) => `test/${name}.test.ts`);

/** Tests of the console in a real browser. `npm test` does not run them. */
const browser = 'test/browser/*.test.ts';

/**
 * Tests of the console's pages give their process a window, so each file has a process of its own. Other test files share one: the start of
 * a process and the import of the gateway for each file took half of the suite's time.
 */
const pages = 'test/console/page/*.test.ts';
const quick = ['test/**/*.test.ts', 'contracts/consumers/*.pact.test.ts'];

const project = (name: string, test: { include: string[]; exclude?: string[]; isolate?: boolean; globalSetup?: string[] }) => ({
  extends: true as const,
  test: { name, ...test },
});

export default defineConfig({
  test: {
    projects: [
      project('suite', { include: quick, exclude: [...slow, browser, pages], isolate: false }),
      project('suite-pages', { include: [pages], exclude: slow }),
      project('slow', { include: slow, exclude: [pages], isolate: false, globalSetup: ['test/built-pages.ts'] }),
      project('slow-pages', { include: slow.filter((file) => file.startsWith('test/console/page/')) }),
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
    // Four defects of V8 13 kill a process at random: a garbage collection meets a stale pointer of the Sparkplug compiler
    // (nodejs/node#62393), threads that compile WebAssembly lose a page of protected code, or free code that nobody knows any more
    // (both nodejs/node#64500), and Maglev's compiler thread crashes on a busy machine (nodejs/node#64841).
    execArgv: ['--no-sparkplug', '--no-memory-protection-keys', '--no-wasm-code-gc', '--no-maglev'],
  },
});
