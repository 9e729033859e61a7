import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { assumedOf, candidatesOf } from '../../contracts/tools/probe/candidates.ts';
import { startExercised } from '../../contracts/tools/probe/exercised.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { type Stub, startStub } from '../../stubs/stub.ts';
import { askCohesion } from '../contracts/observed/dashboard-suite.ts';
import type { Send } from '../contracts/observed/making.ts';
import { makeCalls } from '../contracts/observed/partner-suite.ts';

/** Headers as they were written, without values that differ in each run. */
function headersOf({ rawHeaders }: IncomingMessage): string[] {
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  return pairs.map(([name, value]) => (changing.test(name) ? name : `${name}: ${value}`));
}

const changing = /^(date|x-request-id|content-length|retry-after|.*ratelimit.*)$/i;
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Whether a token has parts, and the first of them: the others differ in each run. */
const formOf = (token: string) => [token.includes('.') && token.split('.')[0], token.split('.').length].join();

/** What the calls of a partner's tests are answered, without what differs in each run. */
async function answersOf({ credentials, url }: Stub): Promise<unknown[]> {
  const answers: unknown[] = [];
  const tokens = 'token' in credentials ? [credentials.token] : [];
  /** Unlike `fetch`, it shows how header names are written, and whether a body was compressed. */
  const send: Send = async ({ method, path, headers, body }) => {
    const sent = request(`${url}${path}`, { method, headers: { 'accept-encoding': 'gzip', ...headers }, agent });
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    const bytes = await buffer(reply);
    const text = String(reply.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
    tokens.push(...[...text.matchAll(/"token":\s*"([^"]+)"/g)].map(([, token = '']) => token));
    const same = tokens
      .reduce((shown, token) => shown.replaceAll(token, formOf), text)
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|\+)|[a-z]+_[0-9a-f]{32}|S-\d{8}-\w+/g, (found) => found.replaceAll(/\w/g, '0'))
      .replaceAll(/127\.0\.0\.1:\d+/g, '…')
      .replaceAll(/"help":.*$/g, '');
    answers.push([reply.statusCode, headersOf(reply), same]);
    return { status: reply.statusCode ?? 0, headers: new Headers(reply.headers as Record<string, string>), text };
  };
  if ('token' in credentials) await askCohesion(send, credentials.token);
  else
    await makeCalls({ ...credentials, send, store: 'STORE-ABJ-01', product: 'PRD-0001', price: 4500, provider: 'orange_money' });
  return answers;
}

test.each(serviceNames)('what %s shows to differ without a run differs in a run, and nothing else does', async (name) => {
  const candidates = candidatesOf(name);
  const exercised = new Map();
  await using watched = await startExercised(name, { limits: false }, { candidates, exercised });
  const plain = await answersOf(watched as Stub);
  await using again = await startStub(name, { limits: false });
  expect(await answersOf(again as Stub)).toEqual(plain);
  expect(exercised.size).toBeGreaterThan(8);
  expect(watched.assumptions.list()).toEqual([]);

  const missed: string[] = [];
  const needless: string[] = [];
  for (const { id } of candidates) {
    await using stub = await startStub(name, { limits: false, assume: assumedOf(candidates, [id], name) });
    const differs = !isDeepStrictEqual(await answersOf(stub as Stub), plain);
    if (differs && !exercised.has(id)) missed.push(id);
    if (!differs && exercised.has(id)) needless.push(id);
  }
  expect({ missed, needless }).toEqual({ missed: [], needless: [] });
});
