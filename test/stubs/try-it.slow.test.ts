import { expect, test } from 'vitest';
import type { OpenApi } from '../../spec/openapi/document.ts';
import { call, openStub, tokenOn } from './partner.ts';

test('the reference has a request for each test number', async () => {
  const stub = await openStub('pos', { mobileMoney: 'sandbox' });
  const { body } = await call(stub, 'GET', '/docs/reference/pos.json');
  const content = body.paths['/api/v1/payment/mobile'].post.requestBody.content['application/json'];
  const numbers = stub.payments.testNumbers.map(({ name, phone }) => [name, phone]);
  expect(content).not.toHaveProperty('example');
  expect(Object.entries<{ value: { phone: string } }>(content.examples).map(([name, { value }]) => [name, value.phone])).toEqual(
    numbers,
  );
  const token = await tokenOn(stub, 'pos');
  const pay = (name: string) =>
    call(stub, 'POST', '/api/v1/payment/mobile', { token: token ?? '', body: content.examples[name].value });
  expect((await pay('refused')).body.data.status).toBe('pending');
  await stub.clock.advance('5s');
  expect((await pay('webhook_early')).body.data.status).toBe('received');
});

test('every event of the reference says how to send one', async () => {
  const stub = await openStub('cohesion');
  const { body } = await call(stub, 'GET', '/docs/reference/cohesion.json');
  for (const [type, { post }] of Object.entries((body as OpenApi).webhooks ?? {}))
    expect(post).toMatchObject({ description: expect.stringContaining(`passerelle trigger ${type} --at ${stub.url} --to `) });
  expect(body.webhooks).toHaveProperty(['intervention.validated']);
});

test('the manage API has the operator’s token filled in', async () => {
  const stub = await openStub('pos');
  expect(await tokenOn(stub, 'manage')).toBe(stub.operatorToken);
});

test('opening the page leaves the journal empty', async () => {
  const stub = await openStub('pos');
  for (const path of [
    '/docs',
    '/docs/gaps',
    '/docs/reference/pos.json',
    '/docs/reference/start.js',
    '/docs/reference/own.js',
    '/docs/reference/scalar.js',
  ])
    expect((await call(stub, 'GET', path)).status).toBe(200);
  expect(stub.calls()).toEqual([]);
});

test('after its key is revoked, the page opens without a token', async () => {
  const stub = await openStub('pos');
  const accounts = await call(stub, 'GET', '/manage/v1/pos/accounts', { token: stub.operatorToken });
  for (const { id } of accounts.body.data)
    await call(stub, 'DELETE', `/manage/v1/pos/accounts/${id}/keys/${stub.credentials.apiKey}`, { token: stub.operatorToken });
  expect(await tokenOn(stub, 'pos')).toBeUndefined();
});

test('/ of a stub is still a path of its API', async () => {
  const stub = await openStub('pos');
  expect((await call(stub, 'GET', '/')).status).toBe(404);
});
