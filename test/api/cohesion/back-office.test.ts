import { describe, expect, it } from 'vitest';
import { legalMoves, moveNames, moves } from '../../../gateway/api/cohesion/domain/intervention-moves.ts';
import { interventionStatuses } from '../../../gateway/store/tables/cohesion.ts';
import { cohesionGateway } from './harness.ts';

const draft = { reference: 'INT-TEST-1', intitule: 'Médiation', structure_id: 1, annee: 2026 };

describe('interventions', () => {
  it('go from draft to validated, and send exactly the documented payload', async () => {
    const { api, manage, events } = await cohesionGateway();
    const made = await manage('POST', '/interventions', { ...draft, region: 'Gbêkê' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ statut: 'brouillon', legal_moves: ['publish'], region: 'Gbêkê' });
    const { id } = made.body.data;
    const shown = async () =>
      (await api('GET', '/interventions?q=mediation')).body.data.filter((row: { id: number }) => row.id === id);
    expect(await shown()).toEqual([]);

    expect((await manage('POST', `/interventions/${id}/publish`)).body.data.statut).toBe('en_cours');
    expect(await shown()).toHaveLength(1);
    expect(await events()).toEqual([]);

    const validated = await manage('POST', `/interventions/${id}/validate`);
    expect(validated.body.data).toMatchObject({ statut: 'approuve', legal_moves: [], validated_by: 1 });
    expect(await events()).toEqual([
      {
        subject: '1',
        event: 'intervention.validated',
        delivered_at: '2026-11-21T09:00:00+00:00',
        data: {
          intervention_id: id,
          reference: 'INT-TEST-1',
          intitule: 'Médiation',
          structure_id: 1,
          region: 'Gbêkê',
          validated_by: { id: 1, name: 'Aya Kouassi' },
        },
      },
    ]);
  });

  it('send an event when they are suspended and terminated', async () => {
    const { manage, events } = await cohesionGateway();
    const { id } = (await manage('POST', '/interventions', draft)).body.data;
    for (const move of ['publish', 'suspend', 'resume', 'suspend', 'terminate']) {
      expect((await manage('POST', `/interventions/${id}/${move}`)).status).toBe(200);
    }
    const data = { intervention_id: id, reference: 'INT-TEST-1', intitule: 'Médiation', structure_id: 1, region: 'Gbêkê' };
    expect((await events()).map((one) => [one.event, one.subject, one.data])).toEqual([
      ['intervention.suspended', '1', data],
      ['intervention.suspended', '1', data],
      ['intervention.terminated', '1', data],
    ]);
  });

  it('make only legal moves; a refusal lists the legal ones, changes nothing and sends nothing', async () => {
    const { manage, store, events } = await cohesionGateway();
    for (const statut of interventionStatuses) {
      const row = await store.get('interventions', { statut });
      for (const move of moveNames.filter((name) => !legalMoves(statut).includes(name))) {
        const reply = await manage('POST', `/interventions/${row?.id}/${move}`);
        expect(reply.status).toBe(409);
        expect(reply.body.error.code).toBe('illegal_move');
        expect(reply.body.error.details[0].message).toBe(legalMoves(statut).join(', ') || 'none');
      }
      expect(await store.get('interventions', { id: row?.id })).toEqual(row);
    }
    expect(await events()).toEqual([]);
    for (const move of moveNames) expect((await manage('POST', `/interventions/999999/${move}`)).status).toBe(404);
  });

  it('have a table of moves with known states only, and no move out of approuve', () => {
    for (const { from, to } of Object.values(moves))
      for (const status of [...from, to]) expect(interventionStatuses).toContain(status);
    expect(Object.fromEntries(interventionStatuses.map((status) => [status, legalMoves(status)]))).toEqual({
      brouillon: ['publish'],
      en_cours: ['suspend', 'terminate', 'validate'],
      suspendu: ['resume', 'terminate'],
      termine: ['validate'],
      approuve: [],
    });
  });

  it('are validated in the name of an active user', async () => {
    const { manage, store, events } = await cohesionGateway();
    const { id } = (await store.get('interventions', { statut: 'termine' })) ?? { id: 0 };
    expect((await manage('POST', `/interventions/${id}/validate`, { validated_by: 4 })).status).toBe(400);
    expect((await manage('POST', `/interventions/${id}/validate`, { validated_by: 99 })).status).toBe(400);
    await manage('PATCH', '/users/1', { active: false });
    expect((await manage('POST', `/interventions/${id}/validate`)).body.error.details[0].field).toBe('validated_by');
    expect(await events()).toEqual([]);
    expect((await manage('POST', `/interventions/${id}/validate`, { validated_by: 2 })).status).toBe(200);
    expect((await events())[0].data.validated_by).toEqual({ id: 2, name: 'Issouf Ouattara' });
  });

  it('are refused with a taken reference, a reversed period or an unknown structure', async () => {
    const { manage } = await cohesionGateway();
    await manage('POST', '/interventions', draft);
    expect((await manage('POST', '/interventions', draft)).status).toBe(409);
    const other = { ...draft, reference: 'INT-TEST-2' };
    expect((await manage('POST', '/interventions', { ...other, structure_id: 9999 })).status).toBe(400);
    const reversed = await manage('POST', '/interventions', { ...other, date_debut: '2026-05-02', date_fin: '2026-05-01' });
    expect([reversed.status, reversed.body.error.details]).toMatchObject([400, [{ field: 'date_fin', rule: 'after' }]]);
    expect((await manage('POST', '/interventions', { ...other, date_debut: '2026-02-30' })).status).toBe(400);
  });
});

describe('indicators', () => {
  it('send an alert when they become under or over, and none while they stay so', async () => {
    const { api, manage, events } = await cohesionGateway();
    const made = await manage('POST', '/indicators', {
      code: 'IND-TEST',
      intitule: 'Comités',
      type: 'resultat',
      unite: 'comités',
      cible_annuelle: 60,
    });
    expect(made.body.data).toMatchObject({ valeur_courante: 0, alert_state: 'none', is_kpi: false });
    const { id } = made.body.data;
    const set = async (value: number) => {
      const reply = await manage('PUT', `/indicators/${id}/value`, { valeur_courante: value });
      return [reply.body.data.taux_atteinte, reply.body.data.alert_state];
    };
    expect(await set(30)).toEqual([50, 'none']);
    expect(await set(29.9)).toEqual([49.83, 'under']);
    expect(await set(10)).toEqual([16.67, 'under']);
    expect(await set(72)).toEqual([120, 'none']);
    expect(await set(73)).toEqual([121.67, 'over']);
    expect(await set(0)).toEqual([0, 'under']);

    const sent = await events();
    expect(sent.map(({ event, subject, data }) => [event, subject, data.alert_state])).toEqual([
      ['indicator.alert', null, 'under'],
      ['indicator.alert', null, 'over'],
      ['indicator.alert', null, 'under'],
    ]);
    expect(sent[0].data).toEqual({
      indicator_id: id,
      code: 'IND-TEST',
      intitule: 'Comités',
      type: 'resultat',
      unite: 'comités',
      valeur_courante: 29.9,
      cible_annuelle: 60,
      taux_atteinte: 49.83,
      alert_state: 'under',
    });
    expect((await api('GET', `/indicateurs/${id}`)).body.data.alert_state).toBe('under');
  });

  it('have no alert without a target, and no new value while they are inactive', async () => {
    const { api, manage, events } = await cohesionGateway();
    const made = await manage('POST', '/indicators', {
      code: 'IND-0',
      intitule: 'Sans cible',
      type: 'impact',
      unite: '%',
      cible_annuelle: 0,
    });
    const path = `/indicators/${made.body.data.id}`;
    expect((await manage('PUT', `${path}/value`, { valeur_courante: 5 })).body.data).toMatchObject({
      taux_atteinte: 0,
      alert_state: 'none',
    });
    expect((await manage('PATCH', path, { active: false })).body.data.active).toBe(false);
    expect((await manage('PUT', `${path}/value`, { valeur_courante: 6 })).status).toBe(409);
    expect((await api('GET', `/indicateurs/${made.body.data.id}`)).status).toBe(404);
    expect(await events()).toEqual([]);
    expect(
      (await manage('POST', '/indicators', { code: 'IND-0', intitule: 'x', type: 'impact', unite: '%', cible_annuelle: 0 }))
        .status,
    ).toBe(409);
  });
});

describe('plans and reports', () => {
  it('closes a plan once, with its event', async () => {
    const { manage, events } = await cohesionGateway();
    expect((await manage('POST', '/plans', { annee: 2026 })).status).toBe(409);
    expect((await manage('POST', '/plans', { annee: 2027 })).body.data).toMatchObject({
      annee: 2027,
      statut: 'open',
      closed_at: null,
    });
    expect((await manage('POST', '/plans/2026/close')).body.data).toMatchObject({
      statut: 'closed',
      closed_at: '2026-11-21T09:00:00.000Z',
    });
    expect((await manage('POST', '/plans/2026/close')).status).toBe(409);
    expect((await manage('POST', '/plans/1999/close')).status).toBe(404);
    expect((await events()).map(({ event, data }) => [event, data])).toEqual([
      ['plan.closed', { annee: 2026, closed_at: '2026-11-21T09:00:00.000Z' }],
    ]);
    expect((await manage('GET', '/plans?limit=2')).body).toMatchObject({
      data: [{ annee: 2027 }, { annee: 2026 }],
      next: '2026',
    });
    expect((await manage('GET', '/plans?cursor=2026')).body.data).toHaveLength(2);
  });

  it('produces a report that keeps the figures of its time, with its event', async () => {
    const { api, manage, events } = await cohesionGateway();
    const before = (await api('GET', '/stats')).body.data;
    const made = await manage('POST', '/reports', { annee: 2026 });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ titre: 'Rapport annuel 2026', format: 'json', content: before });
    const { id } = made.body.data;
    expect((await events()).map(({ event, data }) => [event, data])).toEqual([
      ['rapport.ready', { rapport_id: id, annee: 2026, titre: 'Rapport annuel 2026', format: 'json' }],
    ]);

    const { data } = (await manage('POST', '/interventions', draft)).body;
    await manage('POST', `/interventions/${data.id}/publish`);
    expect((await manage('GET', `/reports/${id}`)).body.data.content).toEqual(before);
    expect((await manage('GET', '/reports')).body.data[0]).not.toHaveProperty('content');
    expect((await manage('GET', '/reports/99')).status).toBe(404);
  });
});

describe('users, tokens and structures', () => {
  it('creates a user and a working token, and never shows the token again', async () => {
    const { api, manage, store } = await cohesionGateway();
    const user = (await manage('POST', '/users', { name: 'Awa Koné', email: 'Awa.Kone@demo.example', role: 'lecteur' })).body
      .data;
    expect((await manage('POST', '/users', { name: 'Autre', email: 'awa.kone@demo.example', role: 'lecteur' })).status).toBe(409);
    const made = await manage('POST', `/users/${user.id}/tokens`, {
      name: 'Mobile',
      abilities: ['read:stats'],
      structure_ids: [1],
    });
    expect(made.status).toBe(201);
    const { token, ...shown } = made.body.data;
    expect(token).toMatch(new RegExp(`^${shown.id}\\|[A-Za-z0-9_-]{40,}$`));
    expect((await api('GET', '/me', { token })).body.data.user.name).toBe('Awa Koné');
    expect((await manage('GET', `/tokens?user_id=${user.id}`)).text).not.toContain(token.split('|')[1]);
    expect(JSON.stringify(await store.list('tokens'))).not.toContain(token.split('|')[1]);
    expect((await manage('GET', `/users/${user.id}`)).body.data).toEqual(user);
  });

  it('refuses tokens for unknown users, structures and abilities, and tokens that expire in the past', async () => {
    const { manage } = await cohesionGateway();
    const body = { name: 'x', abilities: ['read:stats'], structure_ids: null };
    expect((await manage('POST', '/users/99/tokens', body)).status).toBe(404);
    expect((await manage('POST', '/users/1/tokens', { ...body, structure_ids: [1, 9999] })).body.error.details[0].field).toBe(
      'structure_ids',
    );
    expect((await manage('POST', '/users/1/tokens', { ...body, abilities: ['write:indicators'] })).status).toBe(400);
    expect((await manage('POST', '/users/1/tokens', { ...body, abilities: [] })).status).toBe(400);
    expect((await manage('POST', '/users/1/tokens', { ...body, expires_at: '2026-11-21T09:00:00Z' })).status).toBe(400);
    expect((await manage('POST', '/users/1/tokens', { ...body, expires_at: '2027-02-30T09:00:00Z' })).status).toBe(400);
    expect((await manage('DELETE', '/tokens/99')).status).toBe(404);
  });

  it('creates, renames and deactivates a structure; searches find the new state', async () => {
    const { api, manage } = await cohesionGateway();
    const made = await manage('POST', '/structures', { nom: 'Réseau Espérance', type: 'association', region: 'Béré' });
    const path = `/structures/${made.body.data.id}`;
    expect((await api('GET', '/structures?q=esperance&region=bere')).body.meta.total).toBe(1);
    await manage('PATCH', path, { nom: 'Réseau Avenir', region: 'Worodougou' });
    expect((await api('GET', '/structures?q=esperance')).body.meta.total).toBe(0);
    expect((await api('GET', '/structures?q=AVENIR&region=worodougou')).body.meta.total).toBe(1);
    await manage('PATCH', path, { active: false });
    expect((await api('GET', '/structures?q=avenir')).body.meta.total).toBe(0);
    expect((await manage('GET', '/structures?limit=1')).body.data[0]).toMatchObject({ nom: 'Réseau Avenir', active: false });
    expect((await manage('PATCH', '/structures/9999', { active: true })).status).toBe(404);
  });
});

describe.each([
  ['structures', 90],
  ['interventions', 120],
  ['indicators', 90],
  ['financings', 80],
])('the list of %s', (name, total) => {
  it('has keyset pages, newest first, each row once', async () => {
    const { manage } = await cohesionGateway();
    const ids: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await manage('GET', `/${name}?limit=33${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.data.map(({ id }: { id: number }) => id));
      cursor = body.next;
    }
    expect(ids).toHaveLength(total);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });
});
