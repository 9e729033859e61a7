import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Sender } from '../../gateway/webhooks/sending/send.ts';
import { freePort } from '../free-port.ts';
import { startProxy, type TestProxy } from './connect-proxy.ts';
import { settled, sold, startHarness, until } from './harness.ts';
import { receiver } from './receiver.ts';

const login = `Basic ${Buffer.from('egress:s3cr3t@x').toString('base64')}`;
const toLoopback = ((_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])) as LookupFunction;

function senderThrough(
  proxyUrl: string,
  options: { loopback?: boolean; deadlineMs?: number; lookup?: LookupFunction } = {},
): Sender {
  const { loopback = true, deadlineMs = 60_000, lookup = toLoopback } = options;
  const sender = new Sender({ deadlineMs, keptBodyBytes: 1024, allow: { loopback }, lookup, proxyUrl });
  onTestFinished(() => sender.abort());
  return sender;
}

describe('one request', () => {
  test('the proxy is asked for the checked address, and the receiver sees its name and no credentials of the proxy', async () => {
    const [proxy, { url, received }] = await Promise.all([startProxy(), receiver()]);
    const { port } = new URL(url);
    const exchange = await senderThrough(proxy.url).post(`http://receiver.localhost:${port}/hook`, {}, '{}');
    expect(exchange).toMatchObject({ outcome: 'success', address: '127.0.0.1', timings: { connect: expect.any(Number) } });
    expect(proxy.asked).toEqual([{ target: `127.0.0.1:${port}`, authorization: login }]);
    expect(received).toMatchObject([{ headers: { host: `receiver.localhost:${port}` } }]);
    expect(JSON.stringify([received, exchange])).not.toMatch(/proxy-auth|s3cr3t/i);
  });

  test('TLS is between the gateway and the receiver, with the receiver’s name', async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback(name, done) {
        names.push(name);
        done(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy();
    const exchange = await senderThrough(proxy.url).post(`https://receiver.localhost:${port}/`, {}, '{}');
    expect(names).toEqual(['receiver.localhost']);
    expect(exchange).toMatchObject({ status: null });
    expect(exchange.proxyFailed).toBeUndefined();
  });

  test.each(['10.0.0.1', '169.254.169.254', 'fd00:ec2::254', '127.0.0.1'])('the proxy is not asked for %s', async (address) => {
    const proxy = await startProxy();
    const lookup = ((_name, _options, callback) =>
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])) as LookupFunction;
    const exchange = await senderThrough(proxy.url, { loopback: false, lookup }).post('https://example.com/', {}, '{}');
    expect(exchange).toMatchObject({ outcome: 'blocked_address', address });
    expect(proxy.asked).toEqual([]);
  });

  test('a receiver that the proxy does not reach has failed if the proxy reaches another one', async () => {
    const [proxy, { url }] = await Promise.all([startProxy(), receiver()]);
    const away = await freePort();
    const sender = senderThrough(proxy.url);
    proxy.conduct = (target) => (target.endsWith(`:${away}`) ? 503 : 'opens');
    expect(await sender.post(`http://127.0.0.1:${away}/`, {}, '{}')).toMatchObject({ proxyFailed: { status: 503 } });
    await sender.post(url, {}, '{}');
    const refused = await sender.post(`http://127.0.0.1:${away}/`, {}, '{}');
    expect(refused).toMatchObject({ outcome: 'connect', error: `The proxy answered 503 to CONNECT 127.0.0.1:${away}.` });
    expect(refused.proxyFailed).toBeUndefined();
    proxy.conduct = (target) => (target.endsWith(`:${away}`) ? 'is silent' : 'opens');
    const hasty = senderThrough(proxy.url, { deadlineMs: 500 });
    // A busy machine may need more than one request until an answer is in time.
    await until(async () => expect(await hasty.post(url, {}, '{}')).toMatchObject({ outcome: 'success' }));
    const late = await hasty.post(`http://127.0.0.1:${away}/`, {}, '{}');
    expect(late).toMatchObject({ outcome: 'timeout' });
    expect(late.proxyFailed).toBeUndefined();
    proxy.conduct = () => 503;
    expect(await sender.post(`http://127.0.0.1:${away}/`, {}, '{}')).toMatchObject({ proxyFailed: { status: 503 } });
  });
});

/** Attempts last as long as they do on the real clock. While one runs, the harness's stands still. */
async function advance({ store, webhooks, clock }: ReturnType<typeof startHarness>): Promise<void> {
  const endpoints = await store.list('endpoints');
  const inFlight = await webhooks.inFlight(endpoints.map(({ id }) => id));
  if (inFlight.every((count) => count === 0)) clock.advance(1000);
}

const failures: Record<string, (proxy: TestProxy) => void> = {
  'asks for another login': (proxy) => {
    proxy.conduct = () => 407;
  },
  'forbids everything': (proxy) => {
    proxy.conduct = () => 403;
  },
  'is a bad gateway': (proxy) => {
    proxy.conduct = () => 502;
  },
  'does not answer': (proxy) => {
    proxy.conduct = () => 'is silent';
  },
  'is down': (proxy) => proxy.die(),
};

describe('deliveries', () => {
  test.each(Object.keys(failures))('a proxy that %s holds all and charges nobody', async (failure) => {
    const proxy = await startProxy();
    const { port } = proxy.server.address() as AddressInfo;
    const [one, other] = await Promise.all([receiver(), receiver()]);
    // Its silence is noticed only at the deadline.
    const deadlineMs = failure === 'does not answer' ? 10_000 : 60_000;
    const harness = startHarness({ settings: { proxyUrl: proxy.url, deadlineMs } });
    await harness.endpoint({ url: one.url });
    await harness.endpoint({ url: other.url, ordered: true });
    await harness.emit(sold);
    await settled(harness, 2, 'delivered');

    failures[failure]?.(proxy);
    proxy.cut();
    await harness.emit(sold, { count: 30 });
    const why = await until(() => {
      const found = harness.webhooks.proxyFailure();
      expect(found).not.toBeNull();
      return found;
    });
    expect(why).toMatch(/^The proxy/);
    expect(why).not.toContain('s3cr3t');
    const asked = proxy.asked.length;
    // It is tried again, and fails again.
    const isTriedAgain = async () => {
      await advance(harness);
      expect(proxy.asked.length).toBeGreaterThan(asked);
    };
    if (failure !== 'is down') await until(isTriedAgain);
    expect(await harness.attempts()).toHaveLength(2);
    for (const { held_until, failing_since } of await harness.store.list('endpoints'))
      expect([held_until, failing_since]).toEqual([null, null]);
    expect((await harness.deliveries({ status: 'pending' })).map(({ attempts }) => attempts)).toEqual(Array(60).fill(0));

    if (failure === 'is down') await startProxy(port);
    else proxy.conduct = () => 'opens';
    await until(async () => {
      await advance(harness);
      expect(await harness.deliveries({ status: 'delivered' })).toHaveLength(62);
    });
    expect(harness.webhooks.proxyFailure()).toBeNull();
    expect((await harness.attempts()).map(({ number, outcome }) => [number, outcome])).toEqual(Array(62).fill([1, 'success']));
  });

  test('requests that a dying proxy cuts are no failures of their receivers', async () => {
    const proxy = await startProxy();
    const { url, received } = await receiver((_response, { body }) => {
      if (body.includes('1')) proxy.die();
    });
    const harness = startHarness({ settings: { proxyUrl: proxy.url } });
    await harness.endpoint({ url });
    await harness.emit(sold);
    await until(() => expect(harness.webhooks.proxyFailure()).toMatch(/closed the connection/));
    expect(received).toHaveLength(1);
    expect(await harness.attempts()).toEqual([]);
  });
});

/** Proxies of others, from Debian's packages. */
const programs: Record<
  string,
  { path: string; config: (port: number, folder: string) => string; args: (file: string) => string[] }
> = {
  tinyproxy: {
    path: '/usr/bin/tinyproxy',
    config: (port, folder) =>
      `Port ${port}\nListen 127.0.0.1\nTimeout 10\nMaxClients 50\nAllow 127.0.0.1\nBasicAuth egress secret\nPidFile "${folder}/pid"\nLogFile "${folder}/log"\n`,
    args: (file) => ['-d', '-c', file],
  },
  squid: {
    path: '/usr/sbin/squid',
    config: (port, folder) =>
      [
        `http_port 127.0.0.1:${port}`,
        `pid_filename ${folder}/pid`,
        'cache deny all',
        'access_log none',
        `cache_log ${folder}/log`,
        'acl CONNECT method CONNECT',
        'http_access allow CONNECT localhost',
        'http_access deny all',
        'shutdown_lifetime 0 seconds',
        'pinger_enable off',
        '',
      ].join('\n'),
    args: (file) => ['-N', '-f', file],
  },
};

describe.each(Object.entries(programs))('%s', (name, { path, config, args }) => {
  const lacks = `There is no ${path}: apt-get install ${name}.`;
  const start = async (port: number, file: string): Promise<ChildProcess> => {
    const program = spawn(path, args(file), { stdio: 'ignore' });
    onTestFinished(() => void program.kill('SIGKILL'));
    await until(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
    return program;
  };

  test('delivers, is missed while it is away, and delivers again', async ({ skip }) => {
    skip(!existsSync(path), lacks);
    const folder = mkdtempSync(join(tmpdir(), 'passerelle-proxy-'));
    const [port, file] = [await freePort(), join(folder, 'config')];
    writeFileSync(file, config(port, folder));
    let program = await start(port, file);
    const { url, received } = await receiver();
    const harness = startHarness({ settings: { proxyUrl: `http://egress:secret@127.0.0.1:${port}/` } });
    await harness.endpoint({ url });
    await harness.emit(sold, { count: 5 });
    await settled(harness, 5, 'delivered');

    program.kill('SIGKILL');
    await once(program, 'exit');
    await harness.emit(sold, { count: 5 });
    await until(() => expect(harness.webhooks.proxyFailure()).not.toBeNull());
    expect(await harness.attempts()).toHaveLength(5);

    program = await start(port, file);
    await until(async () => {
      await advance(harness);
      expect(await harness.deliveries({ status: 'delivered' })).toHaveLength(10);
    });
    expect((await harness.attempts()).every(({ outcome, address }) => outcome === 'success' && address === '127.0.0.1')).toBe(
      true,
    );
    expect(received.length).toBeGreaterThanOrEqual(10);
  });
});
