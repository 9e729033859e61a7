import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressKey } from '../../gateway/http/limit/address-key.ts';

test('IPv6 addresses of one /64 network share a key; each IPv4 address has its own, in every notation', () => {
  const at = (ip: string) => addressKey({ ip });
  expect(at('2001:db8:1:2::1')).toBe(at('2001:0db8:0001:0002:ffff:ffff:ffff:ffff'));
  expect(at('2001:db8:1:2::1')).not.toBe(at('2001:db8:1:3::1'));
  expect(at('::ffff:203.0.113.7')).toBe(at('203.0.113.7'));
  expect(at('203.0.113.7')).not.toBe(at('203.0.113.8'));
  fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (ip) => typeof at(ip) === 'string'));
});
