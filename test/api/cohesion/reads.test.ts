import { describe, expect, it } from 'vitest';
import { sharedByTests } from '../../helper.ts';
import { cohesionGateway } from './harness.ts';

const gateway = sharedByTests((atEnd) => cohesionGateway({ atEnd }));

describe.each(['/indicateurs', '/interventions', '/structures'])('GET %s', (path) => {
  it('has three pages of 25, in the order of ids, each row once', async () => {
    const { api } = gateway();
    const first = await api('GET', path);
    expect(first.status).toBe(200);
    expect(first.body.meta).toMatchObject({ page: 1, per_page: 25 });
    expect(first.body.meta.last_page).toBe(Math.ceil(first.body.meta.total / 25));
    expect(first.body.meta.last_page).toBeGreaterThanOrEqual(3);

    const pages = await Promise.all(
      Array.from({ length: first.body.meta.last_page }, (_, place) => api('GET', `${path}?page=${place + 1}`)),
    );
    const ids = pages.flatMap(({ body }) => body.data.map(({ id }: { id: number }) => id));
    expect(ids).toHaveLength(first.body.meta.total);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('accepts per_page from 1 to 100; a page after the last is empty', async () => {
    const { api } = gateway();
    expect((await api('GET', `${path}?per_page=1`)).body.data).toHaveLength(1);
    expect((await api('GET', `${path}?per_page=100`)).body.meta.per_page).toBe(100);
    const past = await api('GET', `${path}?page=2147483647&per_page=100`);
    expect(past.status).toBe(200);
    expect(past.body.data).toEqual([]);
  });

  it.each([
    'per_page=0',
    'per_page=101',
    'per_page=-1',
    'per_page=1.5',
    'per_page=NaN',
    'per_page=',
    'page=0',
    'page=x',
    'page=1&page=2',
    'page=99999999999999999999',
  ])('refuses %s with 422 and names the parameter', async (query) => {
    const { api } = gateway();
    const reply = await api('GET', `${path}?${query}`);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([query.split('=')[0]]);
  });

  it('refuses an unknown parameter, and names the nearest one, or the known ones if none is near', async () => {
    const { api } = gateway();
    const reply = await api('GET', `${path}?par_page=5&brouillon=1`);
    expect(reply.status).toBe(422);
    expect(reply.body.errors.par_page[0]).toMatch(/the nearest is per_page$/);
    expect(reply.body.errors.brouillon[0]).toMatch(/page, per_page, .*q/);
  });

  it('treats SQL, wildcards and quotes in q as plain text, and refuses malformed text', async () => {
    const { api } = gateway();
    for (const q of ["' or 1=1 --", '%', '_', '\\', '"; drop table users']) {
      const reply = await api('GET', `${path}?q=${encodeURIComponent(q)}`);
      expect(reply.status).toBe(200);
      expect(reply.body.data.length).toBeLessThan(25);
    }
    for (const q of ['%00', '%1b', 'a'.repeat(201)]) expect((await api('GET', `${path}?q=${q}`)).status).toBe(422);
    expect((await api('GET', `${path}?q=`)).body.meta).toEqual((await api('GET', path)).body.meta);
  });
});

it.each([
  ['/interventions', 'statut', 50],
  ['/interventions', 'region', 100],
  ['/structures', 'type', 50],
  ['/structures', 'region', 100],
  ['/indicateurs', 'q', 200],
])('%s accepts %s of %i characters, and no more', async (path, name, longest) => {
  const { api } = gateway();
  const statusOf = async (length: number) => (await api('GET', `${path}?${name}=${'a'.repeat(length)}`)).status;
  expect([await statusOf(longest), await statusOf(longest + 1)]).toEqual([200, 422]);
});

describe('indicateurs', () => {
  it('shows active ones only, with exactly the documented fields', async () => {
    const { api, store } = gateway();
    const { body } = await api('GET', '/indicateurs?per_page=100');
    expect(Object.keys(body.data[0])).toEqual([
      'id',
      'code',
      'intitule',
      'type',
      'unite',
      'valeur_courante',
      'cible_annuelle',
      'taux_atteinte',
      'alert_state',
      'is_kpi',
    ]);
    expect(body.meta.total).toBe(await store.count('indicators', { active: true }));
    expect(await store.count('indicators', { active: false })).toBeGreaterThan(0);
  });

  it('filters by type, kpi and title', async () => {
    const { api } = gateway();
    const ofType = await api('GET', '/indicateurs?type=resultat&per_page=100');
    expect(new Set(ofType.body.data.map(({ type }: { type: string }) => type))).toEqual(new Set(['resultat']));

    const all = (await api('GET', '/indicateurs')).body.meta.total;
    const kpi = (await api('GET', '/indicateurs?kpi=true')).body.meta.total;
    expect((await api('GET', '/indicateurs?kpi=1')).body.meta.total).toBe(kpi);
    expect((await api('GET', '/indicateurs?kpi=false')).body.meta.total).toBe(all - kpi);
    expect((await api('GET', '/indicateurs?kpi=0')).body.meta.total).toBe(all - kpi);
    expect(kpi).toBeGreaterThan(0);

    const found = (await api('GET', '/indicateurs?q=ELEVES')).body.data;
    expect(found.length).toBeGreaterThan(0);
    for (const { intitule } of found) expect(intitule).toMatch(/élèves/i);
    expect((await api('GET', `/indicateurs?q=${encodeURIComponent('élèves')}`)).body.data).toEqual(found);
  });

  it('refuses an unknown type or kpi', async () => {
    const { api } = gateway();
    expect((await api('GET', '/indicateurs?type=autre')).body.errors).toEqual({ type: ['must be activite, resultat or impact'] });
    expect((await api('GET', '/indicateurs?kpi=yes')).body.errors).toEqual({ kpi: ['must be true, false, 1 or 0'] });
  });

  it('shows one; an unknown or inactive one is 404', async () => {
    const { api, store } = gateway();
    const [listed] = (await api('GET', '/indicateurs')).body.data;
    expect((await api('GET', `/indicateurs/${listed.id}`)).body).toEqual({ data: listed });
    const inactive = await store.get('indicators', { active: false });
    for (const id of [inactive?.id, 999_999, 0]) expect((await api('GET', `/indicateurs/${id}`)).status).toBe(404);
    expect((await api('GET', '/indicateurs/abc')).status).toBe(422);
  });
});

describe('interventions', () => {
  it('never shows a draft, even if the filter asks for drafts', async () => {
    const { api, store } = gateway();
    expect(await store.count('interventions', { statut: 'brouillon' })).toBeGreaterThan(0);
    const all = await api('GET', '/interventions?per_page=100');
    expect(all.body.meta.total).toBe(await store.count('interventions', { statut: { not: 'brouillon' } }));
    expect(all.body.data.map(({ statut }: { statut: string }) => statut)).not.toContain('brouillon');
    const drafts = await api('GET', '/interventions?statut=brouillon');
    expect(drafts.body).toEqual({ data: [], meta: { page: 1, per_page: 25, total: 0, last_page: 1 } });
  });

  it('shows each field as it is stored, also one that is null', async () => {
    const { api, store } = gateway();
    const { data } = (await api('GET', '/interventions?per_page=100')).body as { data: Record<string, unknown>[] };
    for (const { budget, ...shown } of data) {
      const row = await store.get('interventions', { id: shown.id as number });
      expect(row).toMatchObject({ ...shown, budget: budget === null ? null : String(budget) });
    }
    for (const field of ['budget', 'date_fin'])
      expect([field, new Set(data.map((row) => row[field] === null))]).toEqual([field, new Set([true, false])]);
  });

  it('filters by status, region, year and title', async () => {
    const { api } = gateway();
    for (const statut of ['en_cours', 'suspendu', 'termine', 'approuve']) {
      const { data } = (await api('GET', `/interventions?statut=${statut}`)).body;
      expect(new Set(data.map((row: { statut: string }) => row.statut))).toEqual(new Set([statut]));
    }
    const { data } = (await api('GET', '/interventions?region=gbeke&annee=2026')).body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expect(row).toMatchObject({ region: 'Gbêkê', annee: 2026 });
    expect((await api('GET', '/interventions?region=gbe')).body.data).toEqual([]);
    expect((await api('GET', '/interventions?q=REHABILITATION')).body.data[0].intitule).toMatch(/Réhabilitation/);
    expect((await api('GET', '/interventions?statut=inconnu')).body.data).toEqual([]);
    for (const annee of ['26', 'abcd', '20266', '0000']) {
      expect((await api('GET', `/interventions?annee=${annee}`)).body.errors).toHaveProperty('annee');
    }
  });
});

describe('structures', () => {
  it('shows active ones only, and filters by type, region and name', async () => {
    const { api, store } = gateway();
    expect((await api('GET', '/structures')).body.meta.total).toBe(await store.count('structures', { active: true }));
    for (const type of ['ong', 'ministere', 'partenaire']) {
      const { data } = (await api('GET', `/structures?type=${type}&per_page=100`)).body;
      expect(new Set(data.map((row: { type: string }) => row.type))).toEqual(new Set([type]));
    }
    const { data } = (await api('GET', `/structures?region=${encodeURIComponent('SAN-PEDRO')}&q=femmes`)).body;
    expect(data).toHaveLength(1);
    expect(Object.keys(data[0])).toEqual(['id', 'nom', 'sigle', 'type', 'region']);
    expect((await api('GET', '/structures?type=inconnu')).body.data).toEqual([]);
  });
});

describe('structures of the operator', () => {
  it('have their short name, or null', async () => {
    const { api, manage } = await cohesionGateway();
    const fields = { nom: 'Zone de paix', type: 'ong', region: 'Poro' };
    for (const sigle of ['ZDP', null]) {
      await manage('POST', '/structures', { ...fields, nom: `Zone de paix ${sigle}`, sigle });
      const { data } = (await api('GET', `/structures?q=${encodeURIComponent(`paix ${sigle}`)}`)).body;
      expect(data).toEqual([{ id: expect.any(Number), ...fields, nom: `Zone de paix ${sigle}`, sigle }]);
    }
  });
});

describe('statistics', () => {
  it('are the sums of what the lists show', async () => {
    const { api, store } = gateway();
    const { data } = (await api('GET', '/stats')).body;
    expect(data.annee).toBe(2026);
    expect((await api('GET', '/stats?annee=2026')).body.data).toEqual(data);

    expect(data.interventions.total).toBe((await api('GET', '/interventions?annee=2026')).body.meta.total);
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
    expect(sum(data.interventions.par_statut)).toBe(data.interventions.total);
    expect(data.interventions.par_statut).not.toHaveProperty('brouillon');

    const indicators = (await api('GET', '/indicateurs?per_page=100')).body.data as {
      taux_atteinte: number;
      alert_state: string;
      is_kpi: boolean;
    }[];
    expect(data.indicateurs.total).toBe(indicators.length);
    expect(data.indicateurs.kpi).toBe(indicators.filter((one) => one.is_kpi).length);
    expect(data.indicateurs.en_alerte).toBe(indicators.filter((one) => one.alert_state !== 'none').length);
    expect(data.indicateurs.en_alerte).toBeGreaterThan(0);
    const mean = indicators.reduce((all, one) => all + one.taux_atteinte, 0) / indicators.length;
    expect(data.indicateurs.taux_atteinte_moyen).toBe(Math.round(mean * 100) / 100);
    expect(data.indicateurs.taux_atteinte_moyen).not.toBe(mean);
    expect(sum(data.structures.par_type)).toBe(data.structures.total);
    expect(data.structures.total).toBe((await api('GET', '/structures')).body.meta.total);
    expect(await store.count('structures', { active: false })).toBeGreaterThan(0);
    expect(await store.count('indicators', { active: false })).toBeGreaterThan(0);

    const financings = await store.list('financings', { where: { exercice: 2026 } });
    expect(data.financements.total).toBe(financings.length);
    for (const group of data.financements.par_statut) {
      const alike = financings.filter((row) => row.statut === group.statut && row.devise === group.devise);
      expect(group.nombre).toBe(alike.length);
      expect(group.montant).toBeCloseTo(
        alike.reduce((all, row) => all + Number(row.montant), 0),
        2,
      );
    }
  });

  it('are zero for a year without data; an invalid year is refused', async () => {
    const { api } = gateway();
    const { data } = (await api('GET', '/stats?annee=1999')).body;
    expect(data.interventions).toEqual({ total: 0, par_statut: { en_cours: 0, suspendu: 0, termine: 0, approuve: 0 } });
    expect(data.financements).toEqual({ total: 0, par_statut: [] });
    expect((await api('GET', '/stats?annee=99')).status).toBe(422);
  });
});
