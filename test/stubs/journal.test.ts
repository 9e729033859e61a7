import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { RecordedCall } from '../../stubs/journal/call.ts';
import { Journal } from '../../stubs/journal/journal.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { call, HandClock, post, stub } from './harness.ts';

describe('a received call', () => {
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

  test('is in the journal even if it was refused, unknown or failed, with the reason', async () => {
    const { url, journal } = await stub();
    await post(url, { name: 'a' }, { authorization: 'Bearer wrong' });
    await fetch(`${url}/things`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a;b' });
    await fetch(`${url}/things`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":' });
    await fetch(`${url}/thingz`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"b"}' });
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
      ['/broken', 500, '', undefined, 'a bug'],
    ]);
  });

  test.each([false, true])('is in the journal even if a fault cut it (faults installed first: %s)', async (faultsFirst) => {
    const rules = ['readThing:truncated', 'createThing:malformed'];
    const { url, journal } = await stub({ rules, faultsFirst });
    await (await fetch(`${url}/things/1`)).text().catch(() => undefined);
    await (await post(url, {})).text();
    expect(journal.calls()).toMatchObject([
      { status: 200, fault: 'readThing:truncated', responseBody: '{"id":"1","name' },
      { status: 201, fault: 'createThing:malformed', responseBody: '{"id":"thing_' },
    ]);
  });

  test('has its body and status 0 if the connection was reset', async () => {
    const { url, journal } = await stub({ rules: ['createThing:reset,times=1'] });
    await post(url, { name: 'first' }).catch(() => undefined);
    await post(url, { name: 'again' });
    expect(journal.calls()).toMatchObject([
      { status: 0, requestBody: '{"name":"first"}', responseBody: '', responseHeaders: {}, fault: 'createThing:reset,times=1' },
      { status: 201, requestBody: '{"name":"again"}' },
    ]);
  });

  test('is in the journal even if its client left before the reply', async () => {
    const clock = new HandClock();
    const { url, journal } = await stub({ rules: ['*:delay=10s'], clock });
    const leaving = new AbortController();
    const gone = fetch(`${url}/things/1`, { signal: leaving.signal }).catch(() => 'gone');
    await clock.begun();
    leaving.abort();
    expect(await gone).toBe('gone');
    expect(await journal.waitForCall({}, { timeoutMs: longestWaitMs })).toMatchObject({
      path: '/things/1',
      status: 0,
      fault: '*:delay=10s',
    });
  });

  test('is dropped when newer calls fill the journal, and a long body is cut', async () => {
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
    small.record(call({ id: 'large', requestBody: 'x'.repeat(200), responseBody: '' }));
    expect(
      small.calls().map(({ id }) => id),
      'the newest call stays, however large',
    ).toEqual(['large']);
    expect(() => new Journal({ capacity: 0 })).toThrow('capacity: 0 is not a whole number above 0.');
  });

  test('with a body that was refused unread is bounded too, and the server keeps working', async () => {
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
    [{ path: /^\/things\/\d/ }, ['2']],
    [{ path: /thing/g }, ['1', '2']],
    [{ status: 404 }, ['2']],
    [{ status: '2xx' }, ['1']],
    [{ where: ({ url }: RecordedCall) => url.includes('x=1') }, ['2']],
    [{ operation: 'readThing', status: '2xx' }, []],
    [{}, ['1', '2']],
  ] as const)('%j', (filter, ids) => {
    // Twice: a pattern with the flag `g` keeps its place between searches.
    for (let time = 0; time < 2; time += 1) expect(journal.calls(filter).map(({ id }) => id)).toEqual(ids);
  });

  test('a class of statuses includes its first and last status, and no other class', () => {
    const statuses = new Journal();
    for (const status of [0, 399, 400, 499, 500]) statuses.record(call({ status }));
    expect(statuses.calls({ status: '4xx' }).map(({ status }) => status)).toEqual([400, 499]);
  });

  test('refuses unknown statuses, which would match no call', () => {
    expect(() => journal.calls({ status: '4XX' as never })).toThrow('status: "4XX" is not a status.');
  });
});

describe('waitForCall()', () => {
  test('finds a call that was already received, or waits for the next', async () => {
    const { url, journal } = await stub();
    await post(url, { name: 'early' });
    const early = await journal.waitForCall({ operation: 'createThing' });
    expect(early.requestBody).toBe('{"name":"early"}');

    const next = journal.waitForCall({ operation: 'createThing' }, { after: early, timeoutMs: longestWaitMs });
    const later = journal.waitForCall({ path: '/things' }, { after: 'now', timeoutMs: longestWaitMs });
    await fetch(`${url}/things/1`);
    await post(url, { name: 'late' });
    expect(await next).toMatchObject({ requestBody: '{"name":"late"}' });
    expect(await later).toBe(await next);
    expect(await journal.waitForCall({ status: 201 }, { after: early.id })).toBe(await next);
  });

  test('on timeout reports the filter, and how the nearest calls differ', async () => {
    const clock = new HandClock();
    const journal = new Journal({ clock });
    journal.record(call({ id: '1', status: 401 }));
    journal.record(call({ id: '2', method: 'GET', operation: 'readThing', path: '/things/1', url: '/things/1', status: 200 }));
    const waiting = journal.waitForCall({ operation: 'createThing', method: 'POST', status: '2xx' }, { timeoutMs: 1500 });
    expect(await clock.begun()).toBe(1500);
    clock.end();
    await expect(waiting).rejects.toThrow(
      [
        'Waited 1500 ms for a call with operation createThing, method POST, status 2xx. Of 2 received, the nearest are:',
        '  POST /things -> 401 (1): status is 401, not 2xx',
        '  GET /things/1 -> 200 (2): operation is readThing, not createThing; method is GET, not POST',
      ].join('\n'),
    );
  });

  test('on timeout reports that nothing was received, or that the call was too early', async () => {
    const journal = new Journal();
    await expect(journal.waitForCall({}, { timeoutMs: 0 })).rejects.toThrow('Waited 0 ms for any call. Nothing was received.');
    journal.record(call());
    await expect(journal.waitForCall({}, { timeoutMs: 0, after: 'now' })).rejects.toThrow(
      'matches, but did not come later than `after`',
    );
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

  test('continues after clear(), which drops all calls', async () => {
    const journal = new Journal();
    journal.record(call({ id: 'old' }));
    const waiting = journal.waitForCall({ path: '/things' }, { after: 'now' });
    journal.clear();
    expect(journal.calls()).toEqual([]);
    journal.record(call({ id: 'new' }));
    expect((await waiting).id).toBe('new');
  });
});

test('a call whose client leaves after half a body is in the journal', async () => {
  const { url, journal } = await stub();
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /things HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"na', () =>
    socket.destroy(),
  );
  expect(await journal.waitForCall()).toMatchObject({ path: '/things', operation: 'createThing' });
});
