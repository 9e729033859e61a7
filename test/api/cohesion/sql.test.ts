import { expect, it } from 'vitest';
import { openSqlStore } from '../../../gateway/store/sql/store.ts';
import { openEmptyPglite } from '../../pglite.ts';
import { cohesionGateway } from './harness.ts';

const story = [
  ['GET', '/indicateurs?q=ELEVES&kpi=0'],
  ['GET', '/indicateurs?type=impact&kpi=1&per_page=2&page=2'],
  ['GET', '/interventions?statut=en_cours&region=gbeke'],
  ['GET', '/interventions?statut=brouillon'],
  ['GET', '/interventions?annee=2025&page=2&per_page=10'],
  ['GET', '/structures?region=SAN-PEDRO&q=%25'],
  ['GET', '/structures?page=2147483647&per_page=100'],
  [
    'POST',
    '/financements',
    { structure_id: 4, exercice: 2026, bailleur: 'BAD', type: 'etat', intitule: 'Écoles', montant: 0.1, statut: 'promis' },
  ],
  ['PUT', '/financements/81', { montant: 123456789012345.67, devise: 'EUR' }],
  ['PUT', '/financements/81', { structure_id: 9999 }],
  ['GET', '/stats'],
  ['GET', '/stats?annee=1999'],
] as const;

it('replies are the same on PostgreSQL as in memory', async () => {
  const pool = await openEmptyPglite();
  const store = await openSqlStore(pool);
  const onSql = await cohesionGateway({ store });
  const inMemory = await cohesionGateway();
  for (const [method, path, body] of story) {
    const [sql, memory] = [await onSql.api(method, path, { body }), await inMemory.api(method, path, { body })];
    expect([path, sql.status, sql.body]).toEqual([path, memory.status, memory.body]);
    expect(sql.status).not.toBe(500);
  }
  for (const { manage } of [onSql, inMemory]) {
    expect((await manage('POST', '/users', { name: 'a', email: 'aya.kouassi@demo.example', role: 'admin' })).status).toBe(409);
    expect((await manage('POST', '/reports', { annee: 2026 })).status).toBe(201);
    expect((await manage('PUT', '/indicators/1/value', { valeur_courante: 1 })).status).toBe(200);
    expect((await manage('GET', '/tokens')).body.data[0].last_used_at).toBe('2026-11-21T09:00:00.000Z');
    expect((await manage('POST', '/interventions/5/publish')).status).toBe(200);
  }
  expect((await onSql.events()).map(({ event, data }) => [event, data])).toEqual(
    (await inMemory.events()).map(({ event, data }) => [event, data]),
  );
  await onSql.app.close();
  await store.close();
});
