import { expect, test } from 'vitest';
import { stubCommand } from '../../cli/stub.ts';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { eventually } from '../eventually.ts';
import { buildTestApp, operatorToken } from '../helper.ts';
import { runCommand, start } from '../program.ts';
import { openReceiver, openStub } from '../stubs/partner.ts';

/** Runs `passerelle stub ...` against what is at this URL. */
function shellAt(at: string) {
  const text = (...args: string[]) => runCommand(stubCommand(), [...args, '--at', at, '--token', operatorToken]);
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await text(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  return { at, text, json };
}

async function gatewayAt() {
  // The first retry is due in an hour, so that a delivery stays pending for as long as a test looks at it.
  const gateway = await buildTestApp({ settings: { WEBHOOK_RETRY_SECONDS: '0,3600' } });
  return { gateway, ...shellAt(await gateway.app.listen({ port: 0, host: '127.0.0.1' })) };
}

/** Opens it, and returns what sends an event to an endpoint. */
const places = {
  async gateway() {
    const { gateway, ...shell } = await gatewayAt();
    const send = (id: string) => gateway.manage('POST', `/endpoints/${id}/test`, { event_type: 'sync.completed' });
    return { ...shell, send };
  },
  async stub() {
    const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z' });
    return { ...shellAt(stub.url), send: () => stub.trigger('sync.completed') };
  },
};

test('the calls that a gateway received, without those of operators', async () => {
  const { at, text, json } = await gatewayAt();
  for (const path of ['/pos/api/v1/inventory?store_id=S-1', '/cohesion/api/v1/me', '/pos/api/v1/nowhere']) await fetch(at + path);
  const calls = await json('calls');
  expect(calls.map(({ path, status }: { path: string; status: number }) => [path, status])).toEqual([
    ['/pos/api/v1/inventory?store_id=S-1', 401],
    ['/cohesion/api/v1/me', 401],
    ['/pos/api/v1/nowhere', 404],
  ]);
  for (const status of ['4xx', '4XX'])
    expect(await json('calls', '--operation', 'readMe', '--status', status, '--method', 'get')).toEqual([calls[1]]);
  expect(await text('calls', '--method', 'PSOT')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('"PSOT" is not a method. Did you mean POST?'),
  });
  expect(await json('calls', '--path', '/pos/api/v1/inventory')).toEqual([calls[0]]);
  expect(await json('calls', '--path', '/pos/api/v1')).toEqual([]);
  expect((await text('calls', '--operation', 'readMe')).stdout).toMatch(/GET .*\/cohesion\/api\/v1\/me {2}401 .* ms/);

  const shell = start(['stub', 'calls', '--follow', '--json', '--at', at, '--token', operatorToken]);
  const followed = () => shell.jsonLines().map(({ path }) => path);
  await eventually(() => expect(followed()).toHaveLength(3));
  await fetch(`${at}/pos/api/v1/reports`);
  await eventually(() => expect(followed().slice(3)).toEqual(['/pos/api/v1/reports']));
  shell.child.kill('SIGTERM');
  expect(await shell.ended).toBe(0);
});

test.each(['gateway', 'stub'] as const)('endpoints, deliveries and a resend of a %s', async (place) => {
  const { text, json, send } = await places[place]();
  const receiver = await openReceiver(500, 204);
  expect(await text('endpoints', 'add', receiver.url, 'bogus', '--service', 'pos')).toMatchObject({ code: 2 });
  expect(await json('endpoints')).toEqual([]);
  const events = ['sale.completed', 'sync.completed'];
  const [endpoint] = await json('endpoints', 'add', receiver.url, '--events', events.join());
  expect(endpoint).toMatchObject({ url: receiver.url, events, secret: expect.stringMatching(/^whsec_/) });
  const [listed] = await json('endpoints', 'list');
  expect({ ...listed, secret: endpoint.secret }).toEqual(endpoint);

  await send(endpoint.id);
  await eventually(async () => expect(await json('deliveries', '--status', 'pending')).toMatchObject([{ attempts: 1 }]));
  const [delivery] = await json('deliveries', '--event-type', 'sync.completed', '--endpoint-id', endpoint.id);
  expect((await text('deliveries')).stdout).toBe(`${delivery.id}  sync.completed  pending  ${receiver.url}  500  1 attempt\n`);
  expect(await text('deliveries', '--status', 'failed')).toMatchObject({ stdout: 'There are no deliveries.\n' });
  const resent = await text('resend', delivery.id);
  expect(resent.stdout).toBe(`${delivery.id}  sync.completed  delivered  ${receiver.url}  204  2 attempts\n`);
  const genuine = receiver.received.map(({ body, headers }) => verifySignature(body, headers, endpoint.secret).valid);
  expect(genuine).toEqual([true, true]);
  expect(await json('endpoints', 'remove', endpoint.id)).toEqual([]);
});

test('what a gateway cannot do, and a misspelt filter, is refused in one line', async () => {
  const { text } = await gatewayAt();
  const cases: [args: string[], message: string][] = [
    [['reset'], 'Only a stub can do reset'],
    [['clock', '1h'], 'Only a stub can do clock'],
    [['faults'], 'Only a stub can do faults'],
    [['state'], 'Only a stub can do state'],
    [['deliveries', '--event-type', 'sale.complete'], 'Did you mean sale.completed?'],
    [['deliveries', '--endpoint-id', 'ep_1'], 'There is no endpoint ep_1'],
    [['deliveries', '--event-id', 'evt_1'], 'There is no event evt_1'],
    [['calls', '--operation', 'createSail'], 'Did you mean createSale?'],
    [['resend', 'dlv_1'], 'There is no delivery dlv_1'],
    [['endpoints', 'add', 'http://127.0.0.1:9/', '--events', 'sale.complete'], 'Did you mean sale.completed?'],
    [['endpoints', 'add', 'localhost:3000/hook', '--service', 'pos'], 'Write http://localhost:3000/hook'],
    [['endpoints', 'add', 'http://127.0.0.1:9/'], '--service pos'],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await text(...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr).not.toContain('\n');
  }
});

test('a gateway asks for the token, and an address with a path too much is named', async () => {
  const { at } = await gatewayAt();
  expect(await runCommand(stubCommand(), ['calls', '--at', at])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('PASSERELLE_OPERATOR_TOKEN'),
  });
  const stub = await openStub('pos');
  for (const url of [at, stub.url])
    expect(await runCommand(stubCommand(), ['calls', '--at', `${url}/api/v1`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`neither a stub nor a gateway: its /healthz does not say so. Leave out the path: ${url}`),
    });
});
