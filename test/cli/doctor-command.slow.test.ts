import { expect, test } from 'vitest';
import { doctorCommand } from '../../cli/doctor.ts';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { buildTestApp, operatorToken } from '../helper.ts';
import { fileWith, passerelle, runCommand } from '../program.ts';
import { openStub } from '../stubs/partner.ts';
import { receiver } from '../webhooks/receiver.ts';

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
  const given = ['--secret', secret, '--secret', other, '--body', file];
  const args = [...given, '--header', `X-SERVICE-Signature: ${service()}`, '--language', 'node'];
  const { code, stdout, stderr } = await doctor(args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/✗[\s\S]*The mistake:\s+newline_extra[\s\S]*Do: [\s\S]*Buffer\.concat\(/);
  expect(stdout).not.toContain(secret.slice(6, 20));
  const json = await doctor([...args, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, cause: 'proved', findings: [{ id: 'newline_extra' }] });
});

test('the doctor asks a stub or a gateway, as its operator, why a delivery is refused', async () => {
  const { url } = await receiver((response) => response.writeHead(401).end());
  const stub = await openStub('pos', { webhooks: [{ url }] });
  const [{ id } = { id: '' }] = (await stub.trigger('sale.completed')).deliveries;
  const ask = (args: string[]) =>
    runCommand(doctorCommand(), ['delivery', id, '--at', stub.url, '--token', stub.operatorToken, ...args]);

  expect(await ask([])).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ The signature of attempt 1 is valid.') });
  const wrong = await ask(['--secret', `"${stub.endpoints.list()[0]?.secret}"`, '--language', 'php']);
  expect(wrong).toMatchObject({ code: 1, stdout: expect.stringMatching(/secret_quoted[\s\S]*trim\(getenv/) });
  const another = await ask(['--secret', `whsec_${Buffer.alloc(32).toString('base64')}`]);
  expect(another.stdout).toContain('made with another of the known secrets');
  expect(another.stdout).toContain("The receiver's secret is none of the endpoint's");
  expect(another.stdout, 'no code of a language that nobody asked for').not.toContain('verifySignature(');
  const empty = await ask(['--body', await fileWith(''), '--json']);
  expect(JSON.parse(empty.stdout)).toMatchObject({
    genuine: false,
    finding: { mistakes: [{ id: 'body_empty', code: null }] },
  });

  const gateway = await buildTestApp();
  const at = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const unknown = ['delivery', 'dlv_unknown', '--at', at];
  expect(await runCommand(doctorCommand(), [...unknown, '--token', operatorToken])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('answered 404'),
  });
  expect(await runCommand(doctorCommand(), unknown)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('PASSERELLE_OPERATOR_TOKEN'),
  });
});

test('--at checks a stored request at its own time', async () => {
  const atMs = Date.parse('2026-02-02T02:40:00Z');
  const kept = signatureHeaders({ eventId: 'evt_1', body, atMs, secrets: [secret], headerName: 'X-SERVICE-Signature' });
  const from = await fileWith(JSON.stringify(kept));
  const args = ['--secret', secret, '--body', await fileWith(body), '--headers', from];
  expect(await doctor(args)).toMatchObject({ code: 1, stdout: expect.stringContaining('timestamp_too_old') });
  expect((await doctor([...args, '--received-at', '2026-02-02T02:41:00Z'])).code).toBe(0);
});

test.each([
  [['--body', '/nowhere', '--secret', 's', '--header', 'x'], '/nowhere cannot be read'],
  [['--body', '-', '--secret', 's'], 'No header is given'],
  [['--body', '-', '--header', 'x'], 'No secret is given'],
  [['--secret', 's'], "required option '--body <file>'"],
  [['--body', '-', '--secret', 's', '--header', 'x', '--language', 'cobol'], 'php, python'],
])('%j exits with 2 and says what to do', async (args, message) => {
  expect(await doctor(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});
