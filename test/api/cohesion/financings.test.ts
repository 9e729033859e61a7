import { describe, expect, it } from 'vitest';
import { sharedByTests } from '../../helper.ts';
import { cohesionGateway } from './harness.ts';

const refusing = sharedByTests((atEnd) => cohesionGateway({ atEnd }));

const body = {
  structure_id: 1,
  exercice: 2026,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui aux comités de paix',
  montant: 25_000_000.25,
  statut: 'promis',
};

describe('POST /financements', () => {
  it('stores a financing and returns 201 with exactly the documented fields', async () => {
    const { api, store } = await cohesionGateway();
    const reply = await api('POST', '/financements', { body });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ data: { id: reply.body.data.id, ...body, devise: 'XOF' } });
    expect(Object.keys(reply.body.data)).toEqual([
      'id',
      'structure_id',
      'exercice',
      'bailleur',
      'type',
      'intitule',
      'montant',
      'devise',
      'statut',
    ]);
    expect(await store.get('financings', { id: reply.body.data.id })).toMatchObject({ montant: '25000000.25', devise: 'XOF' });
  });

  it('accepts a currency, the amount zero, and each type and status', async () => {
    const { api } = await cohesionGateway();
    expect((await api('POST', '/financements', { body: { ...body, devise: 'EUR', montant: 0 } })).body.data).toMatchObject({
      devise: 'EUR',
      montant: 0,
    });
    for (const type of ['etat', 'bailleur', 'collectivite', 'partenaire', 'prive']) {
      expect((await api('POST', '/financements', { body: { ...body, type } })).status).toBe(201);
    }
    for (const statut of ['promis', 'obtenu', 'decaisse', 'annule']) {
      expect((await api('POST', '/financements', { body: { ...body, statut } })).body.data.statut).toBe(statut);
    }
  });

  it('accepts the longest texts, and the first and last year', async () => {
    const { api } = await cohesionGateway();
    const longest = { bailleur: 'a'.repeat(200), intitule: 'a'.repeat(300), montant: 1e15 };
    for (const exercice of [1900, 2100]) {
      const sent = { ...body, ...longest, exercice };
      expect((await api('POST', '/financements', { body: sent })).body.data).toMatchObject(sent);
    }
  });

  it.each([
    ['structure_id', 999_999],
    ['structure_id', '1'],
    ['structure_id', 0],
    ['structure_id', 2 ** 31],
    ['exercice', 1899],
    ['exercice', 2101],
    ['exercice', '2026'],
    ['exercice', 2026.5],
    ['bailleur', ''],
    ['bailleur', '   '],
    ['bailleur', 'a\u0000b'],
    ['bailleur', '\ud800'],
    ['bailleur', 'a'.repeat(201)],
    ['type', 'autre'],
    ['intitule', null],
    ['intitule', 'a'.repeat(301)],
    ['montant', -1],
    ['montant', '12'],
    ['montant', 1.005],
    ['montant', 1e15 + 1],
    ['devise', 'xof'],
    ['devise', ''],
    ['statut', 'autre'],
    ['surplus', 1],
  ])('refuses %s = %j with 422 under that field, and stores nothing', async (field, value) => {
    const { api, makeToken, store } = refusing();
    const before = await store.count('financings');
    // One token may write 30 times a minute.
    const { token } = await makeToken();
    const reply = await api('POST', '/financements', { token, body: { ...body, [field]: value } });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body)).toEqual(['message', 'errors']);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
    expect(await store.count('financings')).toBe(before);
  });

  it('refuses JSON numbers that are not a valid amount', async () => {
    const { api } = await cohesionGateway();
    for (const montant of ['1e309', '-0', '-1e309', '"NaN"', '1e-3']) {
      const text = JSON.stringify({ ...body, montant: 'HERE' }).replace('"HERE"', montant);
      const reply = await api('POST', '/financements', { body: text });
      expect(reply.status).toBe(422);
      expect(reply.body.errors).toHaveProperty('montant');
    }
  });

  it('a refusal names every missing field', async () => {
    const { api } = await cohesionGateway();
    const reply = await api('POST', '/financements', { body: {} });
    expect(Object.keys(reply.body.errors)).toEqual(Object.keys(body));
  });

  it('refuses an inactive structure with 422', async () => {
    const { api, store } = await cohesionGateway();
    const inactive = await store.get('structures', { active: false });
    const reply = await api('POST', '/financements', { body: { ...body, structure_id: inactive?.id } });
    expect(reply.body.errors).toHaveProperty('structure_id');
  });

  it('refuses malformed JSON with 422, and another content type with 415', async () => {
    const { api } = await cohesionGateway();
    expect((await api('POST', '/financements', { body: '{"a":' })).status).toBe(422);
    expect((await api('POST', '/financements', { body: '[]' })).status).toBe(422);
    expect(
      (await api('POST', '/financements', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }))
        .status,
    ).toBe(415);
  });
});

describe('PUT /financements/{id}', () => {
  it('changes the fields that are sent and leaves the others', async () => {
    const { api, clock, store } = await cohesionGateway();
    const { data } = (await api('POST', '/financements', { body: { ...body, devise: 'EUR' } })).body;
    await clock.advance(5000);
    const reply = await api('PUT', `/financements/${data.id}`, { body: { statut: 'obtenu' } });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ data: { ...data, statut: 'obtenu' } });
    const row = await store.get('financings', { id: data.id });
    expect((row?.updated_at ?? 0) - (row?.created_at ?? 0)).toBe(5000);

    const all = { ...body, structure_id: 2, montant: 1.5, statut: 'promis' };
    expect((await api('PUT', `/financements/${data.id}`, { body: all })).body.data).toEqual({
      id: data.id,
      ...all,
      devise: 'EUR',
    });
  });

  it('refuses a move to an inactive or unknown structure; one that became inactive keeps its financings', async () => {
    const { api, manage, store } = await cohesionGateway();
    const { data } = (await api('POST', '/financements', { body })).body;
    const inactive = await store.get('structures', { active: false });
    for (const structure_id of [inactive?.id, 999_999]) {
      const reply = await api('PUT', `/financements/${data.id}`, { body: { structure_id } });
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['structure_id']]);
    }
    expect(await store.get('financings', { id: data.id })).toMatchObject({ structure_id: 1 });
    expect((await manage('PATCH', '/structures/1', { active: false })).status).toBe(200);
    expect((await api('PUT', `/financements/${data.id}`, { body })).status).toBe(200);
  });

  it('refuses an empty body, a surplus field and an unknown id', async () => {
    const { api } = await cohesionGateway();
    expect((await api('PUT', '/financements/1', { body: {} })).status).toBe(422);
    const surplus = await api('PUT', '/financements/1', { body: { status: 'obtenu' } });
    expect(surplus.body.errors.status[0]).toMatch(/the nearest is statut$/);
    expect((await api('PUT', '/financements/999999', { body: { statut: 'obtenu' } })).status).toBe(404);
  });
});

describe('the perimeter', () => {
  it('bounds both the structure sent and the financing changed', async () => {
    const { api, makeToken, store } = await cohesionGateway();
    const inside = (await api('POST', '/financements', { body: { ...body, structure_id: 1 } })).body.data;
    const outside = (await api('POST', '/financements', { body: { ...body, structure_id: 3 } })).body.data;
    const before = await store.list('financings');
    const { token } = await makeToken({ structureIds: [1, 2] });

    const post = await api('POST', '/financements', { token, body: { ...body, structure_id: 3 } });
    expect(post.status).toBe(403);
    expect(post.body.message).toMatch(/structure 3 .*structures 1, 2/);
    expect((await api('PUT', `/financements/${outside.id}`, { token, body: { statut: 'annule' } })).status).toBe(403);
    expect((await api('PUT', `/financements/${outside.id}`, { token, body: { structure_id: 1 } })).status).toBe(403);
    expect((await api('PUT', `/financements/${inside.id}`, { token, body: { structure_id: 3 } })).status).toBe(403);
    expect(await store.list('financings')).toEqual(before);

    expect((await api('POST', '/financements', { token, body: { ...body, structure_id: 2 } })).status).toBe(201);
    expect((await api('PUT', `/financements/${inside.id}`, { token, body: { structure_id: 2 } })).body.data.structure_id).toBe(2);
  });

  it('without any structure refuses every write', async () => {
    const { api, makeToken } = await cohesionGateway();
    const { token } = await makeToken({ structureIds: [] });
    expect((await api('POST', '/financements', { token, body })).status).toBe(403);
  });
});

describe('the write throttle', () => {
  it('counts only the POST and PUT calls of one token together, 30 a minute', async () => {
    const { api, makeToken } = await cohesionGateway();
    const { token } = await makeToken();
    for (let calls = 0; calls < 15; calls++) {
      const post = await api('POST', '/financements', { token, body });
      expect(post.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': String(29 - 2 * calls) });
      expect((await api('PUT', '/financements/1', { token, body: { statut: 'obtenu' } })).status).toBe(200);
    }
    const refused = await api('PUT', '/financements/1', { token, body: { statut: 'annule' } });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Object.keys(refused.body)).toEqual(['message']);
    expect(refused.headers['cache-control']).toBe('no-store');

    const read = await api('GET', '/indicateurs', { token });
    expect(read.status).toBe(200);
    expect(read.headers).not.toHaveProperty('ratelimit-limit');
    expect((await api('POST', '/financements', { body })).status).toBe(201);
  });
});
