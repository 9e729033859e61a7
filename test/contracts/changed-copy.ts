import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A file of the program, what it contains, and what it contains instead. */
export type Edit = readonly [file: string, before: string | RegExp, after: string];

/** A copy of the program with all these changes, removed when the test ends. */
export async function changedCopy(edits: readonly Edit[]) {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-changed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of ['cli', 'contracts', 'fixtures', 'gateway', 'receivers', 'spec', 'stubs', 'package.json'])
    await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, before, after] of edits) {
    const text = await readFile(join(folder, file), 'utf8');
    const changed = text.replace(before, after);
    expect(changed, `${file} has ${before}`).not.toBe(text);
    await writeFile(join(folder, file), changed);
  }
  return {
    /** Runs the copy's command line until it ends. */
    async passerelle(args: readonly string[]): Promise<{ code: number; stdout: string }> {
      const run = promisify(execFile)(process.execPath, ['cli/passerelle.ts', ...args], { cwd: folder });
      return run.then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: { code: number; stdout: string }) => error,
      );
    },
  };
}
