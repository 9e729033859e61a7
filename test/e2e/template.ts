import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes two data folders for a run of the whole suite, one with demo data and an empty one, which tests copy instead of making
 * some sixty of their own (`newDataDir`, `emptyDatabase`). A run of single files does without, and so do tests of a first start.
 */
export default async function makeTemplates(): Promise<(() => void) | undefined> {
  if (process.argv.slice(2).some((argument) => /^(test|contracts)\//.test(argument))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-template-'));
  const [demo, empty] = [join(folder, 'demo'), join(folder, 'empty')];
  const made = await Promise.all([makeFolder(demo, []), makeFolder(empty, ['--no-demo'])]);
  if (made[0]) process.env.PASSERELLE_TEMPLATE = demo;
  if (made[1]) process.env.PASSERELLE_EMPTY_TEMPLATE = empty;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Whether a gateway was started on this folder, and stopped with grace. */
async function makeFolder(data: string, options: string[]): Promise<boolean> {
  const server = join(import.meta.dirname, '../../gateway/server.ts');
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: data, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [server, '--json', ...options], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  return (await ended)[0] === 0;
}
