import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkHistoryCommand } from '../../cli/check-history.ts';
import { fileWith, passerelle, runCommand } from '../program.ts';

const endpoint = { kind: 'endpoint', endpoint: 'orders' };
const acknowledged = { kind: 'acknowledged', event: 'sale-1', at: '2026-11-26T08:00:00+01:00' };
const received = { kind: 'received', endpoint: 'orders', event: 'sale-1', at: Date.UTC(2026, 10, 26, 7), status: 204 };
const ledger = { kind: 'ledger', endpoint: 'orders', event: 'sale-1', state: 'delivered' };

const textOf = (...lines: object[]) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
const checkText = async (text: string, ...options: string[]) =>
  runCommand(checkHistoryCommand(), [await fileWith(text, 'history.jsonl'), ...options]);
const check = (...lines: object[]) => checkText(textOf(...lines));

test('a history without a finding, from standard input, exits with 0 and says what was not checked', async () => {
  const { code, stdout, stderr } = await passerelle(['check-history', '-'], {
    input: `\uFEFF${textOf(endpoint, acknowledged, { ...received, 'x-note': 'ours' }).replaceAll('\n', '\r\n')}\r\n`,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('✓ lost');
  expect(stdout).toContain('- altered  no line has a digest');
  expect(stdout).toContain('1 acknowledged event, 1 owed to endpoints: 1 taken, 0 pending');
});

test('a finding exits with 1, and is in the text, in JSON and in JUnit with its lines', async () => {
  const lines = [endpoint, acknowledged, { ...received, status: 500 }, ledger];
  const text = 'The ledger says delivered, and no receiver took it.';
  const { code, stdout } = await check(...lines);
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ sale-1 at orders\n +The ledger says delivered.*\n +lines +2, 4/);
  const json = JSON.parse((await checkText(textOf(...lines), '--json')).stdout);
  expect(json).toMatchObject({ failed: true, found: { lost: 1 }, counts: { owed: 1, taken: 0 } });
  expect(json.findings).toEqual([{ rule: 'lost', event: 'sale-1', endpoint: 'orders', text, lines: [2, 4] }]);
  const output = `${await fileWith('')}.xml`;
  await checkText(textOf(...lines), '--output', output);
  expect(await readFile(output, 'utf8')).toContain('name="sale-1 at orders"');
});

test('clocks may differ by --skew', async () => {
  const lines = [endpoint, acknowledged, received, { ...ledger, at: received.at - 3000 }];
  expect((await checkText(textOf(...lines), '--skew', '3s')).code).toBe(0);
  const { code, stdout } = await checkText(textOf(...lines), '--skew', '2s');
  expect([code, stdout]).toEqual([1, expect.stringContaining('It was sent 3000 ms after the ledger had it as delivered.')]);
  expect((await checkText(textOf(...lines), '--skew', 'soon')).stderr).toContain('Write a number with its unit');
});

test('only the first hundred findings of a rule are kept, and all are counted', async () => {
  const many = Array.from({ length: 250 }, (_, at) => ({ ...acknowledged, event: `sale-${at}` }));
  const json = JSON.parse((await checkText(textOf(endpoint, ...many), '--json')).stdout);
  expect(json.found).toEqual({ lost: 250 });
  expect(json.findings).toHaveLength(100);
});

test.each([
  ['an unknown kind', { ...received, kind: 'recieved' }, 'kind is "recieved". Did you mean "received"?'],
  ['no kind', { event: 'sale-1' }, 'kind is missing. It must be one of acknowledged, received, endpoint, ledger.'],
  ['an unknown field', { ...received, statuss: 1 }, '"statuss" is no field of received. Did you mean "status"?'],
  ['a missing field', { ...ledger, state: undefined }, 'state of ledger is wrong:'],
  ['a time without a zone', { ...received, at: '2026-11-26T08:00:00' }, 'at of received is wrong: It must be milliseconds since'],
  ['a list', [received], 'It must be an object. Write each one on a line of its own'],
  ['an endpoint after its request', endpoint, 'orders is declared after its first request (line 2).'],
  ['nobody to whom an event is owed', acknowledged, 'It has no endpoints, and none is declared for this time above.'],
])('%s is refused with the line', async (_, line, message) => {
  const { code, stderr } = await check({ ...acknowledged, endpoints: ['orders'] }, received, line);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^Line 3 of .*history\.jsonl: /);
  expect(stderr).toContain(message);
});

test.each([
  ['ended', { max_in_flight: 1 }, {}, 'ended is missing, and orders is declared with max_in_flight.'],
  ['a sequence', { ordered: true }, {}, 'sequence is missing, and orders is declared as ordered.'],
  ['one type of sequence', { ordered: true }, { sequence: 2 }, 'sequence is a number, but an earlier one is a string.'],
])('a limit that cannot be checked without %s is refused', async (_, limit, more, message) => {
  const first = 'sequence' in more ? [{ ...received, sequence: 'a' }] : [];
  const { code, stderr } = await check({ ...endpoint, ...limit }, acknowledged, ...first, { ...received, ...more });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test.each([
  ['an empty file', '', 'history.jsonl is empty. Did its writer run, and close it?'],
  ['a cut last line', `${textOf(endpoint)}{"kind":"rece`, 'It is the last one, and it is cut: was its writer stopped?'],
  ['text', 'hello\n', 'It is not JSON:'],
  ['no acknowledgement', textOf(received), 'No line says what was acknowledged, so nothing can be lost.'],
])('%s cannot be checked', async (_, text, message) => {
  const { code, stderr } = await checkText(text);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('a file that is not there cannot be checked', async () => {
  const { code, stderr } = await runCommand(checkHistoryCommand(), ['/nowhere/history.jsonl']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('/nowhere/history.jsonl cannot be read: ENOENT')]);
});
