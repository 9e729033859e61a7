import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serviceNames } from '../../spec/documents/services.ts';
import { gaps } from '../../spec/gaps/gaps.ts';
import { harmlessChanges } from '../../spec/gaps/harmless.ts';
import { eventsOf, openApi } from '../../spec/openapi/operations.ts';
import { parseAssumed } from '../../stubs/assume/assumptions.ts';
import { extraFields, numbersOf, type Writing, written } from '../../stubs/assume/harmless/json.ts';
import { newEvents } from '../../stubs/assume/harmless/new-events.ts';
import { acceptsGzip } from '../../stubs/assume/harmless/wire.ts';
import type { Stub } from '../../stubs/types.ts';
import { forAll } from '../for-all.ts';
import { dashboard, financing } from './dashboard.ts';
import { aSale, openStub } from './partner.ts';
import { till } from './till.ts';

/** Makes calls over one connection, which stays open as long as the stub lets it. Returns everything that came back. */
async function overSocket(stub: Stub, ...requests: string[]): Promise<Buffer> {
  const received: Buffer[] = [];
  const socket = connect(Number(new URL(stub.url).port), '127.0.0.1');
  for (const one of requests) socket.write(one);
  for await (const chunk of socket) {
    received.push(chunk as Buffer);
    if (Buffer.concat(received).toString('latin1').split('HTTP/1.1 ').length > requests.length) socket.end();
  }
  return Buffer.concat(received);
}

const get = (path: string, ...headers: string[]) => `GET ${path} HTTP/1.1\r\n${['host: stub', ...headers].join('\r\n')}\r\n\r\n`;

/** The status line and the header lines as they came, and the bytes of the body. */
async function rawReply(stub: Stub, path: string, ...headers: string[]) {
  const all = await overSocket(stub, get(path, ...headers, 'connection: close'));
  const end = all.indexOf('\r\n\r\n');
  const [status, ...lines] = all.subarray(0, end).toString('latin1').split('\r\n');
  return { status, lines, body: all.subarray(end + 4) };
}

describe('on the wire', () => {
  const path = '/api/v1/nowhere';
  const plain = async () => rawReply(await openStub('pos'), path);
  const under = async (change: string, ...headers: string[]) =>
    rawReply(await openStub('pos', { assume: `harmless.${change}` }), path, ...headers);

  test('header names have another case', async () => {
    const names = ({ lines }: Awaited<ReturnType<typeof plain>>) => lines.map((line) => line.split(':')[0] ?? '');
    const before = names(await plain());
    const after = names(await under('header-case'));
    expect(before).toContain('content-type');
    expect(after).toContain('Content-Type');
    expect(after.filter((name) => name === name.toLowerCase())).toEqual([]);
    expect(after.map((name) => name.toLowerCase())).toEqual(before.map((name) => name.toLowerCase()));
  });

  test('the type of a reply names no charset', async () => {
    expect((await plain()).lines).toContain('content-type: application/json; charset=utf-8');
    expect((await under('charset')).lines).toContain('content-type: application/json');
  });

  test('a reply is chunked, in two pieces', async () => {
    const { lines, body } = await under('chunked');
    expect(lines.join('\n')).not.toMatch(/content-length/i);
    expect(lines).toContain('Transfer-Encoding: chunked');
    expect(body.toString().match(/^[0-9a-f]+\r$/gm)).toHaveLength(3);
    expect(body.toString()).toMatch(/\r\n0\r\n\r\n$/);
  });

  test('a reply is compressed if the request allows it, and only then', async () => {
    const { lines, body } = await under('gzip', 'accept-encoding: br, gzip;q=0.5');
    expect(lines).toContain('content-encoding: gzip');
    expect(lines).toContain(`content-length: ${body.length}`);
    expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ success: false });
    for (const accepted of [[], ['accept-encoding: br'], ['accept-encoding: gzip;q=0']]) {
      const other = await under('gzip', ...accepted);
      expect(other.lines.join('\n')).not.toMatch(/content-encoding/i);
      expect(JSON.parse(other.body.toString())).toMatchObject({ success: false });
    }
    expect(acceptsGzip('*')).toBe(true);
    expect(acceptsGzip('*;q=0, GZIP')).toBe(true);
    expect(acceptsGzip(undefined)).toBe(false);
  });

  test('the connection is closed after a reply, although the client keeps it open', async () => {
    const two = [get(path), get(path)];
    const count = (bytes: Buffer) => bytes.toString().split('HTTP/1.1 404').length - 1;
    expect(count(await overSocket(await openStub('pos'), ...two))).toBe(2);
    const closed = await overSocket(await openStub('pos', { assume: 'harmless.connection-close' }), ...two);
    expect(count(closed)).toBe(1);
    expect(closed.toString()).toMatch(/^connection: close\r$/m);
  });

  test('HEAD, a 204 and a compressed reply in pieces are whole', async () => {
    const { stub, ask } = await dashboard(parseAssumed(['harmless=all,cohesion.financing-update-status=204']));
    const authorization = `Bearer ${stub.credentials.token}`;
    const head = await fetch(`${stub.url}/api/v1/me`, { method: 'HEAD', headers: { authorization } });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const me = await ask('GET', '/me');
    expect(me.body.data.user.name).toEqual(expect.any(String));
    expect(me.headers.get('content-encoding')).toBe('gzip');
    const { body } = await ask('POST', '/financements', { ...financing, intitule: 'Été' });
    expect(body.data).toMatchObject({ intitule: 'Été', montant: 50 });
    const updated = await ask('PUT', `/financements/${body.data.id}`, financing);
    expect([updated.status, updated.body]).toEqual([204, '']);
    const [recorded] = stub.calls({ operation: 'createFinancing' });
    expect(JSON.parse(recorded?.responseBody ?? '')).toEqual(body);
  });

  test('a fault still breaks the reply as it says', async () => {
    const stub = await openStub('pos', { assume: 'harmless=all', faults: ['*:malformed'] });
    const reply = await fetch(`${stub.url}${path}`);
    expect(reply.status).toBe(404);
    await expect(reply.json()).rejects.toThrow(SyntaxError);
    stub.faults.clear();
    stub.faults.add('*:truncated');
    await expect(fetch(`${stub.url}${path}`).then((truncated) => truncated.text())).rejects.toThrow();
  });
});

test.each<[change: string, shows: RegExp]>([
  ['extra-fields', /"error":\{"revision":7,.*"code":"unknown_operation"/],
  ['key-order', /^\{"error":\{.*"code":"unknown_operation"\},"success":false\}$/],
  ['whitespace', /^\n\{\n\t"success" : false ,\n\t"error" : \{\n\t\t"code"/],
  ['escapes', /^\{"\\u0073uccess":false,"\\u0065rror":.*\\\/api\\\/v1\\\/nowhere/],
])('harmless.%s alone is in the reply as it is sent, and in the journal', async (change, shows) => {
  const read = async (stub: Stub) => (await rawReply(stub, '/api/v1/nowhere')).body.toString();
  const stub = await openStub('pos', { help: false, assume: `harmless.${change}` });
  const body = await read(stub);
  expect(body).toMatch(shows);
  expect(await read(await openStub('pos', { help: false }))).not.toMatch(shows);
  expect(stub.calls()[0]?.responseBody).toBe(body);
});

test('harmless.decimals writes amounts with a point, and ids and counts without', async () => {
  const { stub, ask } = await dashboard({ 'harmless.decimals': 'on' });
  await ask('GET', '/indicateurs?per_page=1');
  await ask('GET', '/stats');
  const [list, stats] = stub.calls().map(({ responseBody }) => responseBody);
  expect(list).toMatch(/"id":\d+,.*"cible_annuelle":\d+\.\d/);
  expect(list).toMatch(/"meta":\{"page":1,"per_page":1,"total":\d+,/);
  expect(stats).toMatch(/"nombre":\d+,"montant":\d+\.\d/);
});

describe('JSON texts', () => {
  const under = (...changes: string[]): Writing => ({ api: 'pos', has: (one) => changes.includes(one) });

  test('whatever the style, a text says the same', () => {
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('total', 'é'), fc.jsonValue()));
    forAll(100, [value, fc.subarray(['key-order', 'whitespace', 'escapes', 'decimals'])], (given, styles) => {
      expect(JSON.parse(written(given, under(...styles)))).toEqual(JSON.parse(JSON.stringify(given)));
    });
    expect(written({ a: [undefined, 1], b: undefined, '': {} }, under())).toBe('{"a":[null,1],"":{}}');
    expect(written({ total: 1e21, id: 3 }, under('decimals'))).toBe('{"total":1e+21,"id":3}');
  });

  test('extra fields are in every object, but not among names that are data, and never replace a field', () => {
    const value = { data: [{ revision: 1 }, {}], errors: { montant: ['x'] }, par_type: { ong: 2 } };
    const after = JSON.parse(written(value, under('extra-fields')));
    expect(after).toMatchObject({ ...extraFields, ...value });
    expect(after.data).toEqual([{ ...extraFields, revision: 1 }, extraFields]);
    expect([after.errors, after.par_type]).toEqual([value.errors, value.par_type]);
  });

  test('no document uses the extra names and the new event types', () => {
    const known = serviceNames.flatMap((api) => JSON.stringify([openApi[api], eventsOf(api), gaps]));
    for (const name of [...Object.keys(extraFields), ...Object.values(newEvents)])
      expect(known.filter((text) => text.includes(`"${name}"`))).toEqual([]);
  });

  test.each(serviceNames)('the numbers of %s with a decimal point are those that are nowhere integers', (api) => {
    const types = new Map<string, Set<unknown>>();
    const look = (schema: unknown, name: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, properties = {}, ...others } = schema as { type?: unknown; properties?: object };
      for (const one of [type].flat()) types.set(name, (types.get(name) ?? new Set()).add(one));
      for (const [field, held] of Object.entries(properties)) look(held, field);
      for (const [key, held] of Object.entries(others))
        look(held, /^(items|schema|\d+|anyOf|oneOf|allOf)$/.test(key) ? name : key);
    };
    look([openApi[api], eventsOf(api)], '');
    const numbers = [...types].filter(([, one]) => one.has('number') && !one.has('integer')).map(([name]) => name);
    expect(numbers.toSorted()).toEqual([...numbersOf[api]].toSorted());
  });
});

test('entries are complete, and those that one API lacks say why', () => {
  for (const [id, { question, choice, text, why, notFor = {} }] of Object.entries(harmlessChanges)) {
    expect(id).toMatch(/^harmless(\.[a-z]+(-[a-z]+)*)$/);
    expect(question).toMatch(/\?$/);
    for (const sentence of [choice, text, why, ...Object.values(notFor)]) expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
});

test('a page has one row less, and a walk along the pages finds every row once', async () => {
  const { stub, ask } = await dashboard({});
  const page = async (query: string) => (await ask('GET', `/indicateurs?${query}`)).body;
  const all = (await page('per_page=100')).data;
  await stub.assumptions.add({ 'harmless.shorter-pages': 'on' });
  const first = await page('per_page=5');
  expect(first.data).toHaveLength(4);
  expect(first.meta).toEqual({ page: 1, per_page: 4, total: all.length, last_page: Math.ceil(all.length / 4) });
  const pages = await Promise.all(Array.from({ length: first.meta.last_page }, (_, at) => page(`per_page=5&page=${at + 1}`)));
  expect(pages.flatMap(({ data }) => data)).toEqual(all);
  expect((await page('')).meta.per_page).toBe(25);
  expect((await page('per_page=1')).meta.per_page).toBe(1);
  for (const wrong of ['0', '101', 'x', '-3']) expect((await page(`per_page=${wrong}`)).errors).toBeDefined();
  expect(stub.calls({ operation: 'listIndicators' }).at(-1)?.query).toEqual({ per_page: '-3' });
  expect(stub.calls({ path: '/api/v1/indicateurs' })[1]?.query).toEqual({ per_page: '5' });
});

test('no reply says which change is active', async () => {
  const { ask } = await till(parseAssumed(['harmless=all']));
  const replies = [await ask('POST', '/sales', aSale(1)), await ask('POST', '/sales', {}), await ask('GET', '/nowhere')];
  expect(replies.map(({ status }) => status)).toEqual([201, 400, 404]);
  for (const { headers, body } of replies) expect(JSON.stringify([[...headers], body])).not.toMatch(/harmless|assum/i);
});
