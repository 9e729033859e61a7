import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { fileWith, start } from '../program.ts';
import { openStub } from '../stubs/partner.ts';

/** Runs a command whose reader goes away before it writes, as `| head` does. */
async function unread(args: readonly string[]) {
  const running = start(args);
  running.child.stdout?.destroy();
  return { code: await running.ended, stderr: running.stderr };
}

test('a command whose reader went away ends without a stack trace, with its own exit code', async () => {
  const body = await fileWith('{}');
  const doctor = ['doctor', 'signature', '--secret', 'whsec_x', '--body', body, '--header', 'sha256=x'];
  const runs: [args: string[], code: number][] = [
    [['gaps'], 0],
    [['--help'], 0],
    [doctor, 1],
  ];
  for (const [args, code] of runs) expect({ args, ...(await unread(args)) }).toEqual({ args, code, stderr: '' });
});

test('a stub whose reader went away goes on serving until it is stopped', async () => {
  const port = await freePort();
  const running = start(['stub', 'pos', '--port', String(port)]);
  running.child.stdout?.destroy();
  const served = async () => (await fetch(`http://127.0.0.1:${port}/api/v1/inventory`)).status;
  // Each call writes a line that nobody reads.
  for (let calls = 0; calls < 3; calls++) await eventually(async () => expect(await served()).toBe(401));
  running.child.kill('SIGTERM');
  expect({ code: await running.ended, stderr: running.stderr }).toEqual({ code: 0, stderr: '' });
});

test('calls --follow ends when its reader went away', async () => {
  const stub = await openStub('pos');
  const running = start(['stub', 'calls', '--follow', '--at', stub.url]);
  running.child.stdout?.destroy();
  await fetch(`${stub.url}/api/v1/inventory`);
  expect({ code: await running.ended, stderr: running.stderr }).toEqual({ code: 0, stderr: '' });
});
