import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { parsePrefer } from '../../stubs/faults/prefer.ts';
import { failureOf, HandClock, post, stub } from './harness.ts';

describe('Prefer', () => {
  test('asks for a status or an example, and the reply confirms it', async () => {
    const { url, worked } = await stub();
    const wish = async (prefer: string) => {
      const reply = await post(url, {}, { prefer });
      return [reply.status, await reply.json(), reply.headers.get('preference-applied')];
    };
    const made = { id: 'thing_1' };
    expect(await wish('code=503')).toEqual([
      503,
      { error: { status: 503, code: 'fault', message: 'This reply is simulated: Prefer: code=503' } },
      'code=503',
    ]);
    expect(await wish('example')).toEqual([201, made, 'example']);
    expect(await wish('example=201')).toEqual([201, made, 'example=201']);
    expect(await wish('code=201')).toEqual([201, made, 'code=201']);
    expect(await wish('example=404')).toEqual([404, { error: 'gone' }, 'example=404']);
    expect(await wish('CODE="404" , Example=never')).toEqual([404, { error: 'never was' }, 'code=404, example=never']);
    expect(await wish('example=gone')).toEqual([404, { error: 'gone' }, 'example=gone']);
    expect(await wish('example=never, code=404')).toEqual([404, { error: 'never was' }, 'example=never, code=404']);
    expect(await wish('code=409, example=never')).toMatchObject([409, {}, 'code=409']);
    expect((await post(url, {}, { prefer: 'example=gone; retry=3s' })).headers.get('retry-after')).toBe('3');
    expect((await post(url, {}, { prefer: 'code=404' })).headers.get('x-gone')).toBe('yes');
    expect(await wish('token-expired')).toMatchObject([401, {}, 'token-expired']);
    expect(worked.times).toBe(0);
  });

  test('asks for a delay, in seconds if there is no unit, beside other preferences in other headers', async () => {
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

  test('takes precedence over rules, whose counts do not change', async () => {
    const { url, faults } = await stub({ rules: ['*:status=500,times=1'] });
    expect((await post(url, {}, { prefer: 'code=404' })).status).toBe(404);
    expect(faults.list()[0]?.applied).toBe(0);
    expect((await post(url, {})).status).toBe(500);
  });

  test('that cannot be applied is ignored with the reason, or refused with handling=strict', async () => {
    const { url } = await stub();
    const prefer = 'code=abc, delay=1h, return=minimal';
    const reply = await post(url, {}, { prefer });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('preference-applied')).toBeNull();
    const ignored = reply.headers.get('x-preference-ignored');
    expect(ignored).toContain('code=abc ("abc" is not a number.)');
    expect(ignored).toContain('delay=1h (ms: must be at most 300000 ms (5 minutes))');

    const long = await post(url, {}, { prefer: 'delay=301' });
    expect(long.headers.get('x-preference-ignored')).toContain('must be at most 300000 ms');
    const strict = await post(url, {}, { prefer: `${prefer}, handling=strict` });
    expect(strict.status).toBe(400);
    expect(await strict.json()).toMatchObject({ error: { code: 'invalid_preference' } });
  });

  test('a misspelt example is refused with the nearest name, and nothing is done', async () => {
    const { url, worked } = await stub();
    const reply = await post(url, {}, { prefer: 'example=nope' });
    const message =
      'Prefer: example=nope (createThing has no example "nope". Did you mean gone? The examples are made, gone, never.)';
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 'invalid_preference', message } }]);
    expect(worked.times).toBe(0);
  });

  test('retry=0s asks to come back at once', async () => {
    const { url } = await stub();
    expect((await post(url, {}, { prefer: 'code=503; retry=0s' })).headers.get('retry-after')).toBe('0');
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
