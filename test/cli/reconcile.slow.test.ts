import { expect, test } from 'vitest';
import { reconcileCommand } from '../../cli/reconcile.ts';
import { openWorld } from '../profile/webhook-world.ts';
import { fileWith, passerelle, runCommand } from '../program.ts';
import { event, idAt } from '../store/rows.ts';
import { call, openStub, signIn } from '../stubs/partner.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 20, 9);
const period = ['--since', '2026-11-20T00:00:00Z', '--until', '2026-11-22T00:00:00+00:00'];

/** A gateway with 600 events in each of three hours of two days, of which every other one is of another partner. */
async function furnished() {
  const world = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await world.store(id);
  const aya = await world.account('Aya', ['STORE-A']);
  const at = await world.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const ids = [0, 1, 24].flatMap((hours) =>
    Array.from({ length: 600 }, (_, serial) => idAt('evt', start + hours * hour + serial, serial)),
  );
  const rows = ids.map((id, serial) => event(id, { subject: serial % 2 ? 'STORE-A' : 'STORE-B', body: `{"serial":${serial}}` }));
  await world.gateway.store.append('events', rows);
  const own = ids.filter((_, serial) => serial % 2);
  const run = async (lines: readonly string[], ...options: string[]) =>
    runCommand(reconcileCommand(), [await fileWith(lines.join('\n')), '--at', at, '--token', aya.token, ...period, ...options]);
  return { at, aya, own, run };
}

test('nothing is missing, whatever the lines look like, and the command reads standard input', async () => {
  const { at, aya, own } = await furnished();
  const shapes = [(id: string) => id, (id: string) => `{"headers":{"webhook-id":"${id}"},"body":{"event":"sale.completed"}}`];
  const lines = own.toReversed().map((id, line) => shapes[line % 2]?.(id));
  // Of another period, and twice.
  const input = `\uFEFF${[...lines, idAt('evt', start - 100 * hour, 1), own[0], ''].join('\r\n')}`;
  const env = { PASSERELLE_URL: at, PASSERELLE_TOKEN: aya.token };
  const { code, stdout, stderr } = await passerelle(['reconcile', '-', ...period], { env, input });
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'No event is missing from 2026-11-20T00:00:00.000Z to 2026-11-22T00:00:00.000Z.\n',
    stderr: 'Comparing 2 days\n',
  });
});

test('one planted hole is found, and what is stored of a test is no hole', async () => {
  const { own, run } = await furnished();
  const [hole] = own.splice(444, 1) as [string];
  const other = idAt('evt', start, 999);
  const text = await run([...own, other]);
  expect(text.code).toBe(1);
  expect(text.stdout.split('\n').slice(0, 2)).toEqual(['2026-11-20T10:00:00.000Z  1 missing', `  ${hole}`]);
  expect(text.stdout).toContain('1 id of yours is of no event that you may see now');
  expect(text.stdout).toContain('1 event missing from 2026-11-20T00:00:00.000Z');
  expect(JSON.parse((await run([...own, other], '--json')).stdout)).toMatchObject({
    missing: 1,
    hours: [
      { hour: '2026-11-20T09:00:00.000Z', missing: [], unknown: [other] },
      { hour: '2026-11-20T10:00:00.000Z', missing: [hole], unknown: [] },
    ],
  });
});

test('only some types are compared, or those of a consumer', async () => {
  const { aya, own, run } = await furnished();
  await aya.data('POST', '/consumers', { name: 'stock', types: ['inventory.low'] });
  // All of the gateway's events are sales.
  for (const only of [
    ['--types', 'inventory.low'],
    ['--consumer', 'stock'],
  ])
    expect((await run([], ...only)).code).toBe(0);
  expect((await run([], '--types', 'inventory.low,sale.completed')).stdout).toContain(`${own.length} events missing`);
  const refused = async (...options: string[]) => (await run([], ...options)).stderr;
  expect(await refused('--types', 'sale.complete')).toMatch(/answered 400: .*sale\.complete/);
  expect(await refused('--consumer', 'erp')).toContain('You have no consumer "erp"');
  expect(await refused('--consumer', 'stock', '--types', 'inventory.low')).toContain('leave out "types", or "consumer"');
});

test('--fetch prints the events that are missing, over a hundred too', async () => {
  const { own, run } = await furnished();
  const { code, stdout, stderr } = await run(own.slice(250), '--fetch');
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, events.map(({ id }) => id)]).toEqual([1, own.slice(0, 250)]);
  expect(events[0]).toMatchObject({ subject: 'STORE-A', payload: { serial: 1 } });
  expect(stderr).toContain('250 events missing');
});

test('a stub with --console is compared too; one without it says how to start it', async () => {
  const stub = await openStub('pos', { console: true });
  const [{ id: kept }, { id: lost }] = [await stub.trigger('sale.completed'), await stub.trigger('inventory.low')];
  const now = Math.floor(stub.clock.now() / hour) * hour;
  const around = ['--since', new Date(now - hour).toISOString(), '--until', new Date(now + 2 * hour).toISOString()];
  const run = async (at: string, token: string) =>
    runCommand(reconcileCommand(), [await fileWith(`${kept}\n`), '--at', at, '--token', token, ...around]);
  const { code, stdout } = await run(stub.url, await signIn(stub));
  expect([code, stdout]).toEqual([1, expect.stringContaining(lost)]);
  const plain = await openStub('pos');
  expect(await run(plain.url, await signIn(plain))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Start a stub with --console'),
  });
  expect((await call(stub, 'GET', '/profile/v1/events/by-id', { token: await signIn(stub) })).status).toBe(400);
});

test.each([
  [['evt_1'], [], 'Line 1 of FILE has no webhook-id'],
  [[idAt('evt', 1, 1), '', '{"event": "sale.completed"}'], [], 'Line 3 of FILE has no webhook-id'],
  [[`${idAt('evt', 1, 1)} ${idAt('evt', 1, 2)}`], [], 'Line 1 of FILE has more than one webhook-id'],
  [[], ['--since', '2026-11-25T08:30:00Z'], 'It must be the beginning of an hour'],
  [[], ['--since', '2026-11-25T08:00:00'], 'It must be the beginning of an hour with its zone'],
  [[], ['--since', 'yesterday'], 'It must be the beginning of an hour'],
  [[], ['--since', '2026-11-25T08:00:00Z', '--until', '2026-11-25T07:00:00Z'], 'change --since or --until'],
  [[], ['--fetch', '--json'], 'leave out --json'],
  [[], ['--fetched'], 'Did you mean --fetch?'],
  [[], ['--at', 'localhost'], 'It must be an address'],
])('%s with %s is refused: %s', async (lines, options, message) => {
  const file = await fileWith(lines.join('\n'));
  const args = [file, '--at', 'http://127.0.0.1:9', '--token', 'x', ...options];
  const { code, stderr } = await runCommand(reconcileCommand(), args);
  expect([code, stderr.replaceAll(file, 'FILE')]).toEqual([2, expect.stringContaining(message)]);
});

test('a missing address, token or file, and a token of nobody, are refused with what to do', async () => {
  const { at } = await furnished();
  const file = await fileWith('');
  const run = async (...args: string[]) => (await runCommand(reconcileCommand(), args)).stderr;
  expect(await run(file)).toContain('pass --at or set PASSERELLE_URL');
  expect(await run(file, '--at', at)).toContain('pass --token or set PASSERELLE_TOKEN');
  const first = await passerelle(['--at', at, 'reconcile', file]);
  expect(first).toMatchObject({ code: 2, stderr: 'passerelle: Options follow the command: passerelle reconcile --at ...\n' });
  const unset = await passerelle(['reconcile', file, '--at', at], { env: { PASSERELLE_TOKEN: '' } });
  expect(unset).toMatchObject({ code: 2, stderr: expect.stringContaining('The value of PASSERELLE_TOKEN is empty.') });
  expect(await run('no-such-file', '--at', at, '--token', 'x')).toContain('no-such-file cannot be read');
  expect(await run(file, '--at', at, '--token', 'x')).toContain('refused the token');
});
