import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllAsync } from '../../for-all.ts';
import { cohesionGateway } from './harness.ts';

const documented = [200, 201, 400, 401, 403, 404, 409, 415, 422, 429];
const clean = (status: number) => documented.includes(status);

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(-0, 1e308, 2 ** 31, -1, 0.1 + 0.2, 'NaN', '\u0000', '\ud800', "'; drop table users; --", '2026-02-30', '٣', ''),
);
const fields = [
  'structure_id',
  'exercice',
  'bailleur',
  'type',
  'intitule',
  'montant',
  'devise',
  'statut',
  'name',
  'abilities',
  'active',
  'annee',
  'region',
  'nom',
  'cible_annuelle',
  'valeur_courante',
  'reference',
  'email',
  'expires_at',
  '__proto__',
];
const body = fc.oneof(value, fc.dictionary(fc.constantFrom(...fields), value));

it('a write never gets a 500, and a refused one stores nothing', async () => {
  const { manage, call, makeToken, store } = await cohesionGateway();
  const paths = ['/users', '/users/1/tokens', '/structures', '/interventions', '/indicators', '/plans', '/reports'] as const;
  await forAllAsync(300, [body, fc.constantFrom(...paths)], async (sent, path) => {
    // Each pair has its own token, so that the throttle refuses none.
    const { token } = await makeToken();
    const before = await store.list('financings');
    for (const reply of [
      await call('POST', '/cohesion/api/v1/financements', { token, body: JSON.stringify(sent) }),
      await call('PUT', '/cohesion/api/v1/financements/1', { token, body: JSON.stringify(sent) }),
    ]) {
      expect(clean(reply.status), reply.text).toBe(true);
      if (reply.status < 300) return;
      expect(reply.body.message).not.toBe('');
      expect(Object.keys(reply.body.errors ?? {}).length).toBeGreaterThan(0);
    }
    expect(await store.list('financings')).toEqual(before);
    const managed = await manage('POST', path, JSON.stringify(sent));
    expect(clean(managed.status), managed.text).toBe(true);
  });
});

it('a read never gets a 500, whatever its query', async () => {
  const { api } = await cohesionGateway();
  const names = ['page', 'per_page', 'type', 'kpi', 'q', 'statut', 'region', 'annee', 'other', '__proto__'];
  const query = fc.array(
    fc.tuple(fc.constantFrom(...names), fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.integer().map(String))),
    { maxLength: 4 },
  );
  await forAllAsync(
    300,
    [query, fc.constantFrom('/indicateurs', '/interventions', '/structures', '/stats', '/me', '/indicateurs/1')],
    async (pairs, path) => {
      const reply = await api('GET', `${path}?${new URLSearchParams(pairs)}`);
      expect([200, 422], reply.text).toContain(reply.status);
      if (reply.status === 422) expect(Object.keys(reply.body.errors).length).toBeGreaterThan(0);
    },
  );
});

it('raw bytes in a path and odd ids get a clean refusal', async () => {
  const { api } = await cohesionGateway();
  for (const id of ['-1', '1.0', '1e3', '99999999999999999999', '2147483648', '%00', 'null', ' ', "1'--"]) {
    const reply = await api('GET', `/indicateurs/${id}`);
    expect([404, 422], `${id}: ${reply.text}`).toContain(reply.status);
  }
});
