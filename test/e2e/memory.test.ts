import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDataDir, root, startProcess } from './process.ts';

/** Returns the most memory that a process has had so far, in MB. */
function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

test.skipIf(process.platform !== 'linux')('a first start and the calls after it take less than 450 MB', async () => {
  execFileSync(process.execPath, [join(root, 'gateway/start/prepare.ts'), '--if-changed']);
  const { call, child, greeting } = await startProcess({ DATA_DIR: newDataDir({ empty: true }) });
  const token = greeting.operator.token;
  for (let index = 0; index < 300; index++) {
    const body = { nom: `Structure ${index}`, type: 'ong', region: 'Poro' };
    expect((await call('POST', '/manage/v1/cohesion/structures', { token, body })).status).toBe(201);
  }
  expect(peakMb(child.pid as number)).toBeLessThan(450);
});
