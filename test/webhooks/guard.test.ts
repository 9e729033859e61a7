import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { guardedConnector } from '../../gateway/webhooks/sending/connect.ts';
import { blockedBecause, privateNetworks, refusedUrl } from '../../gateway/webhooks/sending/guard.ts';
import { BlockedAddress } from '../../gateway/webhooks/sending/outcome.ts';
import { Sender } from '../../gateway/webhooks/sending/send.ts';
import { receiver } from './receiver.ts';

const blocked = [
  '127.0.0.1',
  '127.8.9.1',
  '0.0.0.0',
  '10.0.0.1',
  '10.255.1.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
];

describe('addresses', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '2606:4700:4700::1111', '64:ff9b::808:808', '2002:808:808::1'])(
    '%s is public',
    (address) => {
      expect(blockedBecause(address, { loopback: false })).toBeNull();
    },
  );

  test('tools in the user’s own network reach private addresses, but no metadata service', () => {
    const allow = { loopback: true, networks: privateNetworks };
    expect(['10.0.0.1', 'fd12::1'].map((address) => blockedBecause(address, allow))).toEqual([null, null]);
    for (const address of ['168.63.129.16', '169.254.169.254', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])
      expect(blockedBecause(address, allow), address).not.toBeNull();
  });

  test('what is no address is blocked', () => {
    expect(blockedBecause('not an address', { loopback: false })).not.toBeNull();
  });

  test('the development setting allows loopback and nothing else', () => {
    const allowed = blocked.filter((address) => blockedBecause(address, { loopback: true }) === null);
    expect(allowed).toEqual(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']);
  });
});

describe('URLs', () => {
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.1.2.3/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'http://localhost:9000/',
    'https://1２7.0.0.1/',
    'https://168.63.129.16/',
    'https://[fd00:0ec2:0:0::254]/',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:0/',
    'https://8.8.8.8:6379/',
    'https://example.com:6443/',
    'https://example.com:9200/',
    'https://example.com:10250/',
  ])('%s is refused', (url) => {
    expect(refusedUrl(new URL(url), { loopback: false })).not.toBeNull();
  });

  test('https to a name or a public address is accepted', () => {
    for (const url of [
      'https://example.com/hook',
      'https://example.com:8443/',
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1111]/',
    ]) {
      expect(refusedUrl(new URL(url), { loopback: false }), url).toBeNull();
    }
  });

  test('the development setting allows http and https to this machine, and no plain http elsewhere', () => {
    const local = ['http://localhost:9000/', 'http://127.0.0.1:9/', 'http://[::1]/', 'https://localhost/', 'http://[::1]:9200/'];
    for (const url of local) {
      expect(refusedUrl(new URL(url), { loopback: true }), url).toBeNull();
    }
    const others = ['http://localhost:22/', 'http://127.0.0.1:0/', 'https://[::1]:445/', 'http://example.com:9/'];
    for (const url of [...others, 'http://example.com/', 'https://10.0.0.1/', 'ftp://localhost/', 'http://8.8.8.8/']) {
      expect(refusedUrl(new URL(url), { loopback: true }), url).not.toBeNull();
    }
  });
});

describe('connections', () => {
  function sender(allow: { loopback: boolean }, answers?: LookupAddress[]): Sender {
    const lookup = ((_name, _options, callback) => callback(null, answers ?? [])) as LookupFunction;
    const made = new Sender({ deadlineMs: 60_000, keptBodyBytes: 1024, allow, ...(answers ? { lookup } : {}) });
    onTestFinished(() => made.close());
    return made;
  }

  test.each(blocked)('a name that resolves to %s is not connected to', async (address) => {
    const family = address.includes(':') ? 6 : 4;
    const exchange = await sender({ loopback: false }, [{ address, family }]).post('https://example.com/', {}, '{}');
    expect(exchange).toMatchObject({ outcome: 'blocked_address', address });
  });

  test('one private address among public ones blocks the name', async () => {
    const answers = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(await sender({ loopback: false }, answers).post('https://example.com/', {}, '{}')).toMatchObject({
      outcome: 'blocked_address',
      address: '10.0.0.1',
    });
  });

  test('a literal address is refused at the attempt too, and nothing arrives', async () => {
    const { url, received } = await receiver();
    expect(await sender({ loopback: false }).post(url, {}, '{}')).toMatchObject({ outcome: 'blocked_address', status: null });
    expect(received).toEqual([]);
  });

  test.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '10.0.0.1'])(
    'the connector itself refuses the literal %s',
    async (hostname) => {
      const connect = guardedConnector({ allow: { loopback: false }, connectTimeoutMs: 60_000 });
      const error = await new Promise((resolve) =>
        connect({ hostname, protocol: 'https:', port: '1' }, (...[refused]) => resolve(refused)),
      );
      expect(error).toBeInstanceOf(BlockedAddress);
    },
  );

  test('a URL that was stored under another setting is refused before its name is resolved', async () => {
    for (const url of ['ftp://localhost/', 'http://example.com/', 'https://localhost/', 'https://example.com:25/']) {
      const exchange = await sender({ loopback: url.startsWith('ftp') }, [{ address: '8.8.8.8', family: 4 }]).post(url, {}, '{}');
      expect(exchange, url).toMatchObject({ outcome: 'blocked_address', address: new URL(url).host });
    }
  });

  test('localhost is reached by the address that was checked', async () => {
    const { url, received } = await receiver();
    const { port } = new URL(url);
    const exchange = await sender({ loopback: true }, [{ address: '127.0.0.1', family: 4 }]).post(
      `http://some.localhost:${port}/`,
      {},
      '{}',
    );
    expect(exchange).toMatchObject({ outcome: 'success', address: '127.0.0.1' });
    expect(received).toHaveLength(1);
  });

  test('plain http goes to loopback only, even if localhost is made to resolve elsewhere', async () => {
    const exchange = await sender({ loopback: true }, [{ address: '8.8.8.8', family: 4 }]).post('http://localhost/', {}, '{}');
    expect(exchange).toMatchObject({ outcome: 'blocked_address', address: '8.8.8.8' });
  });
});
