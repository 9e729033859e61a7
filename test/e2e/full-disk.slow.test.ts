import { expect, test } from 'vitest';
import { mountSmallDisk } from '../small-disk.ts';
import { allPages } from './operator-walk.ts';
import { newDataDir, startProcess } from './process.ts';

test('on a full disk writes are refused with 503, and acknowledged data is complete once there is space again', async (context) => {
  const disk = mountSmallDisk(160);
  if (!disk) return context.skip('a tmpfs cannot be mounted here');
  const { call, child, exited, greeting } = await startProcess(
    { DURABILITY: 'disk', DATA_DIR: newDataDir({ inside: disk.folder }) },
    ['--json', '--no-demo'],
  );
  const token = greeting.operator.token;
  const acknowledged: number[] = [];
  const create = async () => {
    const body = { nom: `Structure ${'x'.repeat(180)}`, type: 'ong', region: 'Poro' };
    const reply = await call('POST', '/manage/v1/cohesion/structures', { token, body });
    if (reply.status === 201) acknowledged.push(reply.body.data.id);
    return reply;
  };
  const get = async (path: string) => (await call('GET', path, { token })).body;
  const held = async () => (await allPages(get, '/manage/v1/cohesion/structures?')).map(({ id }) => id).sort((a, b) => a - b);
  for (let round = 0; round < 2; round++) {
    disk.fill();
    let refused = await create();
    for (let call = 0; call < 2000 && refused.status === 201; call++) refused = await create();
    expect([refused.status, refused.headers.get('retry-after'), refused.body.error.code]).toEqual([503, '5', 'unavailable']);
    // Reads go on, and monitoring sees it.
    expect(await held()).toEqual(acknowledged);
    expect((await call('GET', '/readyz')).status).toBe(503);
    disk.free();
    expect((await create()).status).toBe(201);
    expect((await call('GET', '/readyz')).status).toBe(200);
  }
  expect(await held()).toEqual(acknowledged);
  // Records that could not be written in the meantime were kept in memory.
  expect((await call('GET', '/manage/v1/calls?status=503', { token })).body).toMatchObject({ recorder: { lost: 0 } });

  disk.fill();
  expect((await create()).status).toBe(503);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});
