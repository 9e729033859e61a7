import { expect } from 'vitest';
import { buildTestApp, type Method, operatorToken, type Reply, type TestGateway } from '../helper.ts';

/** The headers that the console sends with each change. */
export const consoleHeaders = { 'x-passerelle-console': '1' };

/** A gateway without demo data whose callers can choose their address (`x-forwarded-for`). */
export const openGateway = (options: Parameters<typeof buildTestApp>[0] = {}) =>
  buildTestApp({ demo: false, ...options, settings: { TRUST_PROXY: '127.0.0.1', ...options.settings } });

export async function makeOperator(gateway: TestGateway, name: string, role: 'operator' | 'viewer') {
  const reply = await gateway.manage('POST', '/operators', { name, role });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data as { id: string; name: string; role: string; credential: string };
}

export const signIn = (gateway: TestGateway, credential: string = operatorToken, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/manage/v1/session', { body: { credential }, headers });

/** Returns the cookie that a browser would send. */
export const cookieOf = (reply: Reply): string => String(reply.headers['set-cookie']).split(';')[0] ?? '';

/** Signs in. Returns a function that makes calls with the cookie, as the console does. */
export async function signedIn(gateway: TestGateway, credential?: string) {
  const reply = await signIn(gateway, credential);
  expect(reply.status, reply.text).toBe(201);
  const cookie = cookieOf(reply);
  const call = (method: Method, path: string, body?: unknown, headers: Record<string, string> = consoleHeaders) =>
    gateway.call(method, `/manage/v1${path}`, { body, headers: { cookie, ...headers } });
  return Object.assign(call, { cookie });
}

/** Returns the status and the code of a refusal. */
export const refusalOf = ({ status, body }: Reply) => [status, body?.error?.code];
