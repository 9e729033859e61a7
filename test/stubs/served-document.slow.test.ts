import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { serviceNames } from '../../spec/documents/services.ts';
import { jsonSchema, type OpenApi, type Operation, resolved } from '../../spec/openapi/document.ts';
import type { Stub } from '../../stubs/stub.ts';
import { buildTestApp } from '../helper.ts';
import { call, openStub, tokenOn } from './partner.ts';

const read = async (stub: Stub): Promise<OpenApi> => (await call(stub, 'GET', '/openapi.json')).body;

test.each(serviceNames)('%s: /openapi.json and /openapi.yaml have the address by which they were asked for', async (api) => {
  const stub = await openStub(api);
  const document = await read(stub);
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: stub.url }] });
  const yaml = await call(stub, 'GET', '/openapi.yaml');
  expect(yaml.headers.get('content-type')).toBe('application/yaml');
  expect(parse(yaml.body)).toEqual(document);
  expect((await call(stub, 'GET', `/docs/${api}.json`)).body).toEqual(document);
  expect(stub.calls()).toEqual([]);
});

test('the documents of a gateway have the address of the request, or PUBLIC_URL', async () => {
  const serversOf = async (settings: Record<string, string>) => {
    const { app } = await buildTestApp({ demo: false, settings });
    const reply = await app.inject({ url: '/docs/pos.json', headers: { host: 'gateway.example:8080' } });
    return reply.json().servers;
  };
  expect(await serversOf({})).toEqual([{ url: 'http://gateway.example:8080/pos' }]);
  expect(await serversOf({ PUBLIC_URL: 'https://gateway.example/' })).toEqual([{ url: 'https://gateway.example/pos' }]);
});

const all = ['/docs/pos.json', '/docs/cohesion.json', '/docs/manage.json', '/docs/profile.json'];
test.each([
  ['/openapi.json', all],
  ['/v3/api-docs', all],
  ['/docs/poss.json', all],
  ['/pos/openapi.json', ['/docs/pos.json']],
  ['/cohesion/api/v1/swagger.yaml?x=1', ['/docs/cohesion.json']],
  ['/manage/v1/openapi.json', ['/docs/manage.json']],
  ['/nowhere', []],
  ['/pos/api/v1/nowhere', []],
])('a gateway has no %s, and its 404 names %j', async (path, documents) => {
  const { app } = await buildTestApp({ demo: false });
  const reply = await app.inject({ url: path });
  const body = reply.json() as { message?: string; error?: { message: string } };
  const message = body.error?.message ?? body.message ?? '';
  expect([reply.statusCode, message.match(/\/docs\/\w+\.json/g)?.filter((one) => one !== path) ?? []]).toEqual([404, documents]);
  for (const url of documents) expect((await app.inject({ url })).statusCode).toBe(200);
});

/** The first is for programs that import it. The other fills in the requests of the page, without idempotency keys. */
test.each(serviceNames.flatMap((api) => [[api, '/openapi.json'] as const, [api, `/docs/reference/${api}.json`] as const]))(
  '%s: the requests that have every example of %s succeed, with idempotency keys also twice',
  async (api, address) => {
    const stub = await openStub(api);
    const { paths } = (await call(stub, 'GET', address)).body as OpenApi;
    const token = (await tokenOn(stub, api)) ?? '';
    for (const [template, item] of Object.entries(paths))
      for (const [method, operation] of Object.entries(item)) {
        const isComplete = address === '/openapi.json';
        const { path, headers, body } = requestOf(template, operation, isComplete);
        for (const time of isComplete ? ['once', 'twice'] : ['once']) {
          const reply = await call(stub, method.toUpperCase(), path, { token, headers, body });
          expect([path, time, reply.status, reply.body]).toEqual([path, time, expect.toBeOneOf([200, 201]), expect.anything()]);
        }
      }
  },
);

/** A request with an example of every parameter. Headers have one as `isComplete` says. */
function requestOf(template: string, { parameters = [], requestBody }: Operation, isComplete: boolean) {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let path = template;
  for (const { name, in: place, example } of parameters) {
    if (isComplete) expect([template, name, example]).toEqual([template, name, expect.anything()]);
    else if (place === 'header') expect([template, name, example]).toEqual([template, name, undefined]);
    if (example === undefined) continue;
    if (place === 'path') path = path.replace(`{${name}}`, String(example));
    else if (place === 'header') headers[name] = String(example);
    else query.set(name, String(example));
  }
  const content = requestBody?.content?.['application/json'] as { example?: unknown } | undefined;
  return { path: `${path}?${query}`, headers, body: content?.example };
}

test.each(serviceNames)('%s: refusals are valid for the document, with help and without', async (api) => {
  for (const help of [true, false]) {
    const stub = await openStub(api, { help });
    const { paths } = resolved(await read(stub));
    for (const [template, item] of Object.entries(paths))
      for (const [method, operation] of Object.entries(item)) {
        const path = template.replace(/\{\w+\}/, '1');
        const body = method === 'get' ? undefined : {};
        for (const headers of [{}, { prefer: 'code=503' }, { prefer: 'code=418' }] as Record<string, string>[]) {
          const reply = await call(stub, method.toUpperCase(), path, { headers, ...(body && { body }) });
          const schema = z.fromJSONSchema(jsonSchema(operation.responses[reply.status]) as never);
          expect([path, reply.status, schema.safeParse(reply.body).error]).toEqual([path, reply.status, undefined]);
          expect('help' in reply.body, JSON.stringify(headers)).toBe(help && headers.prefer !== 'code=418');
          expect(schema.safeParse({ ...reply.body, other: 1 }).success).toBe(false);
          if (!help) expect(schema.safeParse({ ...reply.body, help: { hint: '' } }).success).toBe(false);
        }
      }
  }
});
