import { get } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../gateway/clock.ts';
import { FaultError, type FaultRule, Faults, longestDelayMs, parseRule, ruleText } from '../../stubs/faults/index.ts';
import { parsePrefer } from '../../stubs/faults/prefer.ts';
import { failureOf, HandClock, post, rawCall, stub } from './harness.ts';

const request = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n${headers}\r\n`;

describe('a client sees', () => {
  test('a status in the shape of the API, and no work done', async () => {
    const { url, worked } = await stub({ rules: ['createThing:status=503,retry=1500ms'] });
    const reply = await post(url, {});
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('2');
    expect(await reply.json()).toEqual({
      error: { status: 503, code: 'fault', message: 'This reply was asked for: createThing:status=503,retry=1500ms' },
    });
    expect(worked.times).toBe(0);
    expect((await fetch(`${url}/things/1`)).status).toBe(200);
  });

  test('also where the app would have refused the call', async () => {
    const { url } = await stub({ rules: ['*:status=502'] });
    expect((await post(url, {}, { authorization: 'Bearer wrong' })).status).toBe(502);
    expect((await fetch(`${url}/nothing`)).status).toBe(502);
    expect(await (await fetch(`${url}/own`)).text()).toBe('mine');
  });

  test.each([
    ['request', 0],
    ['reply', 1],
  ])('a reset of the connection, at the stage of the %s', async (stage, times) => {
    const { url, worked } = await stub({ rules: [`*:reset,stage=${stage}`] });
    expect(await failureOf(post(url, {}))).toBe('ECONNRESET');
    expect(worked.times).toBe(times);
    // A FIN would end the socket without an error.
    expect(await rawCall(url, request('/things/1'))).toEqual({ received: '', error: 'ECONNRESET' });
  });

  test('a body that is shorter than promised', async () => {
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

  test('a whole reply that is no JSON', async () => {
    const { url } = await stub({ rules: ['*:malformed'] });
    const reply = await fetch(`${url}/things/1`);
    expect(reply.headers.get('content-type')).toContain('application/json');
    await expect(reply.json()).rejects.toThrow(SyntaxError);
    expect((await fetch(`${url}/things/1`, { method: 'DELETE' })).status).toBe(204);
  });

  test('a body that comes in pieces', async () => {
    const clock = new HandClock();
    const { url } = await stub({ rules: ['readThing:slow=3s,pieces=3'], clock });
    const reply = await fetch(`${url}/things/1`);
    expect(reply.headers.get('content-length')).toBe('30');
    const pieces: string[] = [];
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = 0; piece < 3; piece += 1) {
      // Nothing has come of the next piece before its time is over.
      expect(await clock.begun()).toBe(1000);
      clock.end();
      pieces.push((await reader?.read())?.value ?? '');
    }
    expect((await reader?.read())?.done).toBe(true);
    expect(pieces).toHaveLength(3);
    expect(JSON.parse(pieces.join(''))).toEqual({ id: '1', names: ['é', 'ü'] });
    expect(pieces.every((piece) => piece !== '')).toBe(true);
  });

  test('a limit that is reached, with its headers', async () => {
    const { url } = await stub({ rules: ['*:rate-limit,limit=30,retry=10s'] });
    const reply = await post(url, {});
    expect(reply.status).toBe(429);
    const names = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
    expect(names.map((name) => reply.headers.get(name))).toEqual(['10', '30', '0', '10']);
    expect(await reply.json()).toMatchObject({ error: { code: 'rate_limited' } });
  });

  test('a token that has expired', async () => {
    const { url } = await stub({ rules: ['*:token-expired'], clock: new HandClock() });
    const reply = await post(url, {});
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    const message = 'The token expired at 2026-01-14T23:59:59.000Z. Get another one.';
    expect(await reply.json()).toMatchObject({ error: { code: 'token_expired', message } });
  });
});

describe('a delay', () => {
  test('holds up its own call and no other', async () => {
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

  test('of the reply comes after the work', async () => {
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
    await journal.waitForCall({ path: '/things/1' });
    expect(clock.waits).toEqual([]);
    expect(worked.times).toBe(stage === 'reply' ? 1 : 0);
  });

  test('comes before another fault', async () => {
    const clock = new HandClock();
    const { url } = await stub({ rules: ['*:delay=2s', 'createThing:status=500', '*:delay=9s', '*:reset'], clock });
    const reply = post(url, {});
    expect(await clock.begun()).toBe(2000);
    clock.end();
    expect((await reply).status).toBe(500);
  });

  test('does not hold up the end of the server', async () => {
    const clock = new HandClock();
    const { url, app } = await stub({ rules: ['*:delay=2s'], clock });
    const reply = post(url, {}).catch(() => undefined);
    await clock.begun();
    await app.close();
    await reply;
    expect(clock.waits).toEqual([]);
  });

  test('over the maximum is refused', () => {
    expect(() => new Faults(['*:delay=6m'])).toThrow('fault.ms: must be at most 300000 ms (5 minutes)');
    expect(() => new Faults(['*:delay=1s..6m'])).toThrow(FaultError);
    expect(() => new Faults([{ fault: { kind: 'slow', overMs: longestDelayMs + 1 } }])).toThrow(FaultError);
  });

  test.each([
    ['*:delay=100ms..300ms', (ms: number) => ms >= 100 && ms <= 300],
    ['*:delay,mean=100ms,deviation=20s', (ms: number) => ms >= 0 && ms <= longestDelayMs],
    ['*:delay,median=100ms,sigma=9', (ms: number) => ms >= 0 && ms <= longestDelayMs],
  ])('%s stays in its bounds', (text, inBounds) => {
    const delays = delaysOf(new Faults([text], { seed: 7 }), 500);
    expect(delays.every((ms) => Number.isInteger(ms) && inBounds(ms))).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(50);
  });

  test.each([
    ['*:delay=100ms..300ms', 200],
    ['*:delay,mean=200ms,deviation=20ms', 200],
    ['*:delay,median=200ms,sigma=0.3', 200],
  ])('%s is around its middle', (text, middle) => {
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

  test('count for each caller or operation where they say so', async () => {
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

  test('come and go while the server runs', async () => {
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

  test('after reset() are as at the beginning', () => {
    const faults = new Faults(['*:reset,probability=0.5,times=20'], { seed: 'x' });
    const first = hits(faults, 60);
    faults.add('*:delay=1s');
    faults.reset();
    expect(faults.list()).toMatchObject([{ applied: 0, matched: 0 }]);
    expect(hits(faults, 60)).toBe(first);
  });

  test('have one id each', () => {
    const faults = new Faults([{ id: 'fault-1', fault: { kind: 'reset' } }, '*:malformed']);
    expect(faults.list().map(({ id }) => id)).toEqual(['fault-1', 'fault-2']);
    expect(() => faults.add('*:reset,id=fault-2')).toThrow('There is a rule "fault-2" already. Remove it first.');
  });
});

describe('the text of a rule', () => {
  test.each<[string, FaultRule]>([
    ['createSale:status=503,times=2', { operation: 'createSale', fault: { kind: 'status', status: 503 }, times: 2 }],
    ['*:delay=200ms..2s', { fault: { kind: 'delay', fromMs: 200, toMs: 2000 } }],
    ['readInventory:reset,probability=0.1', { operation: 'readInventory', fault: { kind: 'reset' }, probability: 0.1 }],
    ['POST /a:b/{id}:slow=3s,pieces=4', { method: 'POST', path: '/a:b/{id}', fault: { kind: 'slow', overMs: 3000, pieces: 4 } }],
    ['*:delay,median=300ms,sigma=0.5,stage=reply', { fault: { kind: 'delay', medianMs: 300, sigma: 0.5, stage: 'reply' } }],
    [
      'GET:rate-limit,limit=30,retry=10s,per=caller',
      { method: 'GET', fault: { kind: 'rate-limit', limit: 30, retryAfterMs: 10_000 }, per: 'caller' },
    ],
  ])('%s', (text, rule) => {
    expect(parseRule(text)).toEqual(rule);
    expect(ruleText(rule)).toBe(text);
  });

  test.each([
    ['createSale', 'it has no ":"'],
    [':reset', 'it does not say which calls'],
    [
      '*:explode',
      '"explode" is no fault. There are: delay, status, reset, truncated, malformed, slow, rate-limit, token-expired.',
    ],
    ['*:status', 'fault.status: must be a whole number.'],
    ['*:status=999', 'fault.status: must be 200 to 599'],
    ['*:status=503,tmes=2', '"tmes" is no option of status. It takes: status, retry, times, after, probability, per, id.'],
    ['*:status=503,pieces=2', '"pieces" is no option of status.'],
    ['*:reset,times=2,times=3', 'times is given twice.'],
    ['*:reset,times=0', 'times: must be at least 1'],
    ['*:reset,times', 'times needs a value: times=...'],
    ['*:reset,times=many', '"many" is no number.'],
    ['*:reset,probability=2', 'probability: '],
    ['*:delay=200', '"200" is no time of whole milliseconds. Write it with its unit: 200ms, 1.5s or 2m.'],
    ['*:delay=2s..1s', 'fault.fromMs: must not be longer than toMs'],
    ['*:delay,mean=2s', 'fault: must have one of: ms; fromMs and toMs; meanMs and deviationMs; medianMs and sigma'],
    ['*:reset=now', '"reset" is no option of reset.'],
    ['a b:reset', '"b" is a second operation.'],
    ['*:reset,__proto__=1', '"__proto__" is no option of reset.'],
  ])('%s is refused with the way out', (text, message) => {
    expect(() => parseRule(text)).toThrow(FaultError);
    expect(() => parseRule(text)).toThrow(message);
    expect(() => parseRule(text)).toThrow('A rule looks like "createSale:status=503,times=2"');
  });

  const time = fc.integer({ min: 0, max: longestDelayMs });
  const positive = fc.integer({ min: 1, max: longestDelayMs });
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map(Math.abs);
  const optional = <Shape extends object>(shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
    fc.record(shape, { requiredKeys: [] });
  const stage = fc.constantFrom('request', 'reply');
  const joined = (...parts: fc.Arbitrary<object>[]) => fc.tuple(...parts).map((all) => Object.assign({}, ...all));
  const fault = fc.oneof(
    joined(
      fc.constant({ kind: 'delay' }),
      optional({ stage }),
      fc.oneof(
        fc.record({ ms: time }),
        fc.tuple(time, time).map(([a, b]) => ({ fromMs: Math.min(a, b), toMs: Math.max(a, b) })),
        fc.record({ meanMs: time, deviationMs: time }),
        fc.record({ medianMs: positive, sigma: share }),
      ),
    ),
    joined(
      fc.record({ kind: fc.constant('status'), status: fc.integer({ min: 200, max: 599 }) }),
      optional({ retryAfterMs: positive }),
    ),
    joined(fc.constant({ kind: 'reset' }), optional({ stage })),
    joined(fc.constant({ kind: 'truncated' }), optional({ share })),
    fc.constantFrom({ kind: 'malformed' }, { kind: 'token-expired' }),
    joined(fc.record({ kind: fc.constant('slow'), overMs: positive }), optional({ pieces: fc.integer({ min: 2, max: 1000 }) })),
    joined(fc.constant({ kind: 'rate-limit' }), optional({ limit: fc.integer({ min: 1, max: 1e9 }), retryAfterMs: positive })),
  );
  const rule = joined(
    fc.record({ fault }),
    optional({
      id: fc.stringMatching(/^[\w-]{1,64}$/),
      operation: fc.stringMatching(/^[a-z]\w{0,9}$/),
      method: fc.constantFrom('GET', 'POST', 'DELETE'),
      path: fc.stringMatching(/^\/[\x21-\x7e]{0,20}$/),
      times: fc.integer({ min: 1, max: 1e9 }),
      after: fc.integer({ min: 0, max: 1e9 }),
      probability: share,
      per: fc.constantFrom('operation', 'caller'),
    }),
  ) as fc.Arbitrary<FaultRule>;

  test('is read as the rule that was written', () => {
    fc.assert(
      fc.property(rule, (written) => {
        const text = ruleText(written);
        expect(parseRule(text)).toEqual(written);
        expect(ruleText(parseRule(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('is refused with nothing but a FaultError, whatever it is', () => {
    const word = fc.constantFrom(
      '*',
      ':',
      ',',
      '=',
      '..',
      'delay',
      'status',
      'reset',
      'times',
      '503',
      '2s',
      'e',
      '/',
      '{',
      ' ',
      '-1',
      '1e999',
      'GET',
      '__proto__',
      'constructor',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          expect(parseRule(ruleText(parseRule(given)))).toEqual(parseRule(given));
        } catch (error) {
          expect(error).toBeInstanceOf(FaultError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('is not needed: a rule that is wrong says so as an object, too', () => {
    const wrong = (value: unknown) => () => new Faults([value as FaultRule]);
    expect(wrong({ fault: { kind: 'nothing' } })).toThrow('fault.kind: must have a kind: one of delay, status, reset');
    expect(wrong({ operation: 'GET', fault: { kind: 'reset' } })).toThrow('operation: is a method: give it as `method`');
    expect(wrong({ fault: { kind: 'reset' }, tmes: 1 })).toThrow('Unrecognized key: "tmes"');
    expect(wrong({ fault: { kind: 'reset' }, path: 'things' })).toThrow('path: must begin with "/"');
    expect(wrong(undefined)).toThrow(FaultError);
  });
});

describe('Prefer', () => {
  test('asks for a status or an example, and the reply says that it complied', async () => {
    const { url, worked } = await stub();
    const wish = async (prefer: string) => {
      const reply = await post(url, {}, { prefer });
      return [reply.status, await reply.json(), reply.headers.get('preference-applied')];
    };
    const made = { id: 'thing_1' };
    expect(await wish('code=503')).toEqual([
      503,
      { error: { status: 503, code: 'fault', message: 'This reply was asked for: Prefer: code=503' } },
      'code=503',
    ]);
    expect(await wish('example')).toEqual([201, made, 'example']);
    expect(await wish('example=201')).toEqual([201, made, 'example=201']);
    expect(await wish('code=201')).toEqual([201, made, 'code=201']);
    expect(await wish('example=404')).toEqual([404, { error: 'gone' }, 'example=404']);
    expect(await wish('CODE="404" , Example=never')).toEqual([404, { error: 'never was' }, 'code=404, example=never']);
    expect(await wish('token-expired')).toMatchObject([401, {}, 'token-expired']);
    expect(worked.times).toBe(0);
  });

  test('asks for a delay, in seconds where no unit is given, with other preferences in other headers', async () => {
    const clock = new HandClock();
    const { url } = await stub({ clock });
    const { promise, resolve } = Promise.withResolvers<{ status: number | undefined; applied: unknown }>();
    const headers = ['Host', 'h', 'Prefer', 'delay=2', 'Prefer', 'wait=10, code=409'];
    get(`${url}/things/1`, { headers }, (reply) => {
      resolve({ status: reply.statusCode, applied: reply.headers['preference-applied'] });
      reply.resume();
    });
    expect(await clock.begun()).toBe(2000);
    clock.end();
    expect(await promise).toEqual({ status: 409, applied: 'delay=2, code=409' });
  });

  test('asks for every other fault', async () => {
    const { url } = await stub({ clock: { now: Date.now, after: (_ms, task) => systemClock.after(0, task) } });
    expect(await failureOf(post(url, {}, { prefer: 'reset' }))).toBe('ECONNRESET');
    await expect((await post(url, {}, { prefer: 'malformed' })).json()).rejects.toThrow(SyntaxError);
    expect(await failureOf((await post(url, {}, { prefer: 'truncated;share=0.9' })).text())).toMatch(
      /other side closed|UND_ERR_SOCKET/,
    );
    const slow = await post(url, {}, { prefer: 'slow=1s; pieces=3' });
    expect([slow.headers.get('preference-applied'), await slow.json()]).toEqual([
      'slow=1s; pieces=3',
      { id: 'thing_3', got: {} },
    ]);
  });

  test('goes before the rules, whose counts then stay', async () => {
    const { url, faults } = await stub({ rules: ['*:status=500,times=1'] });
    expect((await post(url, {}, { prefer: 'code=404' })).status).toBe(404);
    expect(faults.list()[0]?.applied).toBe(0);
    expect((await post(url, {})).status).toBe(500);
  });

  test('that cannot be followed is ignored with the reason, or refused where handling is strict', async () => {
    const { url } = await stub();
    const prefer = 'code=abc, delay=1h, example=nope, return=minimal';
    const reply = await post(url, {}, { prefer });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('preference-applied')).toBeNull();
    const ignored = reply.headers.get('x-preference-ignored');
    expect(ignored).toContain('code=abc ("abc" is no number.)');
    expect(ignored).toContain('delay=1h ("1h" is no time of whole milliseconds.');
    expect(ignored).toContain('example=nope (the OpenAPI document has no such example of createThing)');

    const long = await post(url, {}, { prefer: 'delay=301' });
    expect(long.headers.get('x-preference-ignored')).toContain('must be at most 300000 ms');
    const strict = await post(url, {}, { prefer: `${prefer}, handling=strict` });
    expect(strict.status).toBe(400);
    expect(await strict.json()).toMatchObject({ error: { code: 'invalid_preference' } });
  });
});

describe('parsePrefer()', () => {
  test.each([
    [
      'a=1, b',
      [
        ['a', '1'],
        ['b', undefined],
      ],
    ],
    ['A = "x, y" ; p=2;q, a=3', [['a', 'x, y', 'p=2', 'q']]],
    ['a="say \\"hi\\""', [['a', 'say "hi"']]],
    [
      'a=, b=""',
      [
        ['a', undefined],
        ['b', undefined],
      ],
    ],
    [',, a , =3, "x", b c, d=ü', [['a', undefined]]],
    ['a="unclosed, b', []],
  ])('%s', (header, expected) => {
    expect(parsePrefer(header).map(({ name, value, parameters }) => [name, value, ...parameters])).toEqual(expected);
  });
});
