import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lineOf } from '../../stubs/lines.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { call, openStub } from './partner.ts';

const run = promisify(execFile);

test('a reply that a rule caused names the rule and a working command that removes it', async () => {
  const stub = await openStub('pos', { faults: ['readInventory:status=503'] });
  const { headers, body } = await call(stub, 'GET', '/api/v1/inventory');
  expect(headers.get('x-passerelle-fault')).toBe('readInventory:status=503 (fault-1)');
  expect(body.error.code).toBe('unavailable');
  expect(body.help).toMatchObject({
    hint: expect.stringMatching(/fault rule fault-1 caused this reply.*A reset restores this rule/),
    fault: { source: 'readInventory:status=503', rule: 'fault-1' },
  });
  await run('sh', ['-c', body.help.fault.remove]);
  const after = await call(stub, 'GET', '/api/v1/inventory');
  expect([after.status, after.headers.get('x-passerelle-fault')]).toEqual([401, null]);
});

test.each([
  ['rate-limit', 429, 'rate_limited'],
  ['token-expired', 401, 'token_expired'],
])('%s looks like the real refusal, and says that it is simulated', async (fault, status, code) => {
  const stub = await openStub('pos');
  stub.faults.add(`*:${fault},id=mine`);
  const reply = await call(stub, 'GET', '/api/v1/inventory');
  expect(reply).toMatchObject({ status, body: { error: { code }, help: { fault: { rule: 'mine' } } } });
  expect(reply.body.help.hint).not.toContain('reset');
});

test('a reply that the request asked for says so; an example stays unchanged', async () => {
  const stub = await openStub('cohesion');
  const prefer = (header: string) => call(stub, 'GET', '/api/v1/me', { headers: { prefer: header } });
  const asked = await prefer('code=503');
  expect(asked.body.help).toEqual({ hint: expect.stringContaining('Prefer header'), fault: { source: 'Prefer: code=503' } });
  expect(asked.headers.get('x-passerelle-fault')).toBe('Prefer: code=503');
  const example = await prefer('example');
  expect(example.headers.get('x-passerelle-fault')).toBe('Prefer: example');
  expect(example.body).not.toHaveProperty('help');
});

test.each(['delay=1ms', 'slow=2ms', 'malformed', 'delay=1ms,stage=reply'])('%s: the reply has the header', async (fault) => {
  const stub = await openStub('cohesion', { faults: [`*:${fault}`] });
  const reply = await fetch(`${stub.url}/api/v1/me`);
  expect(reply.headers.get('x-passerelle-fault')).toMatch(new RegExp(`^\\*:${fault.split(',')[0]}.*\\(fault-1\\)$`));
});

test("the terminal's line names the rule and the call that removes it", async () => {
  const stub = await openStub('pos', { faults: ['*:status=500,id=mine'] });
  await call(stub, 'GET', '/api/v1/inventory');
  const line = lineOf({ kind: 'call', call: await stub.waitForCall({}, { timeoutMs: longestWaitMs }) }, { colors: false });
  expect(line).toMatch(/500 .* fault \*:status=500,id=mine {2}DELETE \/_stub\/faults\/mine removes it$/);
});
