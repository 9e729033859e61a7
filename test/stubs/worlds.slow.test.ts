import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startWatchedStub } from '../../stubs/stub.ts';
import type { Stub, World } from '../../stubs/types.ts';
import { eventually } from '../eventually.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { rawCall } from './harness.ts';
import { aSale, call, openReceiver, openStub, signIn } from './partner.ts';

type Pos = Stub<'pos'>;

/** The program under test: it knows the address of the stub and credentials, and nothing of worlds. */
const programOf = async (stub: Pos, { credentials }: Pick<Pos, 'credentials'>) => {
  const token = await signIn(stub, credentials);
  return {
    token,
    sell: async (quantity = 1) => (await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(quantity) })).status,
    stock: async () => {
      const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
      return body.data.items.find(({ product_id }: { product_id: string }) => product_id === 'PRD-0001').quantity;
    },
  };
};

const paths = (stub: Stub) => stub.calls().map(({ method, path, status }) => `${method} ${path} ${status}`);

test('whoever has the credentials of a world is in it, at the address of the stub', async () => {
  const stub = await openStub('pos');
  const [one, other] = [await stub.world({ name: 'one' }), await stub.world({ name: 'other' })];
  const programs = await Promise.all([stub, one, other].map((world) => programOf(stub, world)));
  const before = await programs[0]?.stock();
  expect(await programs[1]?.sell(3)).toBe(201);
  expect(await programs[2]?.sell(5)).toBe(201);
  expect(await Promise.all(programs.map(({ stock }) => stock()))).toEqual([before, before - 3, before - 5]);
  expect(paths(one)).toEqual(['POST /api/auth 200', 'POST /api/v1/sales 201', 'GET /api/v1/inventory 200']);
  expect(paths(stub)).toEqual(['POST /api/auth 200', 'GET /api/v1/inventory 200', 'GET /api/v1/inventory 200']);
});

test('a world begins as its stub did, not as it is now', async () => {
  const { url } = await openReceiver(204);
  const stub = await openStub('cohesion', { clock: '2026-03-01T08:00:00Z', webhooks: [{ url }], secret: secretOf('k') });
  await stub.clock.advance('2h');
  stub.faults.add('readMe:status=503');
  const world = await stub.world();
  expect([world.name, world.secret, world.clock.now()]).toEqual(['world-1', secretOf('k'), Date.UTC(2026, 2, 1, 8)]);
  expect([world.endpoints.list().length, world.faults.list().length]).toEqual([1, 0]);
  await expect(stub.world({ plan: 'pro' } as never)).rejects.toThrow('only accounts of pos have a plan');
});

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;

test('the credentials of a world follow from its name, and from the seed', async () => {
  const seed = {
    tokens: [{ name: 'mine', token: `7|${'a'.repeat(40)}` }],
    structures: [{ nom: 'A', type: 'ong', region: 'Abidjan' }],
  } as never;
  const stub = await openStub('cohesion', { seed });
  const [one, other] = [await stub.world({ name: 'one' }), await stub.world({ name: 'other' })];
  const again = await (await openStub('cohesion', { seed })).world({ name: 'one' });
  expect(again.credentials).toEqual(one.credentials);
  const tokens = [stub, one, other].map(({ credentials }) => credentials.token);
  expect(new Set(tokens).size).toBe(3);
  for (const token of tokens) expect((await call(stub, 'GET', '/api/v1/me', { token })).status).toBe(200);
  expect([stub, one, other].map((world) => world.calls().length)).toEqual([1, 1, 1]);
});

test('a world knows the credentials that are made in it, also after a reset', async () => {
  const [stub, board] = [await openStub('pos'), await openStub('cohesion')];
  const world = await stub.world();
  const made = await world.profile.createKey();
  await programOf(stub, { credentials: { ...world.credentials, ...made } });
  expect([paths(world), paths(stub)]).toEqual([['POST /api/auth 200'], []]);
  await world.reset();
  await expect(signIn(stub, made)).rejects.toThrow('401');
  expect(paths(world)).toEqual(['POST /api/auth 401']);

  const other = await board.world();
  const { token } = await other.profile.createToken({ name: 'mine' });
  expect((await call(board, 'GET', '/api/v1/me', { token })).status).toBe(200);
  expect([paths(other), paths(board)]).toEqual([['GET /api/v1/me 200'], []]);
});

test('wrong credentials with the mark of a world are refused there', async () => {
  const stub = await openStub('pos');
  const world = await stub.world();
  const { token } = await programOf(stub, world);
  const wrong = `${token.slice(0, -4)}AAAA`;
  expect((await call(stub, 'GET', '/api/v1/inventory', { token: wrong })).body.error.code).toBe('token_signature');
  await expect(signIn(stub, { ...world.credentials, apiSecret: 'wrong' })).rejects.toThrow('401');
  expect(paths(world).slice(1)).toEqual(['GET /api/v1/inventory 401', 'POST /api/auth 401']);
  expect(world.calls({ operation: 'issueToken' }).at(-1)?.requestBody).toContain(world.credentials.apiKey);
  expect(stub.calls()).toEqual([]);
});

describe('below the address of a world', () => {
  test('is all that a stub has at its root, with any credentials', async () => {
    const stub = await openStub('pos');
    const world = await stub.world();
    expect((await call(world, 'GET', '/api/v1/inventory', { token: 'unknown' })).status).toBe(401);
    expect(paths(world)).toEqual(['GET /api/v1/inventory 401']);
    const { body } = await call(world, 'GET', '/_stub');
    expect(body.data).toMatchObject({ url: world.url, calls: 1, credentials: world.credentials });
    const { operatorToken: token } = stub;
    expect((await call(world, 'POST', '/_stub/faults', { body: { rule: 'createSale:reset' } })).status).toBe(201);
    expect([world.faults.list().length, stub.faults.list().length]).toEqual([1, 0]);
    expect((await call(world, 'GET', '/manage/v1/calls?api=pos', { token })).body.data).toHaveLength(1);
    expect((await call(world, 'POST', '/_stub/reset')).body.data.calls).toBe(0);
    const document = await (await fetch(`${world.url}/_stub/openapi.json`)).json();
    expect(document).toMatchObject({ servers: [{ url: `${world.url}/_stub` }] });
  });

  test('pages are those of the stub', async () => {
    const stub = await openStub('pos');
    const world = await stub.world();
    for (const page of ['/docs', '/openapi.json', '/console/stub?tab=calls'])
      expect((await fetch(`${world.url}${page}`, { redirect: 'manual' })).headers.get('location')).toBe(page);
    expect((await call(world, 'GET', '/docs')).status).toBe(200);
    expect((await fetch(`${world.url}/profile/v1/me`, { redirect: 'manual' })).status).toBe(404);
    expect([paths(world), paths(stub)]).toEqual([[], []]);
  });

  test('strangers are refused as at the root, and a stream of calls ends with the world', async () => {
    const stub = await openStub('pos');
    const world = await stub.world();
    const foreign = { origin: 'http://evil.example' };
    expect((await call(world, 'POST', '/_stub/reset', { headers: foreign })).status).toBe(403);
    const stream = await fetch(`${world.url}/_stub/calls/stream`);
    await programOf(stub, world);
    await world.close();
    expect(
      (await stream.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).path),
    ).toEqual(['/api/auth']);
  });
});

test('an ended world leaves nothing: its credentials are refused, its waits and calls end', async () => {
  const stub = await openStub('pos');
  const [world, other] = [await stub.world({ faults: ['createSale:hang=5m'] }), await stub.world()];
  const [program, stays] = [await programOf(stub, world), await programOf(stub, other)];
  const waiting = world.waitForCall({ operation: 'payByMobileMoney' }, { timeoutMs: longestWaitMs });
  const hanging = program.sell();
  await expect.poll(() => world.faults.list()[0]?.applied).toBe(1);
  const outcomes = Promise.allSettled([waiting, hanging]);
  await world.close();
  await world.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(stub.worlds().map(({ name }) => name)).toEqual([other.name]);
  const { body } = await call(stub, 'GET', '/api/v1/inventory', { token: program.token });
  expect(body.help.hint).toContain('A key KEY_NAME of a world works only in the world NAME, until that world ends.');
  await expect(signIn(stub, world.credentials)).rejects.toThrow('401');
  expect(await stays.sell()).toBe(201);
  expect(world.calls().length).toBe(2);
  expect(() => world.trigger('sale.completed')).toThrow('world.trigger was used after world.close()');
  // The name is free again, and with it the credentials.
  await stub.world({ name: world.name });
  expect(await program.sell()).toBe(201);
});

test('the memory of an ended world is free', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const stub = await openStub('pos');
  const ended: WeakRef<object>[] = [];
  for (let at = 0; at < 5; at++) {
    await using world = await stub.world();
    await (await programOf(stub, world)).sell();
    await call(world, 'GET', '/_stub');
    ended.push(new WeakRef(world));
  }
  // What a connection did last is kept until its next call.
  await programOf(stub, stub);
  await eventually(() => {
    collectGarbage();
    expect(ended.filter((one) => one.deref() !== undefined).length).toBeLessThanOrEqual(1);
  });
});

test('a stub that closes ends its worlds, and their calls that hang', async () => {
  const stub = await openStub('pos');
  const world = await stub.world({ faults: ['createSale:hang=5m'] });
  const program = await programOf(stub, world);
  const hanging = Promise.allSettled([program.sell()]);
  await expect.poll(() => world.faults.list()[0]?.applied).toBe(1);
  await stub.close();
  expect((await hanging)[0]?.status).toBe('rejected');
});

test('an alternative that has the token elsewhere leads to the world that plays it', async () => {
  const stub = await openStub('pos');
  const world = await stub.world({ assume: { 'pos.token-transport': 'own-header' } });
  const token = await signIn(stub, world.credentials);
  const reply = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { headers: { 'x-api-token': token } });
  expect([reply.status, world.calls().length]).toEqual([200, 2]);
});

describe('signing in while there are worlds', () => {
  const signInWith = async (stub: Pos, headers: string[], body: string) => {
    const lines = ['POST /api/auth HTTP/1.1', 'host: x', 'connection: close', 'content-type: application/json', ...headers];
    return (await rawCall(stub.url, `${lines.join('\r\n')}\r\n\r\n${body}`)).received;
  };
  const bodyOf = ({ credentials: { apiKey, apiSecret } }: Pick<Pos, 'credentials'>) =>
    JSON.stringify({ api_key: apiKey, api_secret: apiSecret });

  test.each([
    ['in chunks', (body: string) => [['transfer-encoding: chunked'], `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`]],
    ['after it is asked for', (body: string) => [['expect: 100-continue', `content-length: ${body.length}`], body]],
    ['at the address below the base', (body: string) => [[`content-length: ${body.length}`], body]],
  ] as const)('the body is read whole, %s', async (_, sent) => {
    const stub = await openStub('pos');
    const world = await stub.world();
    const [headers, body] = sent(bodyOf(world)) as [string[], string];
    expect(await signInWith(stub, headers, body)).toContain('"success":true');
    expect([paths(world), paths(stub)]).toEqual([['POST /api/auth 200'], []]);
  });

  test('what is too large, no JSON or cut off is the stub’s own, and refused as ever', async () => {
    const stub = await openStub('pos');
    const world = await stub.world();
    const long = JSON.stringify({ api_key: 'x'.repeat(5000), api_secret: 'y' });
    expect(await signInWith(stub, [`content-length: ${long.length}`], long)).toContain('body_too_large');
    expect(await signInWith(stub, ['content-length: 4'], 'null')).toContain('HTTP/1.1 400');
    expect(await signInWith(stub, ['content-length: 3'], '{"a')).toContain('HTTP/1.1 400');
    const { hostname, port } = new URL(stub.url);
    const socket = connect(Number(port), hostname);
    socket.end('POST /api/auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"api');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(world.calls()).toEqual([]);
    await programOf(stub, world);
  });
});

describe('over HTTP', () => {
  test('worlds begin, are listed and end', async () => {
    const stub = await openStub('pos');
    const clock = '2026-03-01T08:00:00.000Z';
    const begun = await call(stub, 'POST', '/_stub/worlds', { body: { name: 'gw0', seed: 'empty', clock } });
    const [world] = stub.worlds() as [World<'pos'>];
    const { url, credentials, secret } = world;
    expect([begun.status, begun.body.data]).toEqual([201, { name: 'gw0', url, credentials, clock, secret }]);
    expect(url).toBe(`${stub.url}/_stub/worlds/gw0`);
    expect((await call(world, 'GET', '')).body).toEqual(begun.body);
    const { body } = await call(stub, 'POST', '/_stub/worlds');
    expect(body.data.name).toBe('world-1');
    expect((await call(stub, 'GET', '/_stub/worlds')).body.data).toMatchObject([{ name: 'gw0' }, { name: 'world-1' }]);
    expect((await call(stub, 'DELETE', '/_stub/worlds/gw0')).body.data).toMatchObject([{ name: 'world-1' }]);
    expect((await call(world, 'GET', '/_stub')).body.error).toEqual({
      code: 'unknown_world',
      message: 'There is no world "gw0". GET /_stub/worlds (passerelle stub worlds) lists all of them.',
    });
  });

  test.each([
    ['POST', '', { nmae: 'x' }, 400, 'nmae: is not a field of this request; the nearest is name'],
    ['POST', '', { name: 'a b' }, 400, 'name: "a b" must be 1 to 40 letters, digits, "_" and "-".'],
    ['POST', '', { name: 'first' }, 409, 'There is a world "first" already. Use it, or put it back to its start'],
    ['POST', '', { seed: 'file.json' }, 400, 'seed: must be "demo", "empty" or an object'],
    ['POST', '', { faults: 'x' }, 400, 'Send JSON such as {"faults":["createSale:status=503"]'],
    ['POST', '', { webhooks: [{ url: 1 }] }, 400, '"webhooks":[{"url":"http://127.0.0.1:3000/hook"}]'],
    ['POST', '', { limits: 1 }, 400, 'Send JSON such as {"name":"worker-1","clock"'],
    ['POST', '', { seed: { stors: [] } }, 400, 'stors'],
    ['POST', '', { plan: 'gold' }, 400, 'No account has the plan "gold"'],
    ['POST', '', { clock: 'soon' }, 400, 'clock: "soon" is not a date and time'],
    ['POST', '', { faults: ['createSael:reset'] }, 400, 'Did you mean createSale?'],
    ['POST', '', { assume: 'pos.sale-sttus=200' }, 400, 'Did you mean pos.sale-status?'],
    ['POST', '', { mobileMoney: ['pnding'] }, 400, 'pnding'],
    ['POST', '', { webhooks: [{ url: 'http://127.0.0.1:1/', events: ['sale.complete'] }] }, 400, 'Did you mean sale.completed?'],
    ['POST', '', { secret: 'short' }, 400, 'must be whsec_'],
    ['GET', '/frist', undefined, 404, 'There is no world "frist". Did you mean first?'],
    ['DELETE', '/frist', undefined, 404, 'There is no world "frist". Did you mean first?'],
    ['GET', '/frist/_stub/faults', undefined, 404, 'There is no world "frist". Did you mean first?'],
  ])('%s /_stub/worlds%s %j is refused', async (method, path, body, status, message) => {
    const stub = await openStub('pos');
    await stub.world({ name: 'first' });
    const refused = await call(stub, method, `/_stub/worlds${path}`, { body });
    expect([refused.status, refused.body.error.message]).toEqual([status, expect.stringContaining(message)]);
    // What was refused takes no place.
    expect(stub.worlds()).toHaveLength(1);
  });
});

test('a world has no worlds, and ends by no call that it answers', async () => {
  const stub = await openStub('pos');
  const world = await stub.world({ name: 'one' });
  await expect(world.world()).rejects.toThrow('A world has no worlds.');
  const refused = await call(world, 'POST', '/_stub/worlds');
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('at the address of their stub')]);
  expect((await call(world, 'DELETE', '/_stub/worlds/one')).status).toBe(404);
  expect((await call(world, 'GET', '/_stub/worlds')).body.data).toEqual([]);
});

test('a stub has 100 worlds at most, of which one that was idle for an hour makes room', async () => {
  const stub = await openStub('pos', { seed: 'empty' });
  const worlds = await Promise.all(Array.from({ length: 100 }, () => stub.world()));
  await expect(stub.world()).rejects.toThrow(
    'There are 100 worlds, the most that a stub has. End those that no test uses: DELETE',
  );
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(3_600_001);
  const [first, second] = worlds as [World<'pos'>, World<'pos'>];
  await signIn(stub, first.credentials);
  await stub.world({ name: 'next' });
  expect(stub.worlds().map(({ name }) => name)).toEqual([first.name, ...worlds.slice(2).map(({ name }) => name), 'next']);
  expect(second.name).toBe('world-2');
});

test('a stub that a command watches has no worlds', async () => {
  const stub = await startWatchedStub('pos', {});
  onTestFinished(() => stub.close());
  await expect(stub.world()).rejects.toThrow('This stub is watched, and what happens in a world would not be seen');
});

test('with https, a world has the certificate of its stub', async () => {
  const stub = await openStub('pos', { tls: true });
  const world = await stub.world();
  expect([new URL(world.url).protocol, world.ca]).toEqual(['https:', stub.ca]);
});
