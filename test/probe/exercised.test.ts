import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { assumedOf, candidatesOf } from '../../probe/candidates.ts';
import { startExercised } from '../../probe/exercised.ts';
import { type Stub, startStub } from '../../stubs/stub.ts';

type Calls = [method: string, path: string, body?: object][];
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
// Soon after midnight, today has no sales.
const [yesterday, today] = [dayBefore(1), dayBefore(0)];
const line = { product_id: 'PRD-0001', quantity: 1, price: 4500 };
const sale = { store_id: 'STORE-ABJ-01', items: [line], payment_method: 'cash', total: 4500 };

const named = { bailleur: 'UE', type: 'bailleur', intitule: 'Appui' };
const financing = { ...named, structure_id: 1, exercice: 2026, montant: 50, statut: 'promis' };

const calls: Record<'pos' | 'cohesion', Calls> = {
  pos: [
    ['POST', '/api/v1/sales', sale],
    ['POST', '/api/v1/sales', { ...sale, total: 4000 }],
    ['POST', '/api/v1/sales', { ...sale, items: [{ ...line, quantity: 1e6 }], total: 4500e6 }],
    ['POST', '/api/v1/sales', { ...sale, note: 'surplus' }],
    ['GET', '/api/v1/inventory?store_id=STORE-ABJ-01&surplus=1'],
    ['GET', '/api/v1/inventory?store_id=STORE-NOWHERE'],
    ['GET', `/api/v1/reports/sales?store_id=STORE-ABJ-01&start_date=${yesterday}&end_date=${today}`],
    ['PUT', '/api/v1/sales', sale],
  ],
  cohesion: [
    ['GET', '/api/v1/me'],
    ['GET', '/api/v1/indicateurs?per_page=3&page=2'],
    ['GET', '/api/v1/indicateurs?per_page=500'],
    ['GET', '/api/v1/structures'],
    ['GET', '/api/v1/stats?annee=2020'],
    ['GET', '/api/v1/interventions?annee=2025&statut=en_cours'],
    ['GET', '/api/v1/stats'],
    ['POST', '/api/v1/financements', { structure_id: 1 }],
    ['POST', '/api/v1/financements', financing],
    ['POST', '/api/v1/financements', { ...financing, structure_id: 6 }],
    ['PUT', '/api/v1/financements/1', { statut: 'obtenu' }],
  ],
};

/** Makes a call as `fetch` does, which hides how header names are written and whether a body was compressed. */
async function answer(url: string, method: string, body: object | undefined, headers: Record<string, string>) {
  const sent = request(url, { method, headers, agent });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(reply);
  return { reply, text: String(reply.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes) };
}

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

/** What the calls are answered, without what differs in each run. */
async function answersOf({ credentials, url }: Stub, name: 'pos' | 'cohesion') {
  const answers: unknown[] = [];
  let token = 'token' in credentials ? credentials.token : '';
  const signIn: Calls =
    'apiKey' in credentials ? [['POST', '/api/auth', { api_key: credentials.apiKey, api_secret: credentials.apiSecret }]] : [];
  for (const [method, path, body] of [...signIn, ...calls[name]]) {
    const { reply, text } = await answer(`${url}${path}`, method, body, {
      accept: 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
    });
    if (path === '/api/auth') token = JSON.parse(text).token;
    const same = text
      .replaceAll(token, formOf)
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|\+)|sale_\w+|S-\d{8}-\w+/g, (found) => found.replaceAll(/\w/g, '0'))
      .replaceAll(/127\.0\.0\.1:\d+/g, '…')
      .replaceAll(/"help":.*$/g, '');
    answers.push([reply.statusCode, headersOf(reply), same]);
  }
  return answers;
}

test.each(['pos', 'cohesion'] as const)(
  'what %s shows to differ without a run differs in a run, and nothing else does',
  async (name) => {
    const candidates = candidatesOf(name);
    const exercised = new Map();
    await using watched = await startExercised(name, { limits: false }, { candidates, exercised });
    const plain = await answersOf(watched, name);
    await using again = await startStub(name, { limits: false });
    expect(await answersOf(again, name)).toEqual(plain);
    expect(exercised.size).toBeGreaterThan(8);
    expect(watched.assumptions.list()).toEqual([]);

    const missed: string[] = [];
    const needless: string[] = [];
    for (const { id } of candidates) {
      await using stub = await startStub(name, { limits: false, assume: assumedOf(candidates, [id], name) });
      const differs = !isDeepStrictEqual(await answersOf(stub, name), plain);
      if (differs && !exercised.has(id)) missed.push(id);
      if (!differs && exercised.has(id)) needless.push(id);
    }
    expect(missed).toEqual([]);
    expect(needless).toEqual([]);
  },
);
