import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { call, openStub } from './partner.ts';

const run = promisify(execFile);

/** Exit codes of curl: 52 "Empty reply from server", 18 "transfer closed with outstanding data", 56 "failure in receiving". */
const curlCodes: [rule: string, code: number][] = [
  ['empty', 52],
  ['empty,stage=reply', 52],
  ['hang=20ms', 52],
  ['truncated', 18],
  ['malformed-chunk', 56],
  ['reset', 56],
  ['bandwidth=100000', 0],
  ['slow=20ms', 0],
  ['malformed', 0],
];

test.each([false, true])('what curl says of each fault on the connection, with tls: %s', async (tls) => {
  const stub = await openStub('pos', { tls, faults: curlCodes.map(([rule]) => `readInventory:${rule},times=1`) });
  const codes: unknown[] = [];
  for (const [rule] of curlCodes) {
    const { code } = await run('curl', ['-sk', `${stub.url}/api/v1/inventory`]).catch((error) => error);
    codes.push([rule, code ?? 0]);
  }
  expect(codes).toEqual(curlCodes);
});

test('an operation is down for a period of the clock, and Retry-After says how long', async () => {
  const stub = await openStub('pos', { clock: '2026-11-21T08:00:00Z', faults: ['readInventory:down,for=10m,after=1'] });
  const inventory = async () => {
    const { status, headers, body } = await call(stub, 'GET', '/api/v1/inventory');
    return [status, headers.get('retry-after'), body.error.code];
  };
  expect(await inventory()).toEqual([401, null, 'token_missing']);
  expect(await inventory()).toEqual([503, '600', 'unavailable']);
  await stub.clock.advance('9m');
  expect(await inventory()).toEqual([503, '60', 'unavailable']);
  await stub.clock.advance('1m');
  expect((await inventory())[0]).toBe(401);
  expect(stub.faults.list()).toMatchObject([{ matched: 4, applied: 2 }]);
  await stub.reset();
  expect([(await inventory())[0], await inventory()]).toEqual([401, [503, '600', 'unavailable']]);
});
