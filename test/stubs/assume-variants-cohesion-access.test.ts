import { describe, expect, test } from 'vitest';
import { dashboard } from './dashboard.ts';

describe('tokens', () => {
  const reader = { id: 7, name: 'Awa Koné', email: 'awa@example.org', role: 'lecteur' as const };
  const seed = {
    structures: [{ id: 1, nom: 'Comité', sigle: null, type: 'ong' as const, region: 'Poro' }],
    users: [reader],
    tokens: [{ name: 'wide', user_id: 7 }],
  };

  test('the token of a reader does not write, and /me shows so', async () => {
    const { ask } = await dashboard({ 'cohesion.user-roles': 'narrows-abilities' }, { seed });
    const { abilities } = (await ask('GET', '/me')).body.data.token;
    expect(abilities).toEqual(['read:indicators', 'read:interventions', 'read:structures', 'read:stats']);
    expect(await ask('POST', '/financements', {})).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('needs the ability write:financements') },
    });
  });
});

describe('limits', () => {
  const financing = {
    ...{ structure_id: 1, exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 50, statut: 'promis' },
  };

  /** The status of each of so many calls, one after the other. */
  const statuses = async (count: number, make: () => Promise<{ status: number }>) => {
    const found: number[] = [];
    for (let made = 0; made < count; made += 1) found.push((await make()).status);
    return found;
  };
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  test('a token reads 60 times a minute', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.read-throttle': '60-per-minute' });
    const me = await ask('GET', '/me');
    expect([me.headers.get('ratelimit-limit'), me.headers.get('ratelimit-remaining')]).toEqual(['60', '59']);
    expect(await statuses(60, () => ask('GET', '/structures'))).toEqual([...times(59, 200), 429]);
    expect((await ask('GET', '/stats')).headers.get('retry-after')).toBe('60');
    await stub.clock.advance('1m');
    expect((await ask('GET', '/stats')).status).toBe(200);
    await stub.assumptions.clear();
    expect((await ask('GET', '/stats')).headers.get('ratelimit-limit')).toBeNull();
  });

  test('the writes of a user are counted together', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.write-throttle-scope': 'per-user' });
    const other = stub.credentials.tokens.find(({ name }) => name === 'demo write:financements')?.token;
    expect(await statuses(30, () => ask('POST', '/financements', financing))).toEqual(times(30, 201));
    expect((await ask('POST', '/financements', financing, other)).status).toBe(429);
  });

  test('each method has its 30 writes', async () => {
    const { ask } = await dashboard({ 'cohesion.write-throttle-scope': 'per-method' });
    const { id } = (await ask('POST', '/financements', financing)).body.data;
    await statuses(29, () => ask('POST', '/financements', financing));
    expect((await ask('POST', '/financements', financing)).status).toBe(429);
    expect(await statuses(31, () => ask('PUT', `/financements/${id}`, { statut: 'obtenu' }))).toEqual([...times(30, 200), 429]);
  });

  test('a stub without limits has none under these alternatives', async () => {
    const assume = { 'cohesion.read-throttle': '60-per-minute', 'cohesion.write-throttle-scope': 'per-method' };
    const { ask } = await dashboard(assume, { limits: false });
    expect(await statuses(61, () => ask('GET', '/me'))).toEqual(times(61, 200));
    expect(await statuses(31, () => ask('POST', '/financements', {}))).toEqual(times(31, 422));
  });

  test('calls without a valid token and writes do not count as reads', async () => {
    const { ask } = await dashboard({ 'cohesion.read-throttle': '60-per-minute' });
    expect((await ask('GET', '/me', undefined, 'wrong')).headers.get('ratelimit-limit')).toBeNull();
    expect((await ask('POST', '/financements', {})).headers.get('ratelimit-limit')).toBe('30');
    expect((await ask('GET', '/structures?per_page=0')).headers.get('ratelimit-remaining')).toBe('59');
  });
});

describe('the perimeter', () => {
  test('limits reads too', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.perimeter': 'reads-too' });
    const narrow = stub.credentials.tokens.find(({ name }) => name === 'demo all abilities');
    const ids = narrow?.structures ?? [];
    const structures = (await ask('GET', '/structures?per_page=100')).body;
    expect(structures.data.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(structures.meta.total).toBe(ids.length);
    const interventions = (await ask('GET', '/interventions?per_page=100&annee=2026')).body.data;
    expect(interventions.length).toBeGreaterThan(0);
    for (const { structure_id } of interventions) expect(ids).toContain(structure_id);
    const stats = (await ask('GET', '/stats?annee=2026')).body.data;
    expect(stats.interventions.total).toBe(interventions.length);
    expect(stats.structures.total).toBe(ids.length);
    expect(stats.indicateurs.total).toBeGreaterThan(ids.length);
    const poro = (await ask('GET', '/structures?region=poro')).body.data;
    expect(new Set(poro.map(({ region }: { region: string }) => region))).toEqual(new Set(['Poro']));
  });
});
