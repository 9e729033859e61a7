import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blockListOf } from '../../gateway/base/addresses.ts';
import { readSettings } from '../../gateway/start/config.ts';
import { webhookSettings } from '../../gateway/start/webhook-settings.ts';
import { createEndpoint, type EndpointRules } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { blockedBecause, isInAllowedNetwork, privateNetworks } from '../../gateway/webhooks/sending/guard.ts';
import { rules, settled, sold, startHarness } from './harness.ts';

/** A list that allows far more than it should. */
const everything = { loopback: false, networks: blockListOf(['0.0.0.0/0', '::/0']) };

const byte = fc.nat(255);
const ipv4 = fc.tuple(fc.constantFrom(10, 100, 127, 168, 169, 172, 192, 203), byte, byte, byte).map((parts) => parts.join('.'));
const local = fc
  .tuple(fc.constantFrom('fd00:ec2', 'fd12:3456', 'fe80', 'ff02', '2001:db8', '2606:4700', ':'), fc.nat(0xffff))
  .map(([prefix, last]) => `${prefix}::${last.toString(16)}`.replace(/^:+/, '::'));
const addresses = fc.oneof(ipv4, fc.ipV4(), local, fc.ipV6());

/**
 * The IPv6 addresses that stand for an IPv4 address. `judged`: NAT64, SIIT and 6to4. `blocked`: compatible ones, and the local prefix of
 * NAT64.
 */
function translated(address: string): { judged: string[]; blocked: string[] } {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(address).octets;
  const halves = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return {
    judged: [`64:ff9b::${halves}`, `::ffff:0:${halves}`, `2002:${halves}::`],
    blocked: [`::${halves}`, `64:ff9b:1::${halves}`],
  };
}

const neverAllowed = [
  '127.0.0.1',
  '0.0.0.0',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'ff02::1',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd00:ec2::254%eth0',
];

describe('addresses', () => {
  test.each(neverAllowed)('%s stays blocked, in every form, even if the list has all addresses', (address) => {
    const { judged, blocked } = isIPv4(address) ? translated(address) : { judged: [], blocked: [] };
    const forms = isIPv4(address) ? [address, `::ffff:${address}`, ...judged, ...blocked] : [address];
    for (const form of forms) expect(blockedBecause(form, everything), form).not.toBeNull();
  });

  test('a list opens private addresses in its networks, and nothing else', () => {
    const networks = fc
      .array(
        fc.constantFrom(
          '10.0.0.0/8',
          '10.20.0.0/16',
          '100.64.0.0/10',
          '192.168.0.0/24',
          'fd00::/8',
          'fd12:3456::/32',
          '::/0',
          '0.0.0.0/0',
        ),
      )
      .map((list) => ({ loopback: false, networks: blockListOf(list) }));
    const ranges = ['private', 'carrierGradeNat', 'uniqueLocal'];
    const check = fc.property(addresses, networks, (address, allow) => {
      const before = blockedBecause(address, { loopback: false });
      const after = blockedBecause(address, allow);
      if (before === null || after !== null) return after === before;
      const parsed = ipaddr.process(address);
      return ranges.includes(parsed.range()) && allow.networks.check(parsed.toString(), parsed.kind());
    });
    fc.assert(check, { numRuns: 2000 });
  });

  test('an IPv4 address counts the same when it is mapped to IPv6, and must be public when it is translated', () => {
    const check = fc.property(fc.oneof(ipv4, fc.ipV4()), (address) => {
      expect(blockedBecause(`::ffff:${address}`, everything)).toBe(blockedBecause(address, everything));
      const { judged, blocked } = translated(address);
      const isPublic = blockedBecause(address, { loopback: false }) === null;
      for (const form of judged) expect(blockedBecause(form, everything) === null, form).toBe(isPublic);
      for (const form of blocked) expect(blockedBecause(form, everything), form).not.toBeNull();
    });
    fc.assert(check, { numRuns: 500 });
  });
});

describe('the setting', () => {
  const read = (value: string) => webhookSettings(readSettings({ WEBHOOK_ALLOW_NETWORKS: value })).allowNetworks;

  test('takes networks and addresses of both families', () => {
    const networks = read('10.20.0.0/16, fd12:3456::/32,192.168.1.7');
    const allow = { loopback: false, networks };
    const blocked = ['10.20.9.9', 'fd12:3456::9', '192.168.1.7', '10.21.0.1', 'fd13::1', '192.168.1.8'].map((one) =>
      blockedBecause(one, allow),
    );
    expect(blocked).toEqual([null, null, null, 'private', 'uniqueLocal', 'private']);
    expect(read('')).toBeUndefined();
  });

  test.each(['10.0.0/8', '10.0.0.0/33', 'fd00::/129', 'intranet', '10.0.0.0/', '10.0.0.1-10.0.0.9'])(
    'a start refuses %j and names it',
    (entry) => {
      const example = `${JSON.stringify(entry)} is not an IP address or a range such as 10.0.0.0/8 or fd12:3456::/32`;
      expect(() => read(`10.1.0.0/16,${entry}`)).toThrow(example);
    },
  );
});

describe('endpoints', () => {
  const create = async (ruled: Partial<EndpointRules>, input: { url: string; owner?: `account:${string}` }) => {
    const { change, store, keys } = startHarness();
    const fields = { service: 'pos' as const, description: '', events: null, perimeter: null, active: true };
    const account = { id: 'a', name: 'A', plan: 'free' as const, store_ids: null, active: true, created_at: 1 };
    await store.append('accounts', [account]);
    return change((one) => createEndpoint(one, { ...fields, ...input }, { ...rules, allowLoopback: false, ...ruled, keys }));
  };
  const allowNetworks = blockListOf(['10.20.0.0/16']);

  test.each(['http://10.20.0.7:8081/hook', 'https://10.20.0.7/hook', 'http://receiver.intranet/hook'])(
    'the operator may have %s, and a partner may not',
    async (url) => {
      await expect(create({ allowNetworks }, { url })).resolves.toMatchObject({ endpoint: { url } });
      await expect(create({}, { url })).rejects.toThrow('WEBHOOK_ALLOW_NETWORKS if it is your own.');
      await expect(create({ allowNetworks }, { url, owner: 'account:a' })).rejects.toMatchObject({
        code: 'url_not_public',
        message: expect.stringMatching(/at a public address\.$/),
      });
    },
  );

  test('what no setting allows is refused without naming one', async () => {
    await expect(create({}, { url: 'https://169.254.169.254/hook' })).rejects.toThrow(/at a public address\.$/);
  });
});

/** A private address of this machine that is not loopback: what an operator's own network looks like to the gateway. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ address }) => isInAllowedNetwork(address, { loopback: false, networks: privateNetworks }))?.address;

test('a receiver in an allowed network gets the operator’s deliveries, and no partner’s', async ({ skip }) => {
  skip(ownAddress === undefined, 'this machine has no private address beside loopback');
  const address = ownAddress as string;
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().on('end', () => response.end('ok'));
  });
  server.listen(0, address);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const host = isIPv6(address) ? `[${address}]` : address;
  const url = `http://${host}:${(server.address() as AddressInfo).port}/hook`;

  const harness = startHarness({ settings: { allowLoopback: false, allowNetworks: blockListOf([address]) } });
  const { id } = await harness.endpoint({ url: 'https://example.com/' });
  await harness.store.update('endpoints', { id }, { url });
  await harness.emit(sold);
  const [delivered] = await settled(harness, 1, 'delivered');
  expect(delivered?.endpoint_id).toBe(id);
  expect(received).toBe(1);

  // The operator's connection is open. A partner's endpoint at the same host must not be sent over it.
  await harness.store.update('endpoints', { id }, { owner: 'account:a' });
  await harness.emit(sold);
  await expect.poll(async () => (await harness.attempts()).map(({ outcome }) => outcome)).toEqual(['success', 'blocked_address']);
  expect(received).toBe(1);
});
