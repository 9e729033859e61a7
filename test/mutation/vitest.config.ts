import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/**
 * The tests that Stryker may run, without projects, so that slow ones of these are among them too. A mutant that makes a test wait for
 * ever costs `testTimeout`; the slowest test takes a fifth of that on a busy machine.
 */
const { projects: _, ...shared } = base.test ?? {};
export default mergeConfig(
  { test: shared },
  {
    test: {
      include: ['test/{webhooks,queue}/*.test.ts', 'test/store/leases.test.ts'],
      exclude: ['test/webhooks/embedded-faults.test.ts'],
      setupFiles: ['test/mutation/skip-slow.ts'],
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  },
);
