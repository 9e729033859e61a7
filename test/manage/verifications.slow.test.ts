import { expect, test } from 'vitest';
import type { Verification } from '../../contracts/tools/verification/result.ts';
import { pactFile, v4 } from '../contracts/pact-files.ts';
import { buildTestApp, operatorToken } from '../helper.ts';
import { passerelle } from '../program.ts';

const verification = (more: Partial<Verification> = {}): Verification => ({
  provider: 'pos',
  target: { kind: 'reference' },
  startedAt: '2026-11-21T08:53:00.000Z',
  durationMs: 12.5,
  interactions: [
    {
      consumer: 'till',
      provider: 'pos',
      source: 'till.json',
      kind: 'http',
      description: 'the inventory',
      durationMs: 3,
      states: [{ name: 'a store', params: { store_id: 'S-9', deep: { a: [1, null] } } }],
      outcome: 'failed',
      couldNotRun: true,
      problems: [{ kind: 'body', path: '$.data', expected: '1', actual: '"\u0000\ud800"', message: 'It differs.' }],
      restsOn: ['pos.auth-header'],
      exchange: { reply: { status: 500, headers: { a: 'b' }, body: '' }, message: { metadata: { n: 1 }, body: '{}' } },
    },
  ],
  notices: [],
  unfinished: ['The teardown of "a store" failed.'],
  ...more,
});

test('a report is stored whole; lists show its result; the newest 50 are kept', async () => {
  const app = await buildTestApp({ demo: false });
  const publish = (verifications: Verification[]) => app.manage('POST', '/verifications', { verifications });
  const both = [verification(), verification({ provider: 'cohesion', interactions: [] })];
  const first = await publish(both);
  expect(first).toMatchObject({
    status: 201,
    body: { data: { ok: false, interactions: 1, failed: 1, providers: ['pos', 'cohesion'] } },
  });
  const { id } = first.body.data;
  expect((await app.manage('GET', `/verifications/${id}`)).body.data.report).toEqual(
    JSON.parse(JSON.stringify({ verifications: both }).replace('\\u0000\\ud800', '\u2400\ufffd')),
  );

  for (let more = 0; more < 50; more++) await publish([verification({ interactions: [] })]);
  const page = (await app.manage('GET', '/verifications?limit=49')).body;
  expect(page.data).toHaveLength(49);
  expect(page.data[0]).toMatchObject({ ok: true, interactions: 0, failed: 0, providers: ['pos'] });
  expect((await app.manage('GET', `/verifications?cursor=${page.next}`)).body).toMatchObject({ data: [{}], next: null });
  expect((await app.manage('GET', `/verifications/${id}`)).status).toBe(404);
  expect(await app.store.count('verification_reports')).toBe(50);
});

test.each([
  [{ verifications: [] }, 400],
  [{ verifications: [{ ...verification(), provider: 'till' }] }, 400],
  [JSON.stringify({ verifications: [verification()] }).replace('"S-9"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`), 400],
  [{ verifications: [verification()], filler: 'x'.repeat(2 * 1024 * 1024) }, 413],
])('an invalid report is refused (%#)', async (body, status) => {
  const app = await buildTestApp({ demo: false });
  expect((await app.manage('POST', '/verifications', body)).status).toBe(status);
});

test('a report larger than the usual limit of bodies is accepted', async () => {
  const app = await buildTestApp({ demo: false });
  const notices = Array.from({ length: 100 }, () => 'x'.repeat(5000));
  expect((await app.manage('POST', '/verifications', { verifications: [verification({ notices })] })).status).toBe(201);
});

async function listening() {
  const app = await buildTestApp({ demo: false });
  return { app, to: await app.app.listen({ port: 0, host: '127.0.0.1' }) };
}

test('passerelle verify --publish-to stores the report; if that fails, a successful verification exits with 2', async () => {
  const { app, to } = await listening();
  const file = await pactFile(
    v4([{ description: 'no token', request: { method: 'GET', path: '/inventory' }, response: { status: 401 } }]),
  );
  const verify = ['verify', '--pact', file, '--publish-to'];
  const env = { PASSERELLE_OPERATOR_TOKEN: operatorToken };
  expect(await passerelle([...verify, to], { env })).toMatchObject({ code: 0 });
  expect((await app.manage('GET', '/verifications')).body.data).toMatchObject([{ ok: true, providers: ['pos'] }]);
  const refused = await passerelle([...verify, to, '--token', 'wrong']);
  const message = 'passerelle: The report was not published.';
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`${message} ${to} refused the token.`) });
  const path = await passerelle([...verify, `${to}/elsewhere`], { env });
  expect(path).toMatchObject({ code: 2, stderr: expect.stringContaining(`Leave out the path: ${to}`) });
  expect(await passerelle([...verify, to])).toMatchObject({ code: 2, stderr: expect.stringContaining('--token') });
});
