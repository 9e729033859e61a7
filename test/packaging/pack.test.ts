import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../e2e/process.ts';

const program = join(import.meta.dirname, '../../packaging/pack.ts');

function repository() {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), 'ours');
  writeFileSync(join(folder, 'dist/package.json'), 'published');
  return {
    folder,
    manifest: () => readFileSync(join(folder, 'package.json'), 'utf8'),
    left: () => existsSync(join(folder, '.package.json.kept')),
    step: (name: string) => spawnSync(process.execPath, [program, name], { cwd: folder, encoding: 'utf8' }),
  };
}

/** As npm does: starts the first step, and goes on afterwards. */
async function packing(folder: string) {
  const code = `require('node:child_process').spawnSync(process.execPath, [${JSON.stringify(program)}, 'begin'], { stdio: 'inherit' });
    console.log('begun'); setInterval(() => {}, 1000);`;
  const npm = spawn(process.execPath, ['-e', code], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void npm.kill('SIGKILL'));
  await once(npm.stdout, 'data');
  return npm;
}

test('the published manifest stands there while npm packs, and ours afterwards', async () => {
  const { folder, manifest, left, step } = repository();
  await packing(folder);
  expect(manifest()).toBe('published');
  expect(step('begin').stderr).toContain('npm pack runs here already');
  expect(step('end').status).toBe(0);
  expect([manifest(), left()]).toEqual(['ours', false]);
});

test('ours comes back although npm is killed', async () => {
  const { folder, manifest, left } = repository();
  const npm = await packing(folder);
  expect(manifest()).toBe('published');
  npm.kill('SIGKILL');
  await until(async () => manifest() === 'ours');
  expect(left()).toBe(false);
});

test('without a build there is nothing to pack, and nothing changes', () => {
  const { folder, manifest, left, step } = repository();
  rmSync(join(folder, 'dist/package.json'));
  expect(step('begin')).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run build && npm pack') });
  expect([manifest(), left()]).toEqual(['ours', false]);
});
