import { expect, test } from 'vitest';
import { doctorCommand } from '../../cli/doctor.ts';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { fileWith, passerelle, runCommand } from '../program.ts';

const [secret, other] = [newSigningSecret(), newSigningSecret()];
const body = '{"event":"sale.completed","ville":"Bouaké"}';
const headers = () =>
  signatureHeaders({ eventId: 'evt_1', body, atMs: Date.now(), secrets: [secret], headerName: 'X-SERVICE-Signature' });
const doctor = (args: string[]) => runCommand(doctorCommand(), ['signature', ...args]);
const service = () => headers()['X-SERVICE-Signature'] as string;

test('a valid signature exits with 0: body from standard input, one header, secret from the environment', async () => {
  const options = { input: body, env: { PASSERELLE_SIGNING_SECRET: secret } };
  const run = await passerelle(['doctor', 'signature', '--body', '-', '--header', service()], options);
  expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('✓ The signature is valid') });
});

test('headers are read from a file, as lines or as JSON', async () => {
  const file = await fileWith(body);
  const lines = Object.entries(headers()).map(([name, value]) => `${name}: ${value}`);
  const asLines = await fileWith(['POST /hook HTTP/1.1', 'Host: here', ...lines, '', body].join('\r\n'));
  const asJson = await fileWith(JSON.stringify(headers()));
  for (const from of [asLines, asJson]) {
    const { code, stdout } = await doctor(['--secret', secret, '--body', file, '--headers', from, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, scheme: 'standard-webhooks', replayChecked: true });
  }
});

test('an invalid signature exits with 1 and shows the mistake, the fix and a line of code, but no secret', async () => {
  const file = await fileWith(`${body}\n`);
  const args = ['--secret', secret, '--secret', other, '--body', file, '--header', `X-SERVICE-Signature: ${service()}`];
  const { code, stdout, stderr } = await doctor(args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/✗[\s\S]*The mistake:\s+newline_extra[\s\S]*Do: [\s\S]*verifySignature\(/);
  expect(stdout).not.toContain(secret.slice(6, 20));
  const json = await doctor([...args, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, cause: 'proved', findings: [{ id: 'newline_extra' }] });
});

test('the doctor finds the secret of another endpoint among the given ones', async () => {
  const args = ['--secret', other, '--secret', secret, '--body', await fileWith(body), '--header', service()];
  expect(await doctor(args)).toMatchObject({ code: 1, stdout: expect.stringContaining('another_secret') });
});

test('--at checks a stored request at its own time', async () => {
  const atMs = Date.parse('2026-02-02T02:40:00Z');
  const kept = signatureHeaders({ eventId: 'evt_1', body, atMs, secrets: [secret], headerName: 'X-SERVICE-Signature' });
  const from = await fileWith(JSON.stringify(kept));
  const args = ['--secret', secret, '--body', await fileWith(body), '--headers', from];
  expect(await doctor(args)).toMatchObject({ code: 1, stdout: expect.stringContaining('timestamp_too_old') });
  expect((await doctor([...args, '--at', '2026-02-02T02:41:00Z'])).code).toBe(0);
});

test.each([
  [['--body', '/nowhere', '--secret', 's', '--header', 'x'], '/nowhere cannot be read'],
  [['--body', '-', '--secret', 's'], 'No header is given'],
  [['--body', '-', '--header', 'x'], 'No secret is given'],
  [['--secret', 's'], "required option '--body <file>'"],
])('%j exits with 2 and says what to do', async (args, message) => {
  expect(await doctor(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});
