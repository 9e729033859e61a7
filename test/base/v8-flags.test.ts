import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasDefects, v8Flags } from '../../gateway/base/v8-flags.ts';

const root = join(import.meta.dirname, '../..');
const isReplaced = hasDefects && process.platform !== 'win32';

test.runIf(isReplaced)('a process that lacks the flags is replaced by one that has them, with its arguments', async () => {
  const child = promisify(execFile)(process.execPath, ['test/base/v8-flags-program.ts', 'one', 'two words'], { cwd: root });
  const { stdout } = await child;
  const { pid, execArgv, args } = JSON.parse(stdout);
  expect({ pid, args }).toEqual({ pid: child.child.pid, args: ['one', 'two words'] });
  expect(execArgv).toEqual(v8Flags);
});

test.runIf(isReplaced && process.platform === 'linux').each([
  ['npm start', ['gateway/server.ts']],
  ['passerelle gateway', ['cli/bin.js', 'gateway']],
])('%s runs with the flags', async (_, program) => {
  const env = { PATH: process.env.PATH, PORT: '0', TLS_CERT: '/dev/stdin', TLS_KEY: '/dev/null', NO_COLOR: '1' };
  const child = spawn(process.execPath, program, { cwd: root, env, stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  // It reads the certificate, and so waits for this test.
  await expect
    .poll(() => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0'))
    .toEqual(expect.arrayContaining([...v8Flags]));
  child.stdin.end();
  await ended;
});
