import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lossesOf } from '../../bench/evidence/material.ts';

const row = (what: string, cases: number) => ({ what, version: '1', cases, agreed: cases, others: [] });

test('a run that lacks rows or cases of the kept ones names them; a new row and less agreement are no loss', () => {
  const kept = [row('Ruby', 36), row('Java', 36)];
  expect(lossesOf(kept, [row('Ruby', 32)])).toEqual(['"Ruby" has 32 of 36 cases.', 'This run has no row "Java".']);
  expect(lossesOf(kept, [row('Go', 36), { ...row('Java', 36), agreed: 1 }, row('Ruby', 40)])).toEqual([]);
});

test('an empty folder is refused in one sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-no-clone-'));
  onTestFinished(() => rmdirSync(folder));
  const command = ['bench/evidence.ts', 'standard-webhooks', folder];
  const { status, stdout, stderr } = spawnSync('node', command, { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `${folder} is no clone of github.com/standard-webhooks/standard-webhooks: fatal: not a git repository (or any of the parent directories): .git\n`,
  );
});
