import { describe, expect, test } from 'vitest';
import { Faults } from '../../stubs/faults/faults.ts';
import { longestDelayMs } from '../../stubs/faults/kinds.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { failureOf, HandClock, post, rawCall, stub } from './harness.ts';

const request = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n${headers}\r\n`;

describe('a client sees', () => {
  test('a status in the shape of the API, without any work done', async () => {
    const { url, worked } = await stub({ rules: ['createThing:status=503,retry=1500ms'] });
    const reply = await post(url, {});
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('2');
    expect(await reply.json()).toEqual({
      error: { status: 503, code: 'fault', message: 'This reply is simulated: createThing:status=503,retry=1500ms' },
    });
    expect(worked.times).toBe(0);
    expect((await fetch(`${url}/things/1`)).status).toBe(200);
  });

  test('a fault even if the app would have refused the call', async () => {
    const { url } = await stub({ rules: ['*:status=502'] });
    expect((await post(url, {}, { authorization: 'Bearer wrong' })).status).toBe(502);
    expect((await fetch(`${url}/nothing`)).status).toBe(502);
    expect(await (await fetch(`${url}/own`)).text()).toBe('mine');
  });

  describe.each([
    ['request', 0],
    ['reply', 1],
  ])('at the stage of the %s', (stage, times) => {
    test.each([
      // A FIN would end the socket without an error, and a reset with one.
      ['a reset of the connection', 'reset', /^ECONNRESET$/, 'ECONNRESET'],
      ['an end of the connection without a reply', 'empty', /other side closed|UND_ERR_SOCKET/, undefined],
    ])('%s', async (_, kind, failure, error) => {
      const { url, worked } = await stub({ rules: [`*:${kind},stage=${stage}`] });
      expect(await failureOf(post(url, {}))).toMatch(failure);
      expect(worked.times).toBe(times);
      expect(await rawCall(url, request('/things/1'))).toEqual({ received: '', error });
    });

    test('nothing for a while and then the end of the connection', async () => {
      const clock = new HandClock();
      const { url, worked, journal } = await stub({ rules: [`*:hang=30s,stage=${stage}`], clock });
      const failed = failureOf(post(url, {}));
      expect(await clock.begun()).toBe(30_000);
      expect([worked.times, journal.size]).toEqual([times, 0]);
      clock.end();
      expect(await failed).toMatch(/other side closed|UND_ERR_SOCKET/);
      const call = await journal.waitForCall({ path: '/things' }, { timeoutMs: longestWaitMs });
      expect(call).toMatchObject({ status: 0, fault: `*:hang=30s,stage=${stage}` });
      expect(call.keptBack).toBe(times === 0 ? undefined : 201);
    });
  });

  test('a body that is shorter than Content-Length', async () => {
    const { url } = await stub({ rules: ['readThing:truncated,share=0.25'] });
    const reply = await fetch(`${url}/things/1`);
    expect(reply.status).toBe(200);
    expect(await failureOf(reply.text())).toMatch(/other side closed|UND_ERR_SOCKET/);
    const { received, error } = await rawCall(url, request('/things/1'));
    expect(error).toBeUndefined();
    expect(received).toContain('content-length: 30');
    expect(received.split('\r\n\r\n')[1]).toBe('{"id":"');
  });

  test('a body that is cut at once', async () => {
    const { url } = await stub({ rules: ['readThing:truncated,share=0'] });
    const { received } = await rawCall(url, request('/things/1'));
    expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n(.+\r\n)*content-length: 30\r\n(.+\r\n)*\r\n$/);
  });

  test('a complete reply that is not valid JSON', async () => {
    const { url } = await stub({ rules: ['*:malformed'] });
    const reply = await fetch(`${url}/things/1`);
    expect(reply.headers.get('content-type')).toContain('application/json');
    await expect(reply.json()).rejects.toThrow(SyntaxError);
    expect((await fetch(`${url}/things/1`, { method: 'DELETE' })).status).toBe(204);
  });

  test('a chunk that is malformed, after half of the body', async () => {
    const { url, journal } = await stub({ rules: ['*:malformed-chunk'] });
    const reply = await fetch(`${url}/things/1`);
    expect([reply.status, reply.headers.get('content-length'), reply.headers.get('transfer-encoding')]).toEqual([
      200,
      null,
      'chunked',
    ]);
    expect(await failureOf(reply.text())).toContain('Response does not match the HTTP/1.1 protocol');
    const { received, error } = await rawCall(url, request('/things/1'));
    expect([received.split('\r\n\r\n')[1], error]).toEqual(['f\r\n{"id":"1","name\r\nnot a chunk\r\n', undefined]);
    expect(journal.calls().at(-1)).toMatchObject({ responseBody: '{"id":"1","name' });
  });

  test('a body at a rate', async () => {
    const clock = new HandClock();
    const { url } = await stub({ rules: ['readThing:bandwidth=120'], clock });
    const body = fetch(`${url}/things/1`).then((reply) => reply.text());
    const waits: number[] = [];
    for (let piece = 0; piece < 3; piece += 1) {
      waits.push(await clock.begun());
      clock.end();
    }
    // Of 30 bytes, 12, 12 and 6.
    expect(waits).toEqual([100, 100, 50]);
    expect(JSON.parse(await body)).toEqual({ id: '1', names: ['é', 'ü'] });
  });

  test('a body in pieces', async () => {
    const clock = new HandClock();
    const { url } = await stub({ rules: ['readThing:slow=3s,pieces=3'], clock });
    const reply = await fetch(`${url}/things/1`);
    expect(reply.headers.get('content-length')).toBe('30');
    const pieces: string[] = [];
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = 0; piece < 3; piece += 1) {
      // The next piece arrives only after the interval.
      expect(await clock.begun()).toBe(1000);
      clock.end();
      pieces.push((await reader?.read())?.value ?? '');
    }
    expect((await reader?.read())?.done).toBe(true);
    expect(pieces).toHaveLength(3);
    expect(JSON.parse(pieces.join(''))).toEqual({ id: '1', names: ['é', 'ü'] });
    expect(pieces.every((piece) => piece !== '')).toBe(true);
  });

  test('a reached limit, with its headers', async () => {
    const { url } = await stub({ rules: ['*:rate-limit,limit=30,retry=10s'] });
    const reply = await post(url, {});
    expect(reply.status).toBe(429);
    const names = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit', 'ratelimit-policy'];
    const values = ['10', '30', '0', '10', '"plan";r=0;t=10', '"plan";q=30;w=60'];
    expect(names.map((name) => reply.headers.get(name))).toEqual(values);
    expect(await reply.json()).toMatchObject({ error: { code: 'rate_limited' } });
  });
});

test('a call without a connection (inject) fails if a fault cuts it', async () => {
  const { app } = await stub({ rules: ['readThing:reset', 'createThing:truncated'] });
  await expect(app.inject('/things/1')).rejects.toThrow('The connection was reset by a fault.');
  await expect(app.inject({ method: 'POST', url: '/things', payload: {} })).rejects.toThrow('The reply was cut by a fault.');
});

describe('a delay', () => {
  test('delays its own call and no other', async () => {
    const clock = new HandClock();
    const { url, worked } = await stub({ rules: ['createThing:delay=2s'], clock });
    const order: string[] = [];
    const slow = post(url, {}).then(() => order.push('slow'));
    expect(await clock.begun()).toBe(2000);
    expect(worked.times).toBe(0);
    await fetch(`${url}/things/1`).then(() => order.push('quick'));
    clock.end();
    await slow;
    expect(order).toEqual(['quick', 'slow']);
  });

  test('of the reply happens after the work', async () => {
    const clock = new HandClock();
    const { url, worked } = await stub({ rules: ['createThing:delay=2s,stage=reply'], clock });
    const slow = post(url, {});
    await clock.begun();
    expect(worked.times).toBe(1);
    clock.end();
    expect((await slow).status).toBe(201);
  });

  test.each(['request', 'reply'])('of the %s ends when the client goes away', async (stage) => {
    const clock = new HandClock();
    const { url, journal, worked } = await stub({ rules: [`readThing:delay=2s,stage=${stage}`], clock });
    const leaving = new AbortController();
    const failed = failureOf(fetch(`${url}/things/1`, { signal: leaving.signal }));
    await clock.begun();
    leaving.abort();
    await failed;
    await journal.waitForCall({ path: '/things/1' }, { timeoutMs: longestWaitMs });
    expect(clock.waits).toEqual([]);
    expect(worked.times).toBe(stage === 'reply' ? 1 : 0);
  });

  test('is applied before another fault', async () => {
    const clock = new HandClock();
    const { url } = await stub({ rules: ['*:delay=2s', 'createThing:status=500', '*:delay=9s', '*:reset'], clock });
    const reply = post(url, {});
    expect(await clock.begun()).toBe(2000);
    clock.end();
    expect((await reply).status).toBe(500);
  });

  test('does not delay the stop of the server', async () => {
    const clock = new HandClock();
    const { url, app } = await stub({ rules: ['*:delay=2s'], clock });
    const reply = post(url, {}).catch(() => undefined);
    await clock.begun();
    await app.close();
    await reply;
    expect(clock.waits).toEqual([]);
  });

  test.each([
    ['*:delay=100ms..300ms', (ms: number) => ms >= 100 && ms <= 300],
    ['*:delay,mean=100ms,deviation=20s', (ms: number) => ms >= 0 && ms <= longestDelayMs],
    ['*:delay,median=100ms,sigma=9', (ms: number) => ms >= 0 && ms <= longestDelayMs],
  ])('%s stays within its bounds', (text, inBounds) => {
    const delays = delaysOf(new Faults([text], { seed: 7 }), 500);
    expect(delays.every((ms) => Number.isInteger(ms) && inBounds(ms))).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(50);
  });

  test.each([
    ['*:delay=100ms..300ms', 200],
    ['*:delay,mean=200ms,deviation=20ms', 200],
    ['*:delay,median=200ms,sigma=0.3', 200],
  ])('%s has the given mean or median', (text, middle) => {
    const delays = delaysOf(new Faults([text], { seed: 7 }), 2001).toSorted((a, b) => a - b);
    expect(Math.abs((delays[1000] ?? 0) - middle)).toBeLessThan(10);
  });
});

const anyCall = { method: 'POST', path: '/things', operation: 'createThing', caller: 'a' };
const delaysOf = (faults: Faults, calls: number) => Array.from({ length: calls }, () => faults.choose(anyCall).delay?.ms ?? -1);
const hits = (faults: Faults, calls: number) =>
  Array.from({ length: calls }, () => (faults.choose(anyCall).outcome ? 'x' : '.')).join('');

describe('rules', () => {
  test('fail twice, then work', async () => {
    const { url, faults } = await stub({ rules: ['createThing:status=503,times=2'] });
    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await post(url, {})).status);
    expect(statuses).toEqual([503, 503, 201, 201]);
    expect(faults.list()).toMatchObject([{ id: 'fault-1', text: 'createThing:status=503,times=2', matched: 4, applied: 2 }]);
  });

  test.each([
    ['*:reset,after=2,times=1', '..x....'],
    ['createThing:reset,times=2', 'xx.....'],
    ['POST /things:reset,after=6', '......x'],
    ['/th*:reset,times=1', 'x......'],
    ['/{any}:reset,times=1', 'x......'],
    ['/{any}/{more}:reset', '.......'],
    ['/thing:reset', '.......'],
    ['GET:reset', '.......'],
    ['readThing:reset', '.......'],
    ['*:reset,probability=0', '.......'],
    ['*:reset,probability=1', 'xxxxxxx'],
  ])('%s', (text, pattern) => {
    expect(hits(new Faults([text]), 7)).toBe(pattern);
  });

  test('count for each caller or operation if they say so', async () => {
    const { url } = await stub({ rules: ['createThing:status=503,times=1,per=caller'] });
    const statuses = [];
    for (const who of ['a', 'a', 'b', 'b']) statuses.push((await post(url, {}, { authorization: who })).status);
    expect(statuses).toEqual([503, 201, 503, 201]);

    const faults = new Faults(['*:reset,times=1,per=operation']);
    expect(hits(faults, 2)).toBe('x.');
    expect(faults.choose({ ...anyCall, operation: 'readThing' }).outcome).toBeDefined();
  });

  test('repeat with their seed, each on its own', () => {
    const text = '*:reset,probability=0.3';
    const first = hits(new Faults([text], { seed: 42 }), 100);
    expect(hits(new Faults([text], { seed: 42 }), 100)).toBe(first);
    expect(hits(new Faults([text], { seed: 43 }), 100)).not.toBe(first);
    expect(first.match(/x/g)?.length).toBeGreaterThan(15);
    expect(first.match(/x/g)?.length).toBeLessThan(50);
    // A second rule draws numbers of its own.
    expect(hits(new Faults([text, '*:delay=1ms..9s'], { seed: 42 }), 100)).toBe(first);
    const drawn = new Faults([text]);
    expect(hits(new Faults([text], { seed: drawn.seed }), 100)).toBe(hits(drawn, 100));
  });

  test('can be added and removed while the server runs', async () => {
    const { url, faults } = await stub({ rules: ['readThing:status=500'] });
    expect((await post(url, {})).status).toBe(201);
    const id = faults.add({ operation: 'createThing', fault: { kind: 'status', status: 418 } });
    expect((await post(url, {})).status).toBe(418);
    expect([faults.remove(id), faults.remove(id)]).toEqual([true, false]);
    expect((await post(url, {})).status).toBe(201);
    faults.clear();
    expect((await fetch(`${url}/things/1`)).status).toBe(200);
    faults.reset();
    expect((await fetch(`${url}/things/1`)).status).toBe(500);
  });

  test('are the initial ones after reset()', () => {
    const faults = new Faults(['*:reset,probability=0.5,times=20'], { seed: 'x' });
    const first = hits(faults, 60);
    faults.add('*:delay=1s');
    faults.reset();
    expect(faults.list()).toMatchObject([{ applied: 0, matched: 0 }]);
    expect(hits(faults, 60)).toBe(first);
  });

  test('have unique ids', () => {
    const faults = new Faults([{ id: 'fault-1', fault: { kind: 'reset' } }, '*:malformed']);
    expect(faults.list().map(({ id }) => id)).toEqual(['fault-1', 'fault-2']);
    expect(() => faults.add('*:reset,id=fault-2')).toThrow('The rule "fault-2" exists already. Remove it first.');
  });
});
