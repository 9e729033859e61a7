import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const sections = ['Does a new document break a consumer?', 'Check a sender of webhooks'];

test.each(sections)('the section "%s" of the guide for CI works to the letter', async (section) => {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-walk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(join(import.meta.dirname, '../../cli/bin.js'), join(folder, 'node_modules/.bin/passerelle'));
  const walk = join(import.meta.dirname, 'guide-walk.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [walk, 'docs/ci.md', section, 'no tarball'], { cwd: folder });
  expect(stdout).toContain('blocks ran as written');
});
