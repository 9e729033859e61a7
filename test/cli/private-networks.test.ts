import { expect, test } from 'vitest';
import { blockedBecause, privateNetworks, refusedUrl } from '../../gateway/webhooks/sending/guard.ts';

const own = { loopback: true, networks: privateNetworks };

test.each(['10.0.0.1', '172.16.0.1', '192.168.1.1', 'fd12::1', '127.0.0.1', '8.8.8.8'])(
  'a command line tool reaches %s',
  (address) => {
    expect(blockedBecause(address, own)).toBeNull();
  },
);

test.each(['169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', 'fe80::1', '::ffff:169.254.169.254'])(
  'it does not reach %s, where no receiver can be',
  (address) => {
    expect(blockedBecause(address, own)).not.toBeNull();
  },
);

test.each<[string, boolean]>([
  ['http://receiver:3000/hook', true],
  ['http://192.168.1.7/hook', true],
  ['http://8.8.8.8/hook', false],
  ['http://169.254.169.254/hook', false],
  ['ftp://receiver/hook', false],
  ['https://example.org/hook', true],
])('%s may be tried: %j; without the option never over http', (url, allowed) => {
  expect(refusedUrl(new URL(url), own) === null).toBe(allowed);
  if (url.startsWith('http:')) expect(refusedUrl(new URL(url), { loopback: true })).not.toBeNull();
});
