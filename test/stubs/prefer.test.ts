import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { failureOf, HandClock, post, stub } from './harness.ts';

describe('Prefer', () => {
  test('asks for a status or an example, and the reply confirms it', async () => {
    const { url, worked } = await stub();
    const wish = async (prefer: string) => {
      const reply = await post(url, {}, { prefer });
      return [reply.status, await reply.json(), reply.headers.get('preference-applied')];
    };
    const made = { id: 'thing_1' };
    expect(await wish('example')).toEqual([201, made, 'example']);
    expect(await wish('example=201')).toEqual([201, made, 'example=201']);
    expect(await wish('code=201')).toEqual([201, made, 'code=201']);
    expect(await wish('example=404')).toEqual([404, { error: 'gone' }, 'example=404']);
    expect(await wish('CODE="404" , Example=never')).toEqual([404, { error: 'never was' }, 'code=404, example=never']);
    expect(await wish('example=gone')).toEqual([404, { error: 'gone' }, 'example=gone']);
    expect(await wish('example=never, code=404')).toEqual([404, { error: 'never was' }, 'example=never, code=404']);
    expect(await wish('code=404, example=made')).toMatchObject([404, {}, 'code=404']);
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
    const { url } = await stub({ clock: { now: () => 0, after: (_ms, task) => systemClock.after(0, task) } });
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

  test('that another one excludes is ignored with the reason, or refused with handling=strict', async () => {
    const { url } = await stub();
    const prefer = 'code=404, example=made, reset, return=minimal';
    const reply = await post(url, {}, { prefer });
    expect([reply.status, reply.headers.get('preference-applied')]).toEqual([404, 'code=404']);
    const excluded = 'example=made ("Prefer: code=404" takes precedence), reset ("Prefer: code=404" takes precedence)';
    expect(reply.headers.get('x-preference-ignored')).toBe(excluded);
    const strict = await post(url, {}, { prefer: `${prefer}, handling=strict` });
    expect([strict.status, await strict.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_preference', message: `Prefer: ${excluded}` } },
    ]);
  });

  const statuses = 'Its statuses are 201, 404. A fault rule such as createThing:status=418,times=1 sends any status.';
  test.each([
    ['example=nope', 'example=nope (createThing has no example "nope". Did you mean gone? The examples are made, gone, never.)'],
    ['exmaple=made', 'exmaple=made ("exmaple" is not a preference. Did you mean example?)'],
    ['wait=5, COD=404', 'cod=404 ("cod" is not a preference. Did you mean code?)'],
    ['code=abc', `code=abc (createThing does not answer abc. ${statuses})`],
    ['code=', `code (it has no status. ${statuses})`],
    ['code=418', `code=418 (createThing does not answer 418. ${statuses})`],
    ['status=999', `status=999 (createThing does not answer 999. ${statuses})`],
    ['code:404', 'code:404 (a preference looks like code=VALUE)'],
    [
      'code=404; retry:3s',
      'code=404; retry:3s ("retry:3s" is not an option of status. Did you mean retry? Its options: status, retry.)',
    ],
    ['delay=1h', 'delay=1h (delay: must be at most 300000 ms (5 minutes))'],
    ['delay=301', 'delay=301 (delay: must be at most 300000 ms (5 minutes))'],
    ['bandwidth', 'bandwidth (write bandwidth=1000)'],
    ['empty=3', 'empty=3 (empty takes no value. Its options: stage.)'],
    ['malformed=yes', 'malformed=yes (malformed takes no value.)'],
    [
      'lost',
      'lost (it is about webhooks, and a preference about this call. Add a fault rule, such as *:lost,times=1, with --fault or POST /_stub/faults)',
    ],
    ['handling=strikt', 'handling=strikt (handling must be strict or lenient)'],
  ])('%s is refused, and nothing is done', async (prefer, message) => {
    const { url, worked } = await stub();
    const reply = await post(url, {}, { prefer });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_preference', message: `Prefer: ${message}` } },
    ]);
    expect(worked.times).toBe(0);
  });

  test('of other standards are ignored', async () => {
    const { url } = await stub();
    const others = 'return=minimal, respond-async, wait=5, safe, depth-noroot, odata.maxpagesize=5, count=exact, dynamic=true';
    const reply = await post(url, {}, { prefer: others });
    expect([reply.status, reply.headers.get('x-preference-ignored')]).toEqual([201, null]);
  });

  test('retry=0s asks to come back at once', async () => {
    const { url } = await stub();
    expect((await post(url, {}, { prefer: 'code=404; retry=0s' })).headers.get('retry-after')).toBe('0');
  });
});
