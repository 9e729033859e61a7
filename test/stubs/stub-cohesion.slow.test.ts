import { expect, test } from 'vitest';
import { financing } from './dashboard.ts';
import { call, openStub } from './partner.ts';

test('the token with all abilities reads everything; a token with one ability reads only that', async () => {
  const stub = await openStub('cohesion');
  const { token, tokens } = stub.credentials;
  for (const path of ['me', 'indicateurs', 'indicateurs/1', 'interventions', 'structures', 'stats'])
    expect((await call(stub, 'GET', `/api/v1/${path}`, { token })).status, path).toBe(200);
  const reader = tokens.find(({ abilities }) => abilities.join() === 'read:stats')?.token ?? '';
  expect((await call(stub, 'GET', '/api/v1/stats', { token: reader })).status).toBe(200);
  const refused = await call(stub, 'GET', '/api/v1/structures', { token: reader });
  expect(refused).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('read:structures'), help: { documented: { section: '5. Authentication' } } },
  });
  expect(refused.body.help.example.curl).toContain(token);
});

test('refused writes contain an example that works', async () => {
  const stub = await openStub('cohesion');
  const { token } = stub.credentials;
  const post = await call(stub, 'POST', '/api/v1/financements', { token, body: { montant: 'beaucoup' } });
  expect(post).toMatchObject({ status: 422, body: { errors: { montant: ['must be a number, not text'] } } });
  const montant = post.body.help.fields.find(({ field }: { field: string }) => field === 'montant');
  expect(montant.documented.says).toBe('External financing | montant | number | amount');
  const made = await call(stub, 'POST', '/api/v1/financements', { token, body: post.body.help.example.body });
  expect(made.status).toBe(201);
  const put = await call(stub, 'PUT', `/api/v1/financements/${made.body.data.id}`, { token, body: {} });
  expect(put.status).toBe(422);
  const { example } = put.body.help;
  expect((await call(stub, 'PUT', example.path, { token, body: example.body })).status).toBe(200);
});

test.each<[string, [string, string, object], (string | undefined)[]]>([
  ['an unknown statut', ['PUT', '/1', { statut: 'zzz' }], [undefined, 'cohesion.financing-statuses']],
  ['a negative montant', ['POST', '', { ...financing, montant: -1 }], [undefined, 'cohesion.financing-bounds']],
  ['a structure_id of 0', ['POST', '', { ...financing, structure_id: 0 }], [undefined, undefined]],
  ['a long intitule', ['POST', '', { ...financing, intitule: 'x'.repeat(1000) }], [undefined, undefined]],
  ['a body that is a list', ['POST', '', []], [undefined, undefined]],
  ['an unknown financing', ['PUT', '/99999', { montant: 1 }], [undefined, undefined]],
  [
    'an unknown structure',
    ['POST', '', { ...financing, structure_id: 999 }],
    ['cohesion.unknown-structure', 'cohesion.unknown-structure'],
  ],
])('a refused write names a gap only where the refusal depends on it: %s', async (_, [method, id, body], expected) => {
  const stub = await openStub('cohesion', {
    seed: {
      structures: [{ nom: 'ONG Paix', type: 'ong', region: 'Gbêkê' }],
      financings: [financing],
      tokens: [{}, { name: 'narrow', structures: [] }],
    },
  });
  const [everywhere, nowhere] = stub.credentials.tokens.map(({ token }) => token);
  const { body: refused } = await call(stub, method, `/api/v1/financements${id}`, { token: everywhere ?? '', body });
  expect([refused.help.gap?.id, refused.help.fields[0].gap?.id]).toEqual(expected);
  const outside = await call(stub, 'POST', '/api/v1/financements', { token: nowhere ?? '', body: financing });
  expect(outside).toMatchObject({ status: 403, body: { help: { gap: { id: 'cohesion.perimeter' } } } });
});

test('a refused query names the parameter, and its example works', async () => {
  const stub = await openStub('cohesion');
  const { token } = stub.credentials;
  const { status, body } = await call(stub, 'GET', '/api/v1/indicateurs?per_page=1000', { token });
  expect(status).toBe(422);
  expect(body.help.fields[0]).toMatchObject({ field: 'per_page', documented: { section: '4. Endpoints' } });
  expect(body.help.example.path).toMatch(/per_page=\d+$/);
  expect((await call(stub, 'GET', body.help.example.path, { token })).status).toBe(200);
});

test('the back office works: a validated intervention sends its event', async () => {
  const stub = await openStub('cohesion', {
    seed: {
      structures: [{ nom: 'ONG Paix', type: 'ong', region: 'Gbêkê' }],
      interventions: [{ reference: 'INT-1', intitule: 'Dialogue', structure_id: 1, annee: 2026 }],
    },
  });
  const { body } = await call(stub, 'GET', '/api/v1/interventions', { token: stub.credentials.token });
  expect(body.data).toMatchObject([{ id: 1, reference: 'INT-1', statut: 'en_cours', region: 'Gbêkê' }]);
  const moved = await call(stub, 'POST', '/manage/v1/cohesion/interventions/1/validate', {
    token: stub.operatorToken,
    body: { validated_by: 1 },
  });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  const events = await call(stub, 'GET', '/manage/v1/events', { token: stub.operatorToken });
  expect(events.body.data).toMatchObject([{ type: 'intervention.validated' }]);
});

test('the demo data are possible: whole counts, no share over 100 %, nothing under way after its end', async () => {
  const stub = await openStub('cohesion');
  const { indicators = [], interventions = [] } = (await stub.state()) as {
    indicators?: { unite: string; valeur_courante: number }[];
    interventions?: { statut: string; date_fin: string | null }[];
  };
  expect([indicators.length > 20, interventions.length > 20]).toEqual([true, true]);
  const today = new Date(stub.clock.now()).toISOString().slice(0, 10);
  expect(indicators.filter(({ valeur_courante: value }) => !Number.isInteger(value))).toEqual([]);
  expect(indicators.filter(({ unite, valeur_courante: value }) => unite === '%' && value > 100)).toEqual([]);
  expect(interventions.filter((one) => one.statut === 'en_cours' && one.date_fin !== null && one.date_fin < today)).toEqual([]);
});
