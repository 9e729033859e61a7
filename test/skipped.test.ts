import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('a run ends with the number of tests that need PostgreSQL and Redis, and how to run them', () => {
  const { PASSERELLE_TEST_DATABASE_URL: _, PASSERELLE_TEST_REDIS_URL: __, ...environment } = process.env;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'suite', 'test/scale/verdict.test.ts'];
  const output = execFileSync(process.execPath, args, { cwd: root, env: environment, encoding: 'utf8' });
  expect(output.trim()).toMatch(/\nTests skipped: [1-9]\d* \(no PostgreSQL and Redis; bash \.ci\/scale runs them\)$/);
});
