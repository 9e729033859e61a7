import { expect, test } from 'vitest';
import { readSourceAddress } from '../../gateway/base/source-addresses.ts';
import { readSettings } from '../../gateway/start/config.ts';

const ms = (day: string) => Date.parse(`${day}T00:00:00Z`);

test.each([
  ['203.0.113.7', '203.0.113.7', null, null],
  ['198.51.100.0/24@2027-01-15', '198.51.100.0/24', '2027-01-15', null],
  ['2001:DB8:7:0::/48@..2027-06-30', '2001:db8:7::/48', null, '2027-06-30'],
  ['2606:4700::1111@2027-01-15..2027-06-30', '2606:4700::1111', '2027-01-15', '2027-06-30'],
])('%s', (text, address, from, until) => {
  expect(readSourceAddress(text)).toEqual({ address, valid_from: from && ms(from), valid_until: until && ms(until) });
});

test.each([
  ['gateway.example.org', /"gateway.example.org" is not an IP address or a network such as/],
  ['203.0.113', /is not an IP address/],
  ['203.0.113.007', /is not an IP address/],
  ['203.0.113.0/33', /is not an IP address/],
  ['fe80::1%eth0', /is not an IP address/],
  ['203.0.113.7/24', /not the first address of its network: write 203.0.113.0\/24/],
  ['2001:db8::1/48', /write 2001:db8::\/48/],
  ['10.0.0.0/8', /10.0.0.0\/8 is not a public address \(private\): list the addresses that receivers see/],
  ['127.0.0.1', /loopback/],
  ['0.0.0.0/0', /unspecified/],
  ['fd12:3456::/32', /uniqueLocal/],
  ['::ffff:203.0.113.7', /ipv4Mapped/],
  ['203.0.113.7@', /"" is not a day: write @2027-01-15/],
  ['203.0.113.7@..', /".." is not a day/],
  ['203.0.113.7@2027-02-30', /"2027-02-30" is not a day/],
  ['203.0.113.7@tomorrow', /"tomorrow" is not a day/],
  ['203.0.113.7@2027-02-01..2027-01-01', /203.0.113.7 would end on 2027-01-01, before it begins/],
])('%s is refused', (text, why) => {
  expect(readSourceAddress(text)).toMatch(why);
});

test('a start names the setting and what is wrong', () => {
  const read = (value: string) => readSettings({ WEBHOOK_SOURCE_ADDRESSES: value }).WEBHOOK_SOURCE_ADDRESSES;
  expect(read('')).toEqual([]);
  expect(read('203.0.113.7, 203.0.113.8').map(({ address }) => address)).toEqual(['203.0.113.7', '203.0.113.8']);
  expect(() => read('203.0.113.7,192.168.1.1')).toThrow(
    /^WEBHOOK_SOURCE_ADDRESSES=.* cannot be used: 192.168.1.1 is not a public/,
  );
  expect(() => read('203.0.113.7,203.0.113.7@2027-01-15')).toThrow(/lists an address twice/);
});
