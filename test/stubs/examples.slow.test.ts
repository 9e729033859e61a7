import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serviceNames } from '../../spec/documents/services.ts';
import { jsonSchema, type OpenApi } from '../../spec/openapi/document.ts';
import { operationsOf } from '../../spec/openapi/operations.ts';
import { type GivenReply, replies, scenes } from '../../stubs/examples/reference.ts';
import { examplesOf } from '../../stubs/examples/reply.ts';
import type { Stub } from '../../stubs/stub.ts';
import { call, openStub, type Reply } from './partner.ts';

describe.each(serviceNames)('the examples of %s', (api) => {
  let given: GivenReply[];
  beforeAll(async () => {
    given = await replies(api);
  });
  const operations = operationsOf(api);

  test('have every documented status of every operation, and names that are unique in it', () => {
    // The pos document lists 413 and 415 for reading too, but nothing reads the body of a GET.
    const possible = (method: string) => (status: string) => method !== 'GET' || !['413', '415'].includes(status);
    const documented = operations.map(({ method, operation }) => [
      operation.operationId,
      Object.keys(operation.responses).filter(possible(method)).sort(),
    ]);
    const shown = operations.map(({ operation: { operationId } }) => {
      const own = examplesOf(api).of(operationId ?? '');
      expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
      return [operationId, [...new Set(own.map(({ status }) => String(status)))].sort()];
    });
    expect(shown).toEqual(documented);
  });

  test('are valid for the schemas of their replies', () => {
    for (const { operation } of operations)
      for (const { status, body, name } of examplesOf(api).of(operation.operationId)) {
        const schema = z.fromJSONSchema(jsonSchema(operation.responses[status]) as never);
        expect([operation.operationId, name, schema.safeParse(body).error]).toEqual([operation.operationId, name, undefined]);
      }
  });

  test('have every reason for which the implementation refuses a call', () => {
    const known = new Set(given.flatMap(({ code }) => code ?? []));
    const left = codesIn(`gateway/api/${api}`, 'gateway/http').filter((code) => !known.has(code) && !elsewhere.has(code));
    expect(left).toEqual([]);
  });

  test('are sent as they are when a call asks for one by its name or its status', async () => {
    const stub = await openStub(api, { help: false });
    for (const { operation, name, status, headers, body } of examplesOf(api).all) {
      const reply = await ask(stub, operation, `example=${name}`);
      expect([operation, name, reply.status, reply.body]).toEqual([operation, name, status, body]);
      expect(Object.fromEntries(reply.headers)).toMatchObject(headers);
      if (examplesOf(api).withStatus(operation, status)?.name !== name) continue;
      const byStatus = [await ask(stub, operation, `example=${status}`), await ask(stub, operation, `code=${status}`)];
      expect(byStatus.map((one) => [one.status, one.body])).toEqual([status, status].map(() => [status, body]));
    }
  });

  test('are listed at /_stub/examples and on /docs', async () => {
    const stub = await openStub(api);
    const all = examplesOf(api).all;
    expect((await call(stub, 'GET', '/_stub/examples')).body.data).toEqual(all);
    const [operation] = Object.keys(scenes[api].requests);
    const some = await call(stub, 'GET', `/_stub/examples?operation=${operation}`);
    expect(some.body.data).toEqual(all.filter((one) => one.operation === operation));

    const document = (await call(stub, 'GET', `/docs/reference/${api}.json`)).body as OpenApi;
    for (const { path, method, operation: documented } of operationsOf(api)) {
      const { responses } = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
      const shown = Object.entries(responses).flatMap(([status, { content }]) => {
        const media: object = content?.['application/json'] ?? {};
        const { examples = {} } = media as { examples?: Record<string, { value: unknown }> };
        return Object.entries(examples).map(([name, { value }]) => ({ name, status: Number(status), body: value }));
      });
      const own = all.filter((one) => one.operation === documented.operationId);
      expect(shown).toHaveLength(own.length);
      expect(shown).toEqual(expect.arrayContaining(own.map(({ name, status, body }) => ({ name, status, body }))));
    }
  });

  test('rate-limit and token-expired send the reply of the implementation, with their own numbers', async () => {
    const stub = await openStub(api, { help: false, clock: '2027-01-01T00:00:00Z' });
    for (const operation of Object.keys(scenes[api].requests)) {
      const limited = await ask(stub, operation, 'rate-limit');
      expect(limited.body).toEqual(examplesOf(api).named(operation, 'rate_limited')?.body);
      const own = await ask(stub, operation, 'rate-limit; limit=5; retry=30s');
      expect(JSON.stringify(own.body)).toMatch(/ of 5 calls in 60 s is reached. Try again in 30 s\./);
      expect(Object.fromEntries(own.headers)).toMatchObject({ 'retry-after': '30', 'ratelimit-limit': '5' });
      const expired = await ask(stub, operation, 'token-expired');
      expect(expired.status).toBe(401);
      if (operation !== 'issueToken') expect(JSON.stringify(expired.body)).toContain('expired at 2026-12-31T23:59:59.000Z');
    }
  });
});

test('a rule names an example; one for all operations applies to those that have it', async () => {
  const stub = await openStub('pos', { faults: ['*:example=insufficient_stock'] });
  expect((await ask(stub, 'readInventory', '')).status).toBe(401);
  const refused = await ask(stub, 'createSale', '');
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: 'insufficient_stock' }, help: { fault: { rule: 'fault-1' } } },
  });
});

test('a status that the implementation never gives keeps a body of its own; a success has the body of one', async () => {
  const stub = await openStub('pos', { help: false });
  stub.faults.add('createSale:status=502,times=1');
  stub.faults.add('createSale:status=200,times=1');
  expect((await ask(stub, 'createSale', '')).body.error).toMatchObject({ code: 'fault' });
  const other = await ask(stub, 'createSale', '');
  expect([other.status, other.body]).toEqual([200, examplesOf('pos').named('createSale', 'completed')?.body]);
});

function ask(stub: Stub, operation: string, prefer: string): Promise<Reply> {
  const { method, url, body } = scenes[stub.api].requests[operation] ?? { method: '', url: '' };
  return call(stub, method, url, { body, ...(prefer !== '' && { headers: { prefer } }) });
}

/** Codes of refusals that no call of an API can get from a request alone. */
const elsewhere = new Set([
  // Sessions of the console and of profiles.
  'forged_request',
  // Only HTTP/1.1 without the header Host, which no client leaves out.
  'host_missing',
  // A path that belongs to no operation.
  'unknown_operation',
  // Connections that speak no correct HTTP, and calls of /metrics.
  ...['headers_too_large', 'invalid_content_length', 'request_timeout', 'metrics_token_missing'],
  // The kind of an issue that zod reports, not a code.
  'custom',
]);

/** The codes of the refusals in these folders, without the back office, which only operators call. */
function codesIn(...folders: string[]): string[] {
  const root = join(import.meta.dirname, '../..');
  const files = folders.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('back-office'))
      .map((file) => readFileSync(join(root, name, file), 'utf8')),
  );
  const thrown =
    /(?:new Refusal|invalid|malformed)\(\s*'[^']*',\s*'([a-z_]+)'|(?:unauthorized|unauthenticated|forbidden)\(\s*'([a-z_]+)'|\bcode: '([a-z_]+)'/g;
  const codes = files.flatMap((text) => [...text.matchAll(thrown)].map(([, ...found]) => found.find(Boolean) ?? ''));
  return [...new Set(codes)].sort();
}
