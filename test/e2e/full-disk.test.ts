import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newDataDir, startProcess } from './process.ts';

/** A small file system, which only root can mount. */
function mountSmallDisk(): string | undefined {
  const folder = newDataDir({ empty: true });
  const { status, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', folder]);
  if (error || status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('skipped: the full disk, since only root can mount a small one\n');

test.skipIf(!isRoot)(
  'on a full disk writes are refused with 503, and acknowledged data is complete once there is space again',
  async (context) => {
    const disk = mountSmallDisk();
    if (!disk) return context.skip('a tmpfs cannot be mounted here');
    const { call, greeting } = await startProcess({ DATA_DIR: newDataDir({ inside: disk }) }, ['--json', '--no-demo']);
    const token = greeting.operator.token;
    const acknowledged: number[] = [];
    const create = async () => {
      const body = { nom: `Structure ${'x'.repeat(180)}`, type: 'ong', region: 'Poro' };
      const reply = await call('POST', '/manage/v1/cohesion/structures', { token, body });
      if (reply.status === 201) acknowledged.push(reply.body.data.id);
      return reply;
    };
    const filler = join(disk, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(80 * 1024 * 1024))).toThrow(/ENOSPC/);

    let refused = await create();
    for (let call = 0; call < 2000 && refused.status === 201; call++) refused = await create();
    expect([refused.status, refused.headers.get('retry-after'), refused.body.error.code]).toEqual([503, '5', 'unavailable']);

    rmSync(filler);
    expect((await create()).status).toBe(201);
    const held = new Set<number>();
    for (let cursor = ''; ; ) {
      const page = (await call('GET', `/manage/v1/cohesion/structures?limit=100${cursor}`, { token })).body;
      for (const { id } of page.data) held.add(id);
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect([...held].sort((a, b) => a - b)).toEqual(acknowledged);
    // Records that could not be written in the meantime were kept in memory.
    expect((await call('GET', '/manage/v1/calls?status=503', { token })).body).toMatchObject({ recorder: { lost: 0 } });
  },
);
