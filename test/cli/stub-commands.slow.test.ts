import { expect, test } from 'vitest';
import { stubCommand } from '../../cli/stub.ts';
import { triggerCommand } from '../../cli/trigger.ts';
import { eventually } from '../eventually.ts';
import { runCommand, runHere, start } from '../program.ts';
import { call, openStub, sharedStub } from '../stubs/partner.ts';

/** Runs `passerelle stub ...` against a stub. */
const shellOf = (stub: { url: string }) => ({
  text: (...args: string[]) => runCommand(stubCommand(), [...args, '--at', stub.url]),
  async json(...args: string[]) {
    const { code, stdout, stderr } = await runCommand(stubCommand(), [...args, '--at', stub.url, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  },
});

test('a running stub is reset, and its clock is shown and advanced', async () => {
  const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z' });
  const shell = shellOf(stub);
  expect(await shell.text('clock')).toMatchObject({ code: 0, stdout: '2026-03-01T08:00:00.000Z\n' });
  expect(await shell.json('clock', '72h')).toEqual({ now: '2026-03-04T08:00:00.000Z' });
  expect(await shell.text('reset')).toMatchObject({ code: 0, stdout: 'The stub is as it was at its start.\n' });
  expect(await shell.json('reset')).toMatchObject({ clock: '2026-03-01T08:00:00.000Z', secret: stub.secret });
});

test('a trigger whose --advance is too far sends nothing', async () => {
  const stub = await openStub('pos');
  const sales = (await stub.state()).sales?.length;
  const refused = await runCommand(triggerCommand(), ['sale.completed', '--at', stub.url, '--advance', '99999999d']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('beyond the year 9999') });
  expect((await stub.state()).sales).toHaveLength(sales ?? Number.NaN);
  expect(await stub.deliveries()).toEqual([]);
});

test('faults and calls', async () => {
  const stub = await openStub('pos');
  const shell = shellOf(stub);
  expect(await shell.text('faults')).toMatchObject({ stdout: 'There are no faults.\n' });
  const added = await shell.text('faults', 'add', 'readInventory:status=503,times=1', '*:delay=1ms');
  expect(added.stdout).toBe(
    'fault-1  readInventory:status=503,times=1  applied 0 times\nfault-2  *:delay=1ms  applied 0 times\n',
  );
  await call(stub, 'GET', '/api/v1/inventory');
  await call(stub, 'GET', '/api/v1/inventory');
  expect(await shell.json('faults', 'remove', 'fault-2')).toEqual([
    { id: 'fault-1', rule: 'readInventory:status=503,times=1', applied: 1 },
  ]);
  expect(await shell.json('faults')).toHaveLength(1);
  expect(await shell.json('faults', 'clear')).toEqual([]);
  for (const status of ['5xx', '5XX'])
    expect(await shell.json('calls', '--status', status)).toMatchObject([{ operation: 'readInventory', status: 503 }]);
  const { stdout } = await shell.text('calls', '--operation', 'readInventory');
  expect(stdout).toMatch(/GET .*\/api\/v1\/inventory {2}503 .*\n.*GET .*401/);
});

test('worlds, and each command in one of them', async () => {
  const stub = await openStub('pos');
  const shell = shellOf(stub);
  expect(await shell.text('worlds')).toMatchObject({ stdout: 'There are no worlds.\n' });
  const added = await shell.text('worlds', 'add', 'one', 'other', '--clock', '2026-03-01T08:00:00Z');
  const [one, other] = stub.worlds();
  expect(added.stdout.split('\n')[0]).toBe(`one  ${one?.url}  pk_demo_enterprise_one  ${stub.credentials.apiSecret}`);
  expect(await shell.text('worlds', 'add', 'third', 'one')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is a world "one" already.'),
  });
  const inside = shellOf({ url: other?.url ?? '' });
  expect(await inside.json('clock', '1h')).toEqual({ now: '2026-03-01T09:00:00.000Z' });
  await inside.text('faults', 'add', 'createSale:reset');
  expect([await inside.json('faults'), await shell.json('faults')]).toEqual([[expect.anything()], []]);
  expect(await runCommand(triggerCommand(), ['sale.completed', '--at', other?.url ?? ''])).toMatchObject({ code: 0 });
  expect(await shell.text('worlds', 'remove', 'oter')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean other?'),
  });
  expect((await inside.text('reset')).stdout).toBe('The world is as it was at its start.\n');
  expect(await shell.text('worlds', 'remove', 'one', 'oter')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Removed before that: one.'),
  });
  expect(await shell.json('worlds', 'remove', 'other')).toEqual([]);
  expect(await shell.json('worlds', 'add')).toMatchObject([{ name: 'world-1' }]);
  const wrong = async (path: string) => (await shellOf({ url: `${stub.url}/_stub${path}` }).text('reset')).stderr;
  expect(await wrong('/worlds/wrld-1')).toContain('There is no world "wrld-1". Did you mean world-1?');
  expect(await wrong('/worlds/world-1/_stub')).toContain(`Leave out /_stub: ${stub.url}/_stub/worlds/world-1`);
  expect(await wrong('')).toContain(`Leave out the path: ${stub.url}`);
});

test('calls --follow in a world ends with it', async () => {
  const stub = await openStub('pos');
  const world = await stub.world();
  await call(world, 'GET', '/api/v1/inventory');
  const running = start(['stub', 'calls', '--follow', '--at', world.url]);
  await eventually(() => expect(running.stdout).toContain('/api/v1/inventory'));
  await world.close();
  expect(await running.ended).toBe(0);
  expect(running.stderr).toBe('The world has ended.\n');
});

test('alternatives of the gap register', async () => {
  const stub = await openStub('pos', { assume: { 'pos.sale-status': '200' } });
  const shell = shellOf(stub);
  expect(await shell.text('assume')).toMatchObject({ stdout: 'pos.sale-status=200  200.\n' });
  expect(await shell.json('assume', 'add', 'pos.payment-status=200,pos.webhook-envelope=bare')).toHaveLength(3);
  expect(await shell.json('assume', 'remove', 'pos.sale-status')).toMatchObject([
    { gap: 'pos.payment-status', alternative: '200', text: '200.' },
    { gap: 'pos.webhook-envelope' },
  ]);
  expect(await shell.json('assume', 'replace', 'pos.sale-status=200')).toHaveLength(1);
  expect((await shell.text('assume', 'clear')).stdout).toContain('No alternative is active');
  expect(stub.assumptions.list()).toEqual([]);
});

test('harmless changes, with a sentence each', async () => {
  const stub = await openStub('pos');
  const shell = shellOf(stub);
  const { stdout } = await shell.text('assume', 'harmless');
  expect(stdout).toMatch(/^harmless\.gzip=on {2}It is, by gzip, .*\.$/m);
  expect(stdout).not.toContain('harmless.shorter-pages');
  expect(await shell.text('assume', 'add', 'harmless.gzip')).toMatchObject({
    stdout: expect.stringMatching(/^harmless\.gzip=on /),
  });
  expect(await shell.json('assume', 'add', 'harmless=all')).toHaveLength(stdout.trim().split('\n').length);
  expect(await shell.json('assume', 'remove', 'harmless')).toEqual([]);
});

test('payments are listed, and pending ones are settled', async () => {
  const payment = (id: string, status: 'pending' | 'received') => ({ id, amount: 500, phone: '+2250700000000', status });
  const sale = { reference: 'S-1', store_id: 'S', payment_method: 'mobile_money' as const };
  const stub = await openStub('pos', {
    clock: '2026-03-01T08:00:00Z',
    seed: {
      stores: [{ id: 'S', products: [{ product_id: 'SOAP', name: 'Savon', price: 1500 }] }],
      sales: [
        {
          ...sale,
          items: [{ product_id: 'SOAP' }],
          payments: [
            payment('pay_1', 'received'),
            payment('pay_2', 'pending'),
            { ...payment('pay_3', 'pending'), settles_at: '2026-03-01T08:05:00Z', settles_as: 'timed_out' },
          ],
        },
      ],
    },
  });
  const shell = shellOf(stub);
  expect(await shell.text('payments', '--status', 'pending', '--reference', 'S-1')).toMatchObject({
    stdout:
      'payment  sale  amount  phone           provider      status   ends\n' +
      'pay_2    S-1   500     +2250700000000  orange_money  pending\n' +
      'pay_3    S-1   500     +2250700000000  orange_money  pending  timed_out at 2026-03-01T08:05:00.000Z\n',
  });
  expect(await shell.json('payments', 'settle', 'pay_2', '--as', 'refused')).toMatchObject([{ id: 'pay_2', status: 'refused' }]);
  expect(await shell.text('payments', 'settle', 'pay_3')).toMatchObject({
    stdout: expect.stringMatching(/\npay_3 .* received +2026-03-01T08:00:00\.\d{3}Z\n$/),
  });
  for (const [args, message] of [
    [['settle', 'pay_3'], 'Payment pay_3 is received. Only a pending payment can be settled.'],
    [['settle', 'pay_9'], 'There is no payment pay_9.'],
    [['settle', 'pay_3', '--as', 'refusd'], 'Did you mean refused?'],
    [['settle'], 'Name the id of a payment'],
    [['list', 'pay_3'], 'To settle one, use settle.'],
    [['--as', 'refused'], '--as says how settle ends a payment'],
    [['settle', 'pay_2', '--status', 'pending'], '--status and --reference filter the list'],
    [['--status', 'recieved'], 'Did you mean received?'],
    [['--reference', 'S-2'], 'There is no sale with the reference "S-2". Did you mean S-1?'],
  ] as const)
    expect(await shell.text('payments', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  expect(await shell.text('payments', '--status', 'timed_out')).toMatchObject({ stdout: 'There are no such payments.\n' });
});

test('state prints what GET /_stub/state replies with', async () => {
  const stub = await openStub('pos', { seed: 'empty' });
  const { stdout } = await shellOf(stub).text('state');
  expect(JSON.parse(stdout)).toEqual((await call(stub, 'GET', '/_stub/state')).body.data);
});

const shared = sharedStub('pos');

test.each([
  [['rest'], '"rest" is not an API or a command of stub. Did you mean reset?'],
  [['pso'], 'Did you mean pos?'],
  [['clock', '-5s'], '-5s is in the past: the clock only moves forward. `reset` puts it back'],
  [['clock', '--jsn'], '--json'],
  [['clock', 'soon'], '"soon" is not a duration'],
  [['faults', 'ad', 'x'], '"ad" is not an action. Did you mean add?'],
  [['faults', 'add'], 'Name a rule'],
  [['faults', 'add', 'createSal:reset'], 'createSale?'],
  [['faults', 'clear', 'fault-2'], 'clear takes no values'],
  [['calls', '--operatio', 'x'], 'Did you mean --operation?'],
  [['calls', '--status', 'lost'], 'status: '],
  [['assume', 'add', 'pos.payment-statu=200'], 'Did you mean pos.payment-status?'],
  [['assume', 'add', 'pos.payment-status=200', 'pos.payment-status=202'], 'given twice'],
  [['assume', 'add', 'harmless.gzpi'], 'Did you mean harmless.gzip?'],
  // The nearest entry of the register, active or not.
  [['assume', 'remove', 'pos.sale-statu'], 'Did you mean pos.sale-status?'],
  [['assume', 'remove', 'pos.currencyy=smallest-unit'], 'Did you mean pos.currency?'],
  [['assume', 'harmless', 'gzip'], ''],
  [['deliveries', '--at', 'http://127.0.0.1:9'], 'Nothing answers at http://127.0.0.1:9'],
  [['state', '--token', 'x', 'extra'], 'too many arguments'],
])('stub %j is refused with a helpful line', async (args, message) => {
  const { code, stdout, stderr } = await runHere(['stub', ...args], { env: { PASSERELLE_URL: shared().url } });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});

test('calls --follow prints each call once, also after a reset, until the stub ends', async () => {
  const stub = await openStub('pos');
  await call(stub, 'GET', '/api/v1/inventory');
  const running = start(['stub', 'calls', '--follow', '--json', '--path', '/api/v1/inventory', '--at', stub.url]);
  const seen = () => running.jsonLines().map(({ id }) => id);
  const ids = () => stub.calls({ path: '/api/v1/inventory' }).map(({ id }) => id);
  await eventually(() => expect(seen()).toEqual(ids()));
  await call(stub, 'GET', '/api/v1/inventory');
  await call(stub, 'GET', '/api/v1/nowhere');
  await eventually(() => expect(seen()).toEqual(ids()));
  const before = ids();
  expect(before).toHaveLength(2);
  await stub.reset();
  await call(stub, 'GET', '/api/v1/inventory');
  await eventually(() => expect(seen()).toEqual([...before, ...ids()]));
  await stub.close();
  expect(await running.ended).toBe(0);
  expect(running.stderr).toBe('The stub has ended.\n');
});

test('calls --follow prints a call that a reset follows at once', async () => {
  const stub = await openStub('pos');
  const running = start(['stub', 'calls', '--follow', '--json', '--at', stub.url]);
  const paths = () => running.jsonLines().map(({ path }) => path);
  await call(stub, 'GET', '/api/v1/first');
  await eventually(() => expect(paths()).toEqual(['/api/v1/first']));
  for (const name of ['a', 'b', 'c']) {
    await call(stub, 'GET', `/api/v1/${name}`);
    await stub.reset();
  }
  await eventually(() => expect(paths()).toEqual(['/api/v1/first', '/api/v1/a', '/api/v1/b', '/api/v1/c']));
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
});

test('calls --follow refuses a wrong filter, and ends with a stub that received no call', async () => {
  const stub = await openStub('pos');
  const wrong = start(['stub', 'calls', '--follow', '--operation', 'createSail', '--at', stub.url]);
  expect(await wrong.ended).toBe(2);
  expect(wrong.stderr).toContain('Did you mean createSale?');
  const stream = await fetch(`${stub.url}/_stub/calls/stream`);
  await stub.close();
  expect(await stream.text()).toBe('');
});

test('trigger without an event lists them', async () => {
  const { code, stdout } = await runCommand(triggerCommand(), []);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^pos +sale\.completed +A sale has been completed$/m)]);
  const listed = JSON.parse((await runCommand(triggerCommand(), ['--json'])).stdout);
  expect(listed).toHaveLength(10);
  expect(listed).toContainEqual({ service: 'cohesion', event: 'plan.closed', summary: 'Annual plan closed' });
});
