import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { validatorOf } from '../../gateway/http/validators.ts';

const optional = z.looseObject({
  'x-key': z
    .string()
    .regex(/^[a-z]+$/, 'must be letters')
    .optional(),
});

/** Calls a route with this schema for its headers. Returns the status and the headers that the handler saw. */
async function call(headers: z.ZodType, sent: Record<string, string>) {
  const app = Fastify();
  app.setValidatorCompiler(validatorOf as never);
  app.get('/', { schema: { headers } }, async (request) => request.headers);
  const reply = await app.inject({ url: '/', headers: sent });
  await app.close();
  return { status: reply.statusCode, seen: reply.json() };
}

test('headers that may be absent are checked if they are sent, and all stay as sent', async () => {
  expect(await call(optional, { other: '1' })).toMatchObject({ status: 200, seen: { other: '1' } });
  expect(await call(optional, { 'x-key': 'abc', other: '1' })).toMatchObject({
    status: 200,
    seen: { 'x-key': 'abc', other: '1' },
  });
  expect((await call(optional, { 'x-key': '7' })).status).toBe(400);
  expect((await call(optional, { 'x-key': '' })).status).toBe(400);
});

test('a header that must be sent is missed', async () => {
  expect((await call(z.looseObject({ 'x-key': z.string() }), { other: '1' })).status).toBe(400);
  expect((await call(z.looseObject({ 'x-key': z.string() }), { 'x-key': 'a' })).status).toBe(200);
});

test('a schema that takes no other headers refuses them', async () => {
  expect((await call(z.strictObject({ 'x-key': z.string().optional() }), { other: '1' })).status).toBe(400);
});
