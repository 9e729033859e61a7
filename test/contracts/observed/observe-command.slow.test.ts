import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { gapsCommand } from '../../../cli/gaps.ts';
import { observeCommand } from '../../../cli/observe.ts';
import { emptyObserved } from '../../../contracts/tools/observed/file.ts';
import { openForwarding } from '../../../contracts/tools/observed/forward.ts';
import { receiverAt, serviceAt } from '../../../contracts/tools/observed/upstream.ts';
import { openOtherPos } from '../../../examples/other-service/pos.ts';
import { eventually } from '../../eventually.ts';
import { fileWith, passerelle, runCommand } from '../../program.ts';
import { openStub, signIn } from '../../stubs/partner.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { fileOf, newPath, observe } from './running.ts';

async function forwardingTo(address: string, allowWrites = true) {
  const upstream = serviceAt(address);
  const seen: unknown[] = [];
  const refused: string[] = [];
  const forwarding = await openForwarding({
    api: 'pos',
    upstream,
    allowWrites,
    onCall: (call) => seen.push(call),
    onRefusal: (reason) => refused.push(reason),
  });
  onTestFinished(forwarding.close);
  return { url: forwarding.url, seen, refused };
}

test('no secret of a call enters the file, wherever it stands', async () => {
  const secrets = {
    key: 'pk_live_4f9c2e7a81',
    secret: 'sk_live_93be01d7c6',
    token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJsaXZlIn0.c2lnbmVkLWxpdmU',
    header: 'header-live-5519ab',
    query: 'query-live-0017cd',
    path: 'path-live-88aa21',
    name: 'name_live_secretive',
    phone: '+2250798765432',
  };
  const { url: upstream } = await receiver((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `session=${secrets.header}` });
    response.end(
      JSON.stringify({
        success: true,
        token: secrets.token,
        [secrets.name]: `${secrets.secret} again`,
        nested: [{ note: secrets.key }],
      }),
    );
  });
  const out = await newPath();
  const { running, stop, url } = await observe(upstream, out, ['--allow-writes']);
  const headers = { authorization: `Bearer ${secrets.token}`, 'x-api-key': secrets.header, 'content-type': 'application/json' };
  const post = (path: string, body: object) => fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await post('/api/auth', { api_key: secrets.key, api_secret: secrets.secret });
  await post(`/api/v1/sales?access_token=${secrets.query}`, {
    token: secrets.name,
    customer_phone: secrets.phone,
    [secrets.name]: 1,
  });
  await fetch(`${url}/api/v1/inventory?store_id=${secrets.query}&${secrets.query}=1`, { headers });
  await fetch(`${url}/api/v1/${secrets.path}`, { headers });
  await stop();
  const written = await readFile(out, 'utf8');
  expect((await fileOf(out)).calls).toBe(4);
  for (const [what, secret] of Object.entries(secrets)) {
    expect(written, what).not.toContain(secret);
    expect(running.stdout + running.stderr, what).not.toContain(secret);
  }
});

test('writes are refused unless they are allowed, in the style of the API, and do not reach the service', async () => {
  const stub = await openStub('pos');
  const { url, seen, refused } = await forwardingTo(stub.url, false);
  const reply = await fetch(`${url}/api/v1/sales`, { method: 'POST', body: '{}' });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toEqual({
    success: false,
    error: { code: 'writes_not_allowed', message: expect.stringContaining('--allow-writes'), details: [] },
  });
  expect(reply.headers.get('x-passerelle-observe')).toBe('writes_not_allowed');
  for (const method of ['PUT', 'DELETE', 'PATCH']) expect((await fetch(`${url}/api/auth`, { method })).status, method).toBe(400);
  expect((await fetch(`${url}/api/auth`, { method: 'POST' })).headers.has('x-passerelle-observe')).toBe(false);
  const hidden = request(url, { method: 'POST', path: '/api/v1/sales/../../auth' });
  hidden.end();
  const [answer] = (await once(hidden, 'response')) as [IncomingMessage];
  expect(answer.headers['x-passerelle-observe']).toBe('writes_not_allowed');
  expect([stub.calls().length, seen.length, refused.length]).toEqual([1, 1, 5]);
});

test('a call and its reply are forwarded, without the headers of one hop', async () => {
  const packed = gzipSync('{"success": true}');
  const raw: string[] = [];
  const { url: upstream, received } = await receiver((response) => {
    raw.push(...response.req.rawHeaders);
    response.writeHead(207, {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'X-Twice': ['a', 'b'],
      'Keep-Alive': 'timeout=9',
    });
    response.end(packed);
  });
  const { url, seen } = await forwardingTo(`${upstream}/prefix/`);
  const sent = request(`${url}/api/v1/sales?a=%20b&a=2`, {
    method: 'POST',
    headers: { 'X-Odd-Case': 'kept', Connection: 'X-Hop', 'X-Hop': 'dropped', 'Content-Type': 'application/json' },
  });
  sent.end('{ "total": 1.0 }');
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  expect(Buffer.concat(await reply.toArray())).toEqual(packed);
  expect(reply.statusCode).toBe(207);
  expect(reply.headers['x-twice']).toBe('a, b');
  expect(reply.headers['keep-alive']).not.toBe('timeout=9');
  const path = '/hook/prefix/api/v1/sales?a=%20b&a=2';
  expect(received).toMatchObject([{ method: 'POST', path, body: '{ "total": 1.0 }' }]);
  expect(raw.join().toLowerCase()).toContain('x-odd-case,kept');
  expect(raw.join()).not.toContain('dropped');
  expect(seen).toMatchObject([{ reply: { status: 207, body: { success: true } } }]);
});

test('a service that is away, cuts its reply or says nonsense gives a clear answer, and observe goes on', async () => {
  const gone = await forwardingTo('http://127.0.0.1:9');
  const reply = await fetch(`${gone.url}/api/v1/inventory`);
  expect(reply.status).toBe(502);
  expect(await reply.json()).toMatchObject({
    error: {
      code: 'no_answer',
      message: expect.stringContaining('did not answer'),
    },
  });

  const { url: upstream } = await receiver((response, asked) => {
    if (asked.path === '/hook/cut') {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      return void response.socket?.destroySoon();
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('not gzip {');
  });
  const { url, seen, refused } = await forwardingTo(upstream);
  expect((await fetch(`${url}/cut`)).status).toBe(502);
  expect(refused).toHaveLength(1);
  const raw = await new Promise<string>((resolve) => {
    request(`${url}/api/v1/inventory`, async (answer) => resolve(Buffer.concat(await answer.toArray()).toString())).end();
  });
  expect(raw).toBe('not gzip {');
  expect(seen).toHaveLength(1);
  const large = await fetch(`${url}/api/v1/sales`, { method: 'POST', body: 'x'.repeat(10 * 2 ** 20 + 1) });
  expect(large.status).toBe(413);
});

test.each([
  ['http://sandbox.example', 'must be an address such as https://'],
  ['http://0.0.0.0:3000', 'or of this machine, such as http://127.0.0.1:3000'],
  ['ftp://sandbox.example', 'must be an address such as https://'],
  ['sandbox.example', 'must be an address such as https://'],
  ['https://user:geheim@sandbox.example', 'no user and no password'],
  ['https://sandbox.example?key=geheim', 'no query'],
])('the upstream %s is refused', async (upstream, why) => {
  const { code, stderr } = await runCommand(observeCommand(), ['pos', '--upstream', upstream, '--output', await newPath()]);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
  expect(stderr).not.toContain('geheim');
  // A receiver of webhooks is checked as the service is.
  if (!upstream.includes('?')) expect(() => receiverAt(upstream)).toThrow(why);
});

test('runs add to the file, also one that is killed', async () => {
  const stub = await openStub('pos', { assume: { 'pos.unknown-method': '405' } });
  const out = await newPath();
  const first = await observe(stub.url, out);
  await fetch(`${first.url}/api/v1/inventory`);
  await eventually(async () => expect((await fileOf(out)).calls).toBe(1));
  first.running.child.kill('SIGKILL');
  await first.running.ended;

  const second = await observe(stub.url, out);
  await signIn({ url: second.url, credentials: stub.credentials });
  await fetch(`${second.url}/api/v1/inventory`, { method: 'PUT' });
  await fetch(`${second.url}/api/v1/sales`);
  second.running.child.kill('SIGTERM');
  expect(await second.running.ended).toBe(0);
  const both = await fileOf(out);
  expect(both).toMatchObject({ calls: 3, upstream: stub.url });
  expect(both.entries.filter(({ verdict }) => verdict === 'confirmed').map(({ gap }) => gap)).toEqual(
    expect.arrayContaining(['pos.error-body']),
  );
  expect(second.running.stdout).toContain('pos.unknown-method  refuted');
});

test('what was seen of another service stays as it is, and the refusal says how to go on', async () => {
  const path = await newPath();
  const seen = { ...emptyObserved('pos'), upstream: 'https://sandbox.example', calls: 1 };
  await writeFile(path, JSON.stringify(seen));
  const args = ['pos', '--upstream', 'http://127.0.0.1:9', '--output', path];
  const { code, stderr } = await runCommand(observeCommand(), args);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('has what was seen of https://sandbox.example, and --upstream is http'),
  ]);
  expect(stderr).toContain('Write to another file with --output FILE, or delete it.');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(seen);
  // An address that was misspelt has shown nothing.
  await writeFile(path, JSON.stringify({ ...seen, calls: 0 }));
  const stub = await openStub('pos');
  const next = await observe(stub.url, path);
  await next.stop();
  expect(await fileOf(path)).toMatchObject({ upstream: stub.url });
});

test('JSON that is nested too deep is forwarded, and not judged, and the message says so', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const { url: upstream } = await receiver((response, asked) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(asked.method === 'POST' ? '{}' : deep(100_000));
  });
  const { url, seen, refused } = await forwardingTo(upstream);
  expect(await (await fetch(`${url}/api/v1/inventory`)).text()).toBe(deep(100_000));
  await fetch(`${url}/api/v1/sales`, { method: 'POST', body: deep(101) });
  await fetch(`${url}/api/v1/sales`, { method: 'POST', body: deep(100) });
  expect(seen).toHaveLength(1);
  const message = 'a call was forwarded, and not judged: its JSON is nested more than 100 levels deep.';
  expect(refused).toEqual([message, message]);
});

test('stub and gaps use what a run wrote', async () => {
  const stub = await openStub('pos', { assume: 'pos.unknown-method=405,pos.error-body=problem-details' });
  const out = await newPath();
  const { stop, url } = await observe(stub.url, out);
  await fetch(`${url}/api/v1/sales`);
  await fetch(`${url}/api/v1/inventory`);
  await stop();
  const { entries } = await fileOf(out);
  expect(entries.filter(({ verdict }) => verdict === 'refuted').map(({ gap }) => gap)).toEqual([
    'pos.unknown-method',
    'pos.error-body',
  ]);

  const shown = await runCommand(gapsCommand(), ['--observed', out, 'pos.unknown-method']);
  expect(shown.stdout).toContain('The service chose 405');
  const outside = await runCommand(gapsCommand(), ['--observed', out, 'pos.webhook-target']);
  expect(outside.stdout.replaceAll(/\s+/g, ' ')).toContain('so ask the service’s owner: Where may webhooks go?');
  const [entry] = JSON.parse((await runCommand(gapsCommand(), ['--observed', out, '--json', 'pos.unknown-method'])).stdout);
  expect(entry.observed).toMatchObject({ verdict: 'refuted', alternatives: ['405'], evidence: [{ shows: '405' }] });

  const other = await openStub('pos', { observed: out, assume: 'pos.error-body=error-text' });
  expect(other.assumptions.list().map(({ alternative }) => alternative)).toEqual(['405', 'error-text']);
});

test('the transcript of the guide is what observe prints of the other service', async () => {
  const guide = await readFile(new URL('../../../docs/partners/observe.md', import.meta.url), 'utf8');
  const [, transcript = ''] = /```text\n\$ npx --no -- passerelle (observe [^`]*)```/.exec(guide) ?? [];
  const [, ...lines] = transcript.split('\n').filter((line) => line !== '' && line !== '...' && !line.startsWith('Written to'));
  const rice = { product_id: 'RICE-5', name: 'Rice, 5 kg', price: 4000, quantity: 20 };
  const other = await openOtherPos({ api_key: 'key-1', api_secret: 'secret-1', stores: { 'SHOP-1': [rice] } });
  onTestFinished(() => other.close());
  const { running, stop, url } = await observe(other.url, await newPath());
  const token = await signIn({ url, credentials: { apiKey: 'key-1', apiSecret: 'secret-1' } });
  await fetch(`${url}/api/v1/inventory?store_id=SHOP-1`, { headers: { authorization: `Bearer ${token}` } });
  await fetch(`${url}/api/v1/sales`);
  await stop();
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(running.stdout.split('\n')).toContain(line);
});

const pos = emptyObserved('pos');
const said = (gap: string, shows: string) => ({ gap, evidence: [{ shows, because: 'x', times: 1, calls: [] }] });

test.each<[what: string, content: unknown, says: string]>([
  ['of the other API', emptyObserved('cohesion'), 'is about cohesion, not about pos'],
  ['of another register', { ...pos, entries: [said('pos.sale-statuss', '200')] }, 'Did you mean pos.sale-status?'],
  ['with an unknown alternative', { ...pos, entries: [said('pos.sale-status', '20')] }, 'Did you mean pos.sale-status=200?'],
  ['of a later format', { ...pos, format: 2 }, 'has format 2'],
  ['of something else', { openapi: '3.1.0' }, 'was not written by passerelle observe'],
  ['that is cut', '{"format": 1', 'is not valid JSON'],
  ['that is nested too deep', `${'['.repeat(9000)}${']'.repeat(9000)}`, 'it is nested more than 100 levels deep'],
])('a file %s is refused, and stays as it is', async (_what, content, says) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const file = await fileWith(text, 'observed.json');
  const observed = await runCommand(observeCommand(), ['pos', '--upstream', 'http://127.0.0.1:9', '--output', file]);
  expect([observed.code, observed.stderr]).toEqual([2, expect.stringContaining(says)]);
  expect(await readFile(file, 'utf8')).toBe(text);
  await expect(openStub('pos', { observed: file })).rejects.toThrow(says);
  const shown = await runCommand(gapsCommand(), ['pos', '--observed', file]);
  expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining(says)]);
});

test('what is misspelt or missing is refused, and leaves no file', async () => {
  const out = await newPath();
  const upstream = ['--upstream', 'http://127.0.0.1:9', '--output', out];
  const refused = async (...args: string[]) => {
    const { code, stderr } = await passerelle(['observe', ...args]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused('poss', ...upstream)).toContain('Did you mean pos?');
  expect(await refused('pos', ...upstream, '--allow-write')).toContain('Did you mean --allow-writes?');
  expect(await refused('pos', '--output', out)).toContain("required option '--upstream <url>'");
  expect(await refused('pos', '--upstrem', 'http://127.0.0.1:9', '--output', out)).toContain('Did you mean --upstream?');
  expect(existsSync(out)).toBe(false);
  await expect(openStub('pos', { observed: out })).rejects.toThrow('There is no file');
});
