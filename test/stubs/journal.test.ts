import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { curlOf, Journal, type RecordedCall } from '../../stubs/journal/index.ts';
import { HandClock, post, stub } from './harness.ts';

function call(over: Partial<RecordedCall> = {}): RecordedCall {
  return {
    id: 'call-1',
    at: '2026-01-15T09:30:00.000Z',
    method: 'POST',
    path: '/things',
    url: '/things',
    query: {},
    operation: 'createThing',
    requestHeaders: { host: 'localhost:8080', 'content-type': 'application/json', authorization: 'Bearer abc' },
    requestBody: '{"name":"a"}',
    status: 201,
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: '{"id":"thing_1"}',
    durationMs: 1.5,
    ...over,
  };
}

describe('what a server received', () => {
  test('is in the journal as soon as its client has the reply', async () => {
    const { url, journal } = await stub();
    await post(url, { name: 'a' }, { authorization: 'Bearer abc' });
    await (await fetch(`${url}/things/7?deep=1&tag=x&tag=y`)).text();

    expect(journal.calls()).toMatchObject([
      {
        method: 'POST',
        path: '/things',
        operation: 'createThing',
        requestHeaders: { authorization: 'Bearer abc' },
        requestBody: '{"name":"a"}',
        status: 201,
        responseHeaders: { 'content-type': 'application/json; charset=utf-8' },
        responseBody: '{"id":"thing_1","got":{"name":"a"}}',
      },
      { method: 'GET', path: '/things/7', url: '/things/7?deep=1&tag=x&tag=y', query: { deep: '1', tag: ['x', 'y'] } },
    ]);
    for (const { at, durationMs } of journal.calls()) {
      expect(new Date(at).toISOString()).toBe(at);
      expect(durationMs).toBeGreaterThan(0);
    }
  });

  test('also counts where it was refused, unknown or broken, each with the reason', async () => {
    const { url, journal } = await stub();
    await post(url, { name: 'a' }, { authorization: 'Bearer wrong' });
    await fetch(`${url}/things`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a;b' });
    await fetch(`${url}/things`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":' });
    await fetch(`${url}/thingz`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"b"}' });
    await fetch(`${url}/nearly`);
    await fetch(`${url}/broken`);
    await fetch(`${url}/own`);

    const seen = journal
      .calls()
      .map(({ path, status, requestBody, operation, refusal }) => [
        path,
        status,
        requestBody,
        operation,
        refusal?.code ?? refusal?.message,
      ]);
    expect(seen).toEqual([
      ['/things', 401, '{"name":"a"}', 'createThing', undefined],
      ['/things', 415, 'a;b', 'createThing', 'FST_ERR_CTP_INVALID_MEDIA_TYPE'],
      ['/things', 400, '', 'createThing', 'FST_ERR_CTP_INVALID_JSON_BODY'],
      ['/thingz', 404, '{"name":"b"}', undefined, undefined],
      ['/nearly', 404, '', 'GET-nearly', undefined],
      ['/broken', 500, '', undefined, 'a bug'],
    ]);
  });

  test.each([false, true])('also counts where a fault cut it (faults installed first: %s)', async (faultsFirst) => {
    const rules = ['readThing:truncated', 'createThing:malformed'];
    const { url, journal } = await stub({ rules, faultsFirst });
    await (await fetch(`${url}/things/1`)).text().catch(() => undefined);
    await (await post(url, {})).text();
    expect(journal.calls()).toMatchObject([
      { status: 200, fault: 'readThing:truncated', responseBody: '{"id":"1","name' },
      { status: 201, fault: 'createThing:malformed', responseBody: '{"id":"thing_' },
    ]);
  });

  test('shows the body of what was reset, and status 0', async () => {
    const { url, journal } = await stub({ rules: ['createThing:reset,times=1'] });
    await post(url, { name: 'first' }).catch(() => undefined);
    await post(url, { name: 'again' });
    expect(journal.calls()).toMatchObject([
      { status: 0, requestBody: '{"name":"first"}', responseBody: '', responseHeaders: {}, fault: 'createThing:reset,times=1' },
      { status: 201, requestBody: '{"name":"again"}' },
    ]);
  });

  test('shows who went away before the reply', async () => {
    const clock = new HandClock();
    const { url, journal } = await stub({ rules: ['*:delay=10s'], clock });
    const leaving = new AbortController();
    const gone = fetch(`${url}/things/1`, { signal: leaving.signal }).catch(() => 'gone');
    await clock.begun();
    leaving.abort();
    expect(await gone).toBe('gone');
    expect(await journal.waitForCall()).toMatchObject({ path: '/things/1', status: 0, fault: '*:delay=10s' });
  });

  test('is bounded: the oldest calls go, long bodies are cut', async () => {
    const { url, journal } = await stub({ journal: { capacity: 3, bodyCharacters: 20 } });
    for (const name of ['a', 'b', 'c', 'd', 'e'.repeat(300_000)]) await (await post(url, { name })).text();
    expect(journal.calls().map(({ requestBody }) => requestBody)).toEqual([
      '{"name":"c"}',
      '{"name":"d"}',
      '{"name":"eeeeeeeeeee… [cut here: 300011 characters in all]',
    ]);
    const small = new Journal({ allBodiesCharacters: 100 });
    for (const id of ['1', '2', '3']) small.record(call({ id, requestBody: 'x'.repeat(40), responseBody: '' }));
    expect(small.calls().map(({ id }) => id)).toEqual(['2', '3']);
    expect(() => new Journal({ capacity: 0 })).toThrow('capacity: 0 is not a whole number above 0.');
  });

  test('of a body that is refused unread is bounded too, and the server lives on', async () => {
    const { url, journal } = await stub({ journal: { bodyCharacters: 1_000_000 } });
    await post(url, { name: 'x'.repeat(400_000) }, { authorization: 'Bearer wrong' });
    const [{ requestBody = '' } = {}] = journal.calls();
    expect(requestBody).toMatch(/^{"name":"x+… \[cut here: the rest was not read\]$/);
    expect(requestBody.indexOf('…')).toBe(256 * 1024);
    expect((await post(url, {})).status).toBe(201);
  });
});

describe('calls()', () => {
  const journal = new Journal();
  journal.record(call({ id: '1' }));
  journal.record(call({ id: '2', status: 404, operation: 'readThing', method: 'GET', path: '/things/9', url: '/things/9?x=1' }));

  test.each([
    [{ operation: 'createThing' }, ['1']],
    [{ method: 'get' }, ['2']],
    [{ path: '/things' }, ['1']],
    [{ path: /^\/things\/\d/g }, ['2']],
    [{ status: 404 }, ['2']],
    [{ status: '2xx' }, ['1']],
    [{ where: ({ url }: RecordedCall) => url.includes('x=1') }, ['2']],
    [{ operation: 'readThing', status: '2xx' }, []],
    [{}, ['1', '2']],
  ] as const)('%j', (filter, ids) => {
    // Twice: a pattern with the flag `g` keeps its place between searches.
    for (let time = 0; time < 2; time += 1) expect(journal.calls(filter).map(({ id }) => id)).toEqual(ids);
  });

  test('refuses a filter that would silently mean something else', () => {
    expect(() => journal.calls({ opration: 'x' } as never)).toThrow(
      'no field "opration". It takes operation, method, path, status, where.',
    );
    expect(() => journal.calls({ status: '4XX' as never })).toThrow('status: "4XX" is no status.');
  });
});

describe('waitForCall()', () => {
  test('finds a call already received, or the next', async () => {
    const { url, journal } = await stub();
    await post(url, { name: 'early' });
    const early = await journal.waitForCall({ operation: 'createThing' });
    expect(early.requestBody).toBe('{"name":"early"}');

    const next = journal.waitForCall({ operation: 'createThing' }, { after: early });
    const later = journal.waitForCall({ path: '/things' }, { after: 'now' });
    await fetch(`${url}/things/1`);
    await post(url, { name: 'late' });
    expect(await next).toMatchObject({ requestBody: '{"name":"late"}' });
    expect(await later).toBe(await next);
    expect(await journal.waitForCall({ status: 201 }, { after: early.id })).toBe(await next);
  });

  test('on time-out says what was awaited, and in what the nearest calls differ', async () => {
    const clock = new HandClock();
    const journal = new Journal({ clock });
    journal.record(call({ id: '1', status: 401 }));
    journal.record(call({ id: '2', method: 'GET', operation: 'readThing', path: '/things/1', url: '/things/1', status: 200 }));
    const waiting = journal.waitForCall({ operation: 'createThing', method: 'POST', status: '2xx' }, { timeoutMs: 1500 });
    expect(await clock.begun()).toBe(1500);
    clock.end();
    await expect(waiting).rejects.toThrow(
      [
        'Waited 1500 ms for a call with operation createThing, method POST, status 2xx. Of 2 received, the nearest:',
        '  POST /things -> 401 (1): status is 401, not 2xx',
        '  GET /things/1 -> 200 (2): operation is readThing, not createThing; method is GET, not POST',
      ].join('\n'),
    );
  });

  test('on time-out says that nothing came, or that it came too early', async () => {
    const journal = new Journal();
    await expect(journal.waitForCall({}, { timeoutMs: 0 })).rejects.toThrow('Waited 0 ms for any call. Nothing was received.');
    journal.record(call());
    await expect(journal.waitForCall({}, { timeoutMs: 0, after: 'now' })).rejects.toThrow('fits, but came no later than `after`');
  });

  test('ends with its signal, and with what `where` throws', async () => {
    const journal = new Journal();
    const stopping = new AbortController();
    const waiting = journal.waitForCall({}, { signal: stopping.signal });
    const throwing = journal.waitForCall({ where: ({ requestBody }) => JSON.parse(requestBody).name });
    stopping.abort(new Error('the test is over'));
    await expect(waiting).rejects.toThrow('the test is over');
    journal.record(call({ requestBody: 'no JSON' }));
    await expect(throwing).rejects.toThrow(SyntaxError);
  });

  test('goes on after clear(), which forgets all', async () => {
    const journal = new Journal();
    journal.record(call({ id: 'old' }));
    const waiting = journal.waitForCall({ path: '/things' }, { after: 'now' });
    journal.clear();
    expect(journal.calls()).toEqual([]);
    journal.record(call({ id: 'new' }));
    expect((await waiting).id).toBe('new');
  });
});

test('subscribe() tells of each call until it is stopped', () => {
  const journal = new Journal();
  const told: string[] = [];
  const stop = journal.subscribe(({ id }) => told.push(id));
  journal.record(call({ id: '1' }));
  stop();
  journal.record(call({ id: '2' }));
  expect(told).toEqual(['1']);
});

describe('har()', () => {
  test('has every field that HAR 1.2 requires', async () => {
    const { url, journal } = await stub({ rules: ['readThing:status=503,times=1'] });
    await post(url, { name: 'é' });
    await fetch(`${url}/things/1?a=b&a=c%20d`);
    const { log } = journal.har();
    expect(log).toMatchObject({ version: '1.2', creator: { name: expect.any(String), version: expect.any(String) } });
    expect(log.entries).toHaveLength(2);
    for (const entry of log.entries) expect(missing(entry, required)).toEqual([]);
    expect(log.entries[0]?.request).toMatchObject({
      postData: { mimeType: 'application/json', text: '{"name":"é"}' },
      bodySize: 13,
    });
    expect(log.entries[1]).toMatchObject({
      request: {
        url: `${url}/things/1?a=b&a=c%20d`,
        queryString: [
          { name: 'a', value: 'b' },
          { name: 'a', value: 'c d' },
        ],
      },
      response: { status: 503, statusText: 'Service Unavailable' },
      comment: 'readThing: fault readThing:status=503,times=1',
    });
    expect(log.entries.map(({ request }) => 'postData' in request)).toEqual([true, false]);
  });

  test('has no secrets unless it is asked for them', () => {
    const journal = new Journal();
    journal.record(call({ requestBody: '{"api_secret":"hush"}', responseBody: '{"token":"hush"}', url: '/things?token=hush' }));
    expect(JSON.stringify(journal.har())).not.toMatch(/hush|abc/);
    const whole = JSON.stringify(journal.har({ secrets: true }));
    expect(whole.match(/hush/g)).toHaveLength(4);
    expect(whole).toContain('Bearer abc');
  });
});

/** http://www.softwareishard.com/blog/har-12-spec/: what is not optional, and its type. */
const required = {
  startedDateTime: 'string',
  time: 'number',
  cache: 'object',
  timings: { send: 'number', wait: 'number', receive: 'number' },
  request: {
    method: 'string',
    url: 'string',
    httpVersion: 'string',
    cookies: 'array',
    headers: 'array',
    queryString: 'array',
    headersSize: 'number',
    bodySize: 'number',
  },
  response: {
    status: 'number',
    statusText: 'string',
    httpVersion: 'string',
    cookies: 'array',
    headers: 'array',
    content: { size: 'number', mimeType: 'string' },
    redirectURL: 'string',
    headersSize: 'number',
    bodySize: 'number',
  },
};

function missing(value: object, fields: object, at = ''): string[] {
  return Object.entries(fields).flatMap(([name, type]) => {
    const found = (value as Record<string, unknown>)[name];
    if (typeof type === 'object') return missing((found ?? {}) as object, type, `${at}${name}.`);
    return (Array.isArray(found) ? 'array' : typeof found) === type ? [] : [`${at}${name}`];
  });
}

describe('curlOf()', () => {
  test('is one line that makes the call again', () => {
    const headers = {
      host: 'localhost:8080',
      'content-length': '12',
      connection: 'keep-alive',
      authorization: 'Bearer abc',
      'x-empty': '',
    };
    expect(curlOf(call({ requestHeaders: headers, requestBody: `{"name":"it's"}`, url: '/things?a=[1]' }))).toBe(
      `curl --globoff -X POST 'http://localhost:8080/things?a=[1]' -H 'authorization: Bearer [redacted]' -H 'x-empty;' --data-raw '{"name":"it'\\''s"}'`,
    );
    expect(curlOf(call({ method: 'GET', requestBody: '', requestHeaders: headers }), { secrets: true })).toContain(
      "-H 'authorization: Bearer abc'",
    );
    expect(curlOf(call({ method: 'HEAD', requestBody: '', requestHeaders: {} }))).toBe('curl --head http://localhost/things');
  });

  // A `curl` of our own writes down the words that the shell made of the line, and what came in on its input.
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-curl-'));
  const wordsFile = join(folder, 'words');
  const inputFile = join(folder, 'input');
  writeFileSync(
    join(folder, 'curl'),
    `#!/bin/sh\nprintf '%s\\0' "$@" > '${wordsFile}'\ncase "$*" in *@-) cat > '${inputFile}';; esac\n`,
  );
  chmodSync(join(folder, 'curl'), 0o755);
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is safe in a shell, whatever the call holds', () => {
    const nasty = fc.array(
      fc.constantFrom(
        "'",
        '"',
        '\\',
        '$(id)',
        '`id`',
        '\n',
        '!',
        '%b',
        '*',
        ' ',
        ';',
        '&',
        '@',
        '-',
        '\0',
        '\\0',
        'é',
        '🙂',
        'a',
      ),
    );
    const texts = fc.oneof(
      nasty.map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    const header = texts.map((text) => text.replaceAll(/[\0-\x1f\x7f]/g, '').trim());
    fc.assert(
      fc.property(texts, header, fc.webPath(), (requestBody, value, path) => {
        const line = curlOf(call({ requestBody, requestHeaders: { host: 'h', 'x-nasty': value }, url: `/${path}` }), {
          secrets: true,
        });
        execFileSync('sh', ['-c', line], { env: { PATH: `${folder}:/usr/bin:/bin` } });
        const words = readFileSync(wordsFile, 'utf8').split('\0').slice(0, -1);
        const body = words.at(-1) === '@-' ? readFileSync(inputFile, 'utf8') : words.includes('--data-raw') ? words.at(-1) : '';
        expect(body).toBe(requestBody);
        expect(words).toContain(value === '' ? 'x-nasty;' : `x-nasty: ${value}`);
        expect(words).toContain(`http://h/${path}`);
      }),
      { numRuns: 150 },
    );
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  test.runIf(hasCurl)('works with the real curl', async () => {
    const { url, journal } = await stub();
    await post(url, { name: `it's "$HOME" \\ é` });
    const [first] = journal.calls();
    const made = spawn('sh', ['-c', `${curlOf(first as RecordedCall)} -s`]);
    await once(made, 'close');
    expect(journal.calls()[1]?.requestBody).toBe(first?.requestBody);
  });
});

test('a client that sends half a body and goes is in the journal', async () => {
  const { url, journal } = await stub();
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /things HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"na', () =>
    socket.destroy(),
  );
  expect(await journal.waitForCall()).toMatchObject({ path: '/things', operation: 'createThing' });
});
