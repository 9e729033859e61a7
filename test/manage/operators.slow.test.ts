import { expect, test } from 'vitest';
import { demoCredentials } from '../../gateway/start/demo.ts';
import { greetingOf, readableGreeting } from '../../gateway/start/greeting.ts';
import { operatorToken, type TestGateway } from '../helper.ts';
import { makeOperator, openGateway, refusalOf, signedIn, signIn } from './harness.ts';

const bearer = (gateway: TestGateway, token: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  gateway.call(method, `/manage/v1${path}`, { token, body });

test('a named operator signs in and calls with a credential that is shown once and kept as a hash', async () => {
  const gateway = await openGateway();
  const awa = await makeOperator(gateway, 'Awa', 'operator');
  const issa = await makeOperator(gateway, 'Issa', 'viewer');
  expect([awa.credential, issa.credential]).toEqual([expect.stringMatching(/^op_/), expect.stringMatching(/^vw_/)]);
  expect(JSON.stringify(await gateway.store.list('operators'))).not.toContain(awa.credential);

  const first = (await bearer(gateway, issa.credential, 'GET', '/operators?limit=1')).body;
  expect(first.data[0]).toMatchObject({
    id: issa.id,
    name: 'Issa',
    role: 'viewer',
    active: true,
    created_at: expect.any(String),
  });
  const second = (await bearer(gateway, awa.credential, 'GET', `/operators?limit=1&cursor=${first.next}`)).body;
  expect(second).toMatchObject({ data: [{ id: awa.id, name: 'Awa', last_used_at: expect.any(String) }], next: null });
  expect(JSON.stringify([first, second])).not.toMatch(/credential|hash/);
  const { data } = (await gateway.manage('GET', '/calls?caller=operator:Awa')).body;
  expect(data.length).toBe(1);
  expect((await signIn(gateway, issa.credential)).body.data.operator).toEqual({ id: issa.id, name: 'Issa', role: 'viewer' });
});

test('names are unique, and the name of the installation’s own token is reserved', async () => {
  const gateway = await openGateway();
  const awa = await makeOperator(gateway, 'Awa', 'operator');
  const issa = await makeOperator(gateway, 'Issa', 'operator');
  for (const name of ['Awa', 'operator']) {
    const made = await gateway.manage('POST', '/operators', { name, role: 'viewer' });
    const renamed = await gateway.manage('PATCH', `/operators/${issa.id}`, { name });
    expect([refusalOf(made), refusalOf(renamed)]).toEqual([
      [409, 'already_exists'],
      [409, 'already_exists'],
    ]);
  }
  expect((await gateway.manage('PATCH', `/operators/${awa.id}`, { name: 'Awa' })).status).toBe(200);
  expect((await gateway.manage('PATCH', '/operators/opr_none', { name: 'Nobody' })).status).toBe(404);
  expect((await gateway.manage('PATCH', `/operators/${awa.id}`, {})).status).toBe(400);
  for (const wrong of [
    { name: '', role: 'viewer' },
    { name: 'x'.repeat(61), role: 'viewer' },
    { name: 'Ama', role: 'admin' },
  ])
    expect((await gateway.manage('POST', '/operators', wrong)).status).toBe(400);
});

test.each<[string, 'PATCH' | 'POST', string, unknown, boolean]>([
  ['a different role', 'PATCH', '', { role: 'viewer' }, true],
  ['deactivation', 'PATCH', '', { active: false }, true],
  ['another credential', 'POST', '/rotate-credential', undefined, true],
  ['another name', 'PATCH', '', { name: 'Awa K.' }, false],
  ['the same role', 'PATCH', '', { role: 'operator', active: true }, false],
])('%s: %s %s ends the sessions of that operator alone, or not', async (_what, method, path, body, ends) => {
  const gateway = await openGateway();
  const awa = await makeOperator(gateway, 'Awa', 'operator');
  const issa = await makeOperator(gateway, 'Issa', 'operator');
  const calls = [await signedIn(gateway, awa.credential), await signedIn(gateway, issa.credential), await signedIn(gateway)];
  expect((await gateway.manage(method, `/operators/${awa.id}${path}`, body)).status).toBe(200);
  // An ended session stays ended when the operator is active again.
  await gateway.manage('PATCH', `/operators/${awa.id}`, { active: true });
  const [of, ...others] = await Promise.all(calls.map(async (call) => refusalOf(await call('GET', '/session'))));
  expect(of).toEqual(ends ? [401, 'session_expired'] : [200, undefined]);
  expect(others).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
});

test('operators cannot deactivate or demote themselves; others can, and renaming oneself is allowed', async () => {
  const gateway = await openGateway();
  const awa = await makeOperator(gateway, 'Awa', 'operator');
  const path = `/operators/${awa.id}`;
  for (const change of [{ active: false }, { role: 'viewer' }])
    expect(refusalOf(await bearer(gateway, awa.credential, 'PATCH', path, change))).toEqual([409, 'own_operator']);
  expect((await bearer(gateway, awa.credential, 'PATCH', path, { name: 'Awa K.' })).status).toBe(200);
  const issa = await makeOperator(gateway, 'Issa', 'operator');
  expect((await bearer(gateway, issa.credential, 'PATCH', path, { role: 'viewer' })).body.data.role).toBe('viewer');
});

test('a viewer can call every read operation and no other, by bearer and by session', async () => {
  const gateway = await openGateway();
  const { credential } = await makeOperator(gateway, 'Issa', 'viewer');
  const session = await signedIn(gateway, credential);
  const { paths } = (await gateway.call('GET', '/docs/manage.json')).body as {
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path: path.replaceAll(/\{\w+\}/g, 'x'), method, ...operation })),
  );
  const changes = operations.filter(({ method }) => method !== 'get');
  expect(changes.length).toBeGreaterThan(30);
  const passed: string[] = [];
  for (const { path, method, operationId, responses } of changes) {
    expect(Object.keys(responses), operationId).toContain('403');
    // An empty body is invalid for most operations, but a viewer is refused before the validation.
    const replies = [
      await gateway.call(method.toUpperCase() as 'POST', `/manage/v1${path}`, { token: credential, body: {} }),
      ...(operationId === 'closeSession' ? [] : [await session(method.toUpperCase() as 'POST', path, {})]),
    ];
    if (replies.some((reply) => refusalOf(reply).join() !== '403,viewer_cannot_change')) passed.push(operationId);
  }
  // A diagnosis and a preview change nothing. They are a POST because of their body.
  expect(passed.sort()).toEqual(['closeSession', 'diagnoseDelivery', 'openSession', 'previewFilter']);
  for (const { path, operationId } of operations.filter(({ method }) => method === 'get'))
    expect((await session('GET', path)).status, operationId).not.toBe(403);
  const refused = await session('POST', '/operators', { name: 'Mallory', role: 'operator' });
  expect(refused.body.error.message).toMatch(/^Issa is a viewer.*An operator can do this/);
  expect((await session('DELETE', '/session')).status).toBe(204);
});

test('the demo data has a viewer, whose credential the greeting shows while it is valid', async () => {
  const gateway = await openGateway({ demo: true });
  const viewer = gateway.demo.viewer as string;
  expect((await signIn(gateway, viewer)).body.data.operator).toMatchObject({ name: 'viewer', role: 'viewer' });
  const greeting = greetingOf('http://127.0.0.1:8080', operatorToken, gateway.demo);
  expect(greeting.operator).toEqual({ token: operatorToken, viewer });
  expect(readableGreeting(greeting, [])).toMatch(
    /Console +http:\/\/127\.0\.0\.1:8080\/console\n +Profile +http:\/\/127\.0\.0\.1:8080\/profile .*\n.*Viewer +vw_demo_/s,
  );
  const { data } = (await gateway.manage('GET', '/operators')).body;
  await gateway.manage('POST', `/operators/${data[0].id}/rotate-credential`);
  expect((await demoCredentials(gateway.store, gateway.services.keys))?.viewer).toBe(undefined);
});

test.each([
  ['Awa\u202e', 'U+202E'],
  ['A\u200bwa', 'U+200B'],
  ['Awa\u2066x\u2069', 'U+2066'],
  ['Awa\ufeff', 'U+FEFF'],
  ['Awa\u3164', 'U+3164'],
  ['Awa\u00ad', 'U+00AD'],
  ['Awa\u00a0K', 'U+00A0'],
  ['Awa\nK', 'U+000A'],
  ['Awa\u{e0061}', 'U+E0061'],
])('an operator may not have a name with an invisible or direction-changing character: %j', async (name, codePoint) => {
  const gateway = await openGateway();
  const made = await gateway.manage('POST', '/operators', { name, role: 'viewer' });
  expect([made.status, made.body.error.details[0].rule]).toEqual([400, 'visible_text']);
  expect(made.body.error.message).toContain(codePoint);
  const awa = await makeOperator(gateway, 'N’Guessan Élodie 阿瓦 نور', 'viewer');
  expect((await gateway.manage('PATCH', `/operators/${awa.id}`, { name })).status).toBe(400);
});
