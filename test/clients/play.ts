import { execFile, spawnSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { newFolder } from '../program.ts';
import { openStub } from '../stubs/partner.ts';
import type { HelperLanguage } from './helper-languages.ts';

const root = join(import.meta.dirname, '../..');

/** Plays cases in a language, on a new stub, and returns that with what its test runner printed. It passes, or this fails. */
export async function play({ files, run }: HelperLanguage, played: unknown[], settings: Record<string, string>) {
  const folder = await newFolder();
  for (const file of files) await cp(join(root, file), join(folder, file.split('/').at(-1) ?? ''));
  await writeFile(join(folder, 'cases.json'), JSON.stringify(played));
  const stub = await openStub('cohesion');
  // A stub on this machine is not behind a proxy.
  const env = { ...process.env, PASSERELLE_COHESION_URL: stub.url, http_proxy: 'http://127.0.0.1:9', ...settings };
  const ran = await promisify(execFile)('sh', ['-c', run], { cwd: folder, env }).catch((failed) => failed);
  expect(ran.code, ran.stdout).toBeUndefined();
  return { stub, stdout: ran.stdout };
}

export const skipped = ({ probe, packages }: HelperLanguage) =>
  [spawnSync('sh', ['-c', probe]).status !== 0, `These tools are missing: apt-get install ${packages}.`] as const;
