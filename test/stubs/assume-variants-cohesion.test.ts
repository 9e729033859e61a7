import { describe, expect, test } from 'vitest';
import type { Assumed } from '../../stubs/assume/chosen.ts';
import { dashboard } from './dashboard.ts';

describe('interventions', () => {
  type Intervention = { id: number; statut: string; structure_id: number };
  const opened = async (assume: Assumed) => {
    const { ask, ...others } = await dashboard(assume);
    const listed = async (query = ''): Promise<Intervention[]> =>
      (await ask('GET', `/interventions?per_page=100${query}`)).body.data;
    const counted = async () => (await ask('GET', '/stats?annee=2026')).body.data.interventions;
    return { ...others, ask, listed, counted };
  };
  const tallied = (rows: Intervention[]) =>
    Object.fromEntries([...Map.groupBy(rows, ({ statut }) => statut)].map(([statut, own]) => [statut, own.length]));

  test('lists, filters and statistics agree on further statuses', async () => {
    const { stub, listed, counted } = await opened({});
    const plain = tallied(await listed('&annee=2026'));
    await stub.assumptions.replace({ 'cohesion.intervention-statuses': 'further' });
    const all = await listed('&annee=2026');
    const known = tallied(all);
    expect(Object.keys(known)).toEqual(expect.arrayContaining(['planifie', 'soumis', 'rejete', 'annule']));
    expect(await counted()).toEqual({ total: all.length, par_statut: { suspendu: 0, ...known } });
    for (const [statut, count] of Object.entries(known)) {
      const found = await listed(`&annee=2026&statut=${statut}`);
      expect([statut, found.length, new Set(found.map((one) => one.statut))]).toEqual([statut, count, new Set([statut])]);
    }
    expect((await listed('&annee=2026&statut=soumis&region=poro')).length).toBeLessThan(known.soumis ?? 0);
    await stub.assumptions.clear();
    expect(tallied(await listed('&annee=2026'))).toEqual(plain);
  });

  test('only what is terminated can be validated', async () => {
    const { stub, listed, caused } = await opened({ 'cohesion.validation-source': 'termine-only' });
    const running = (await listed('&statut=en_cours'))[0] as Intervention;
    const ended = await listed('&statut=termine');
    expect(ended.map(({ id }) => id)).toContain((await caused('intervention.validated')).intervention_id);
    await expect(stub.trigger('intervention.validated', undefined, { on: String(running.id) })).rejects.toThrow(
      /is not termine, so it cannot be validated\.$/,
    );
  });

  test('what is approved can be terminated', async () => {
    const { stub, listed, caused } = await opened({ 'cohesion.intervention-transitions': 'terminate-approuve' });
    const approved = (await listed('&statut=approuve')).map(({ id }) => id);
    const { intervention_id: id } = await caused('intervention.terminated');
    expect(approved).toContain(id);
    expect((await listed('&statut=termine')).map((one) => one.id)).toContain(id);
    await stub.assumptions.clear();
    const left = approved.find((one) => one !== id);
    await expect(stub.trigger('intervention.terminated', undefined, { on: String(left) })).rejects.toThrow(/is not legal/);
  });
});

describe('financings', () => {
  const financing = {
    ...{ structure_id: 1, exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 50, statut: 'promis' },
  };

  test('an update empties the texts that it does not send', async () => {
    const { ask } = await dashboard({ 'cohesion.financing-update-required': 'emptied' });
    const { id } = (await ask('POST', '/financements', { ...financing, devise: 'EUR' })).body.data;
    const update = async (fields: object) => (await ask('PUT', `/financements/${id}`, fields)).body;
    const rest = { id, structure_id: 1, exercice: 2026, type: 'bailleur', montant: 50 };
    expect((await update({ statut: 'obtenu' })).data).toEqual({
      ...{ ...rest, bailleur: '', intitule: '', devise: 'XOF', statut: 'obtenu' },
    });
    expect((await update(financing)).data).toEqual({ ...financing, id, devise: 'XOF' });
    expect((await update({})).message).toContain('at least one field');
  });

  test('the statistics add up all currencies in one', async () => {
    const { stub, ask } = await dashboard({});
    const shown = async () => (await ask('GET', '/stats?annee=2026')).body.data.financements;
    const before = await shown();
    await stub.assumptions.replace({ 'cohesion.stats-fields': 'one-currency' });
    const after = await shown();
    expect(after.total).toBe(before.total);
    expect(after.par_statut.every((one: object) => !('devise' in one))).toBe(true);
    const named = after.par_statut.map(({ statut }: { statut: string }) => statut);
    expect(new Set(named).size).toBe(named.length);
    await ask('POST', '/financements', { ...financing, devise: 'EUR', montant: 1000 });
    const sum = (list: { montant: number }[]) => list.reduce((all, { montant }) => all + montant, 0);
    expect(sum((await shown()).par_statut) - sum(after.par_statut)).toBe(655_957);
    // A currency without a rate counts 100 XOF.
    expect((await ask('POST', '/financements', { ...financing, devise: 'JPY', montant: 3 })).status).toBe(201);
    expect(sum((await shown()).par_statut) - sum(after.par_statut)).toBe(656_257);
  });

  test.each([
    ['403', 403],
    ['404', 404],
  ])('a structure that nobody has is answered with %s where the token covers all', async (id, status) => {
    const seed = {
      structures: [{ id: 1, nom: 'Comité', sigle: null, type: 'ong' as const, region: 'Poro' }],
      tokens: [{ name: 'all' }],
    };
    const { stub, ask } = await dashboard({}, { seed });
    const write = async () => (await ask('POST', '/financements', { ...financing, structure_id: 77 })).status;
    expect(await write()).toBe(422);
    await stub.assumptions.replace({ 'cohesion.unknown-structure': id });
    expect(await write()).toBe(status);
    expect((await ask('POST', '/financements', financing)).status).toBe(201);
  });
});
