import { expect, test } from 'vitest';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { buildTestApp, operatorToken } from '../helper.ts';
import { runHere } from '../program.ts';
import { openReceiver } from '../stubs/partner.ts';

async function gatewayAt() {
  const gateway = await buildTestApp();
  return { gateway, at: await gateway.app.listen({ port: 0, host: '127.0.0.1' }) };
}

test('trigger sends test events of a gateway: to one URL, or to the endpoints that get the event', async () => {
  const { gateway, at } = await gatewayAt();
  const receiver = await openReceiver(204);
  const env = { PASSERELLE_URL: at, PASSERELLE_OPERATOR_TOKEN: operatorToken };
  const run = (...args: string[]) => runHere(['trigger', ...args], { env });

  const sent = await run('sale.completed', '--to', receiver.url, '--data', '{"total": 77}', '--duplicate');
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  expect(sent.stdout).toMatch(
    /An example: nothing changed\. It is a test event of the gateway\.\n {2}delivered .* 204 {2}2 attempts/,
  );
  const [, secret = ''] = /signed with (\S+)/.exec(sent.stdout) ?? [];
  expect(receiver.received.map(({ body, headers }) => verifySignature(body, headers, secret).valid)).toEqual([true, true]);
  expect(JSON.parse(receiver.received[0]?.body ?? '').data).toMatchObject({ total: 77, store_id: expect.any(String) });
  expect((await gateway.manage('GET', '/endpoints')).body.data).toEqual([]);

  expect(await run('plan.closed')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No endpoint of the gateway gets plan.closed'),
  });
  const events = [['sale.completed', 'sync.completed'], ['inventory.low']];
  for (const wanted of events) {
    const body = { service: 'pos', url: receiver.url, events: wanted };
    expect((await gateway.manage('POST', '/endpoints', body)).status).toBe(201);
  }
  expect(await run('inventory.low', '--then', 'sync.completed')).toMatchObject({ code: 0, stderr: '' });
  const names = receiver.received.slice(2).map(({ body }) => JSON.parse(body).event);
  expect(names).toEqual(['inventory.low', 'sync.completed']);
});

test('what a gateway cannot do is refused in one line, before anything is sent', async () => {
  const { gateway, at } = await gatewayAt();
  const cases: [string[], string][] = [
    [['sale.completed'], 'PASSERELLE_OPERATOR_TOKEN'],
    [['sale.completed', '--token', 'wrong'], 'refused the token'],
    [['sale.complete', '--token', operatorToken], 'Did you mean sale.completed?'],
    [['sale.completed', '--token', operatorToken, '--advance', '1h'], 'Only a stub can do --advance'],
    [['sale.completed', '--token', operatorToken, '--no-validate'], 'Only a stub can do --no-validate'],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await runHere(['trigger', '--at', at, ...args]);
    expect({ args, code, stdout, stderr }).toEqual({ args, code: 2, stdout: '', stderr: expect.stringContaining(message) });
  }
  expect((await gateway.manage('GET', '/events')).body.data).toEqual([]);
  expect(await runHere(['stub', 'reset', '--at', at])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${at} is no stub`),
  });
});
