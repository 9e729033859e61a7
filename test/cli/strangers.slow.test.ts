import { expect, test } from 'vitest';
import { doctorCommand } from '../../cli/doctor.ts';
import { listenCommand } from '../../cli/listen.ts';
import { stubCommand } from '../../cli/stub.ts';
import { triggerCommand } from '../../cli/trigger.ts';
import { ManageClient } from '../../stubs/listen/manage.ts';
import { listening } from '../listening.ts';
import { runCommand } from '../program.ts';
import { call, openStub } from '../stubs/partner.ts';

/** A server that is no Passerelle, answers everything, and notes what it gets. */
async function openStranger(status = 200, headers = {}) {
  const got: string[] = [];
  const url = await listening((request, response) => {
    got.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"data": [], "status": "ok"}');
  });
  return { got, url };
}

const commands = { stub: stubCommand, trigger: triggerCommand, listen: listenCommand, doctor: doctorCommand };

test.each([
  ['stub', ['reset', '--at']],
  ['stub', ['clock', '72h', '--at']],
  ['stub', ['faults', 'add', 'createSale:status=503', '--at']],
  ['stub', ['assume', 'clear', '--at']],
  ['stub', ['calls', '--follow', '--at']],
  ['stub', ['endpoints', 'add', 'http://127.0.0.1:9/hook', '--at']],
  ['stub', ['payments', 'settle', 'pay_1', '--at']],
  ['stub', ['deliveries', '--at']],
  ['stub', ['resend', 'dlv_1', '--at']],
  ['stub', ['state', '--at']],
  ['trigger', ['sale.completed', '--at']],
  ['listen', ['--at']],
  ['doctor', ['delivery', 'dlv_1', '--at']],
] as const)('a stranger gets neither the token nor the change: %s %j', async (name, args) => {
  const { got, url } = await openStranger();
  const { code, stdout, stderr } = await runCommand(commands[name](), [...args, url, '--token', 'secret']);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('neither a stub nor a gateway')]);
  expect(got).toEqual(['GET /healthz']);
});

test('a token is not sent to a stranger, and a redirect is not followed', async () => {
  const stub = await openStub('pos');
  const { got, url } = await openStranger(307, { location: `${stub.url}/healthz` });
  await expect(new ManageClient({ at: url, token: 'secret' }).resend('dlv_1')).rejects.toThrow('neither a stub nor a gateway');
  expect(got).toEqual(['GET /healthz']);
});

test('an id is not a path', async () => {
  const stub = await openStub('pos');
  await runCommand(stubCommand(), ['faults', 'add', 'createSale:status=503', '--at', stub.url]);
  for (const id of ['..', '.', ''])
    expect(await runCommand(stubCommand(), ['faults', 'remove', id, '--at', stub.url])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `"${id}" is not an id.`,
    });
  expect(await runCommand(stubCommand(), ['faults', 'remove', '../assume', '--at', stub.url])).toMatchObject({
    code: 2,
    stderr: 'There is no fault ../assume.',
  });
  expect((await call(stub, 'GET', '/_stub/faults')).body.data).toHaveLength(1);
});
