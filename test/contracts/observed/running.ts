import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { parseObserved } from '../../../contracts/tools/observed/file.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { eventually } from '../../eventually.ts';
import { fileWith, start } from '../../program.ts';

export const newPath = async () => join(dirname(await fileWith('', 'empty')), 'observed.json');
export const fileOf = async (path: string) => parseObserved(await readFile(path, 'utf8'), path);

/** Starts `observe` as users do. Returns its address when it listens, and what ends it as Ctrl-C does. */
export async function observe(upstream: string, out: string, more: string[] = [], api: ServiceName = 'pos') {
  const running = start(['observe', api, '--upstream', upstream, '--output', out, '--port', '0', ...more]);
  await eventually(() => expect(running.stdout, running.stderr).toContain(' forwards to '));
  const stop = async () => {
    running.child.kill('SIGINT');
    expect(await running.ended).toBe(0);
  };
  return { running, stop, url: running.stdout.split(' ')[0] ?? '' };
}
