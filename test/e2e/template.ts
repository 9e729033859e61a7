import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes one data folder with demo data for a run of the whole suite: `newDataDir` copies it, so that not each of some thirty
 * processes has to make its own. A run of single files does without, and so do tests of a first start.
 */
export default async function makeTemplate(): Promise<(() => void) | undefined> {
  if (process.argv.slice(2).some((argument) => /^(test|contracts)\//.test(argument))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-template-'));
  const data = join(folder, 'data');
  const server = join(import.meta.dirname, '../../gateway/server.ts');
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: data, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [server, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  if ((await ended)[0] === 0) process.env.PASSERELLE_TEMPLATE = data;
  return () => rmSync(folder, { recursive: true, force: true });
}
