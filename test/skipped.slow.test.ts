import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tellSkipped } from './skipped.ts';

const root = join(import.meta.dirname, '..');

test('a run ends with the number of tests that need PostgreSQL and Redis, and how to run them', () => {
  const { PASSERELLE_TEST_DATABASE_URL: _, PASSERELLE_TEST_REDIS_URL: __, ...environment } = process.env;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'suite', 'test/scale/verdict.test.ts'];
  const output = execFileSync(process.execPath, args, { cwd: root, env: environment, encoding: 'utf8' });
  expect(output.trim()).toMatch(/\nTests skipped: [1-9]\d* \(no PostgreSQL and Redis; bash \.ci\/scale runs them\)$/);
});

test('a test that skips itself is told with its reason, and one without a reason by its name', () => {
  const skipped = (fullName: string, note?: string) => ({ fullName, result: () => ({ state: 'skipped', note }) });
  const tests = [skipped('mounts', 'there is no disk'), skipped('forgotten'), skipped('signs (skipped: no openssl here)')];
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  tellSkipped.onTestRunEnd?.([{ children: { allTests: () => tests } }] as never, [], 'passed');
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    'Tests skipped: 1 (there is no disk)\n',
    'Tests skipped: 1 (no reason is given: forgotten)\n',
    'Tests skipped: 1 (no openssl here)\n',
  ]);
});
