import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Assumptions } from '../../stubs/assume/assumptions.ts';
import { assumedDeadline } from '../../stubs/assume/choices.ts';
import type { Assumed } from '../../stubs/assume/chosen.ts';
import type { StubOptions } from '../../stubs/stub.ts';
import { call, openReceiver, openStub } from './partner.ts';

const clock = '2026-11-21T08:00:00Z';

/** A stub of cohesion with a receiver, and calls with its widest token. */
async function dashboard(assume: Assumed, options: StubOptions<'cohesion'> = {}) {
  const receiver = await openReceiver(204);
  const stub = await openStub('cohesion', { assume, clock, webhooks: [{ url: receiver.url }], ...options });
  const { token } = stub.credentials;
  const ask = (method: string, path: string, body?: unknown, as = token) =>
    call(stub, method, `/api/v1${path}`, { token: as, ...(body === undefined ? {} : { body }) });
  const events = () => receiver.received.map(({ body }) => JSON.parse(body));
  /** Causes an event. Returns its payload as the receiver got it. */
  const caused = async (event: string, on?: string) => {
    await stub.trigger(event, undefined, on === undefined ? {} : { on });
    return events().findLast((one) => one.event === event)?.data;
  };
  return { stub, receiver, ask, events, caused };
}

describe('payloads have what the stub knows', () => {
  test('who validated is the user of a token, and not the administrator', async () => {
    const { stub, caused } = await dashboard({ 'cohesion.validated-by': 'token-user' });
    expect((await caused('intervention.validated')).validated_by).toEqual({ id: 2, name: 'Issouf Ouattara' });
    expect(stub.credentials.owner).toBe('user:2');
  });

  test.each([
    ['terminated', { terminated_by: { id: 2, name: 'Issouf Ouattara' } }],
    ['suspended', { suspended_by: { id: 2, name: 'Issouf Ouattara' }, motif: 'Budget' }],
  ])('an intervention that was %s says by whom', async (move, more) => {
    const { ask, caused } = await dashboard({ [`cohesion.intervention-${move}-payload`]: `${move}-by` });
    const data = await caused(`intervention.${move}`);
    expect(data).toMatchObject(more);
    const { body } = await ask('GET', '/interventions?per_page=100');
    const listed = body.data.find(({ id }: { id: number }) => id === data.intervention_id);
    if (move === 'terminated') expect(data.date_fin).toBe(listed.date_fin ?? '2026-11-21');
  });

  test('an alert names the state before', async () => {
    const { ask, caused } = await dashboard({ 'cohesion.indicator-alert-payload': 'state-before' });
    const alerts = (await ask('GET', '/indicateurs?per_page=100')).body.data;
    const over = alerts.find(({ alert_state }: { alert_state: string }) => alert_state === 'over');
    const calm = alerts.find(({ alert_state }: { alert_state: string }) => alert_state === 'none');
    expect(await caused('indicator.alert', String(over.id))).toMatchObject({
      alert_state: 'under',
      previous_alert_state: 'over',
    });
    expect(await caused('indicator.alert', String(calm.id))).toMatchObject({
      alert_state: 'under',
      previous_alert_state: 'none',
    });
    expect(await caused('indicator.alert', String(calm.id))).toMatchObject({
      alert_state: 'over',
      previous_alert_state: 'under',
    });
  });

  test('a closed plan has an id and a title, or the figures of its year', async () => {
    const { stub, ask, caused } = await dashboard({ 'cohesion.plan-closed-payload': 'plan-id' });
    expect(await caused('plan.closed')).toEqual({ plan_id: 3, intitule: 'Plan annuel 2026' });
    await stub.reset();
    await stub.assumptions.replace({ 'cohesion.plan-closed-payload': 'figures' });
    const stats = (await ask('GET', '/stats?annee=2026')).body.data;
    const inFrancs = stats.financements.par_statut.filter(({ devise }: { devise: string }) => devise === 'XOF');
    expect(await caused('plan.closed')).toMatchObject({
      annee: 2026,
      interventions: stats.interventions.total,
      montant: inFrancs.reduce((sum: number, { montant }: { montant: number }) => sum + montant, 0),
    });
  });

  test('a report has an address, or is the statistics of its year', async () => {
    const { stub, ask, caused } = await dashboard({ 'cohesion.rapport-ready-payload': 'url' });
    expect(await caused('rapport.ready')).toMatchObject({ url: 'https://cohesion.example/rapports/1.json' });
    await stub.assumptions.replace({ 'cohesion.rapport-ready-payload': 'report' });
    expect(await caused('rapport.ready')).toEqual((await ask('GET', '/stats?annee=2026')).body.data);
  });

  test('several events of one change have them, and all are delivered', async () => {
    const { stub } = await dashboard({ 'cohesion.validated-by': 'token-user', 'cohesion.plan-closed-payload': 'figures' });
    const sent = await stub.triggerAll([{ event: 'intervention.validated' }, { event: 'plan.closed' }]);
    expect(sent.map(({ deliveries }) => deliveries.map(({ status }) => status))).toEqual([['delivered'], ['delivered']]);
  });

  test('an example of an event has them too', async () => {
    const { stub, events } = await dashboard({ 'cohesion.plan-closed-payload': 'figures' });
    await stub.trigger('plan.closed', { annee: 2031 });
    expect(events()[0].data).toMatchObject({ annee: 2031, interventions: 0, montant: 0 });
  });
});

describe('tokens', () => {
  const reader = { id: 7, name: 'Awa Koné', email: 'awa@example.org', role: 'lecteur' as const };
  const seed = {
    structures: [{ id: 1, nom: 'Comité', sigle: null, type: 'ong' as const, region: 'Poro' }],
    users: [reader],
    tokens: [{ name: 'wide', user_id: 7 }],
  };

  test('a token ends after a year, and says so', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.token-lifetime': 'fixed' });
    await stub.clock.advance('364d');
    expect((await ask('GET', '/me')).status).toBe(200);
    await stub.clock.advance('1d');
    const { status, body } = await ask('GET', '/me');
    expect(status).toBe(401);
    expect(body.message).toBe('Unauthenticated. This token expired at 2027-11-21T08:00:00.000Z. Create a new one.');
    await stub.assumptions.clear();
    expect((await ask('GET', '/me')).status).toBe(200);
  });

  test('the token of a reader does not write, and /me shows so', async () => {
    const { ask } = await dashboard({ 'cohesion.user-roles': 'narrows-abilities' }, { seed });
    const { abilities } = (await ask('GET', '/me')).body.data.token;
    expect(abilities).toEqual(['read:indicators', 'read:interventions', 'read:structures', 'read:stats']);
    expect(await ask('POST', '/financements', {})).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('needs the ability write:financements') },
    });
  });

  test('/me shows the call before, also one that was refused', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.token-last-used': 'call-before' });
    const shown = async () => (await ask('GET', '/me')).body.data.token.last_used_at;
    expect(await shown()).toBe('2026-11-21T08:00:00.000Z');
    await stub.clock.advance('1m');
    expect(await shown()).toBe('2026-11-21T08:00:00.000Z');
    await stub.clock.advance('1m');
    expect((await ask('GET', '/indicateurs/999999')).status).toBe(404);
    await stub.clock.advance('1m');
    expect(await shown()).toBe('2026-11-21T08:02:00.000Z');
  });

  test.each([
    ['random', /^[\w-]{40,}$/],
    ['jwt', /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43}$/],
  ])('tokens are %s', async (form, shape) => {
    const { stub, ask } = await dashboard({ 'cohesion.token-format': form, 'cohesion.token-last-used': 'call-before' });
    const { token, tokens } = stub.credentials;
    for (const one of tokens) expect(one.token).toMatch(shape);
    expect((await ask('GET', '/me')).status).toBe(200);
    const made = await stub.profile.createToken({ name: 'mine' });
    expect(made.token).toMatch(shape);
    expect((await ask('GET', '/me', undefined, made.token)).status).toBe(200);
    const wrong = await ask('GET', '/me', undefined, `${token.slice(0, -2)}xx`);
    expect(wrong.status).toBe(401);
    expect(wrong.body.message).not.toContain('looks like');
    // Tokens of before stay valid, and the stub shows its clients the form that holds.
    await stub.assumptions.clear();
    expect(stub.credentials.token).toMatch(/^\d+\|/);
    const about = await fetch(`${stub.url}/_stub`, { headers: { authorization: `Bearer ${stub.operatorToken}` } });
    const plain = ((await about.json()) as { data: { credentials: { token: string } } }).data.credentials.token;
    expect(plain).toMatch(/^\d+\|/);
    await stub.assumptions.add({ 'cohesion.token-format': form });
    expect((await ask('GET', '/me', undefined, plain)).status).toBe(200);
  });
});

describe('indicators', () => {
  test.each(['per-indicator', 'rising'])('alerts have thresholds that are %s, and the statistics count them', async (choice) => {
    const { stub, ask, caused } = await dashboard({});
    type Indicator = { id: number; taux_atteinte: number; alert_state: string };
    const listed = async (): Promise<Indicator[]> => (await ask('GET', '/indicateurs?per_page=100')).body.data;
    const before = await listed();
    await stub.assumptions.replace({ 'cohesion.indicator-alert-condition': choice });
    const after = await listed();
    const changed = after.filter(({ alert_state }, at) => alert_state !== before[at]?.alert_state);
    expect(changed.length).toBeGreaterThan(3);
    const one = changed[0] as Indicator;
    expect((await ask('GET', `/indicateurs/${one.id}`)).body.data).toEqual(one);
    const inAlert = after.filter(({ alert_state }) => alert_state !== 'none');
    expect((await ask('GET', '/stats')).body.data.indicateurs.en_alerte).toBe(inAlert.length);
    const under = inAlert.find(({ alert_state }) => alert_state === 'under') as Indicator;
    expect(await caused('indicator.alert', String(under.id))).toMatchObject({ indicator_id: under.id, alert_state: 'over' });
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

  test('the minute slides', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.write-throttle-scope': 'sliding' });
    const write = () => ask('POST', '/financements', financing);
    await statuses(10, write);
    await stub.clock.advance('50s');
    await statuses(20, write);
    expect((await write()).headers.get('retry-after')).toBe('10');
    await stub.clock.advance('10s');
    expect(await statuses(11, write)).toEqual([...times(10, 201), 429]);
  });

  test('writes that validation refuses do not count', async () => {
    const { ask } = await dashboard({ 'cohesion.check-order': 'refused-uncounted' });
    const refused = await ask('POST', '/financements', {});
    expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([422, '30']);
    await statuses(5, () => ask('POST', '/financements', { ...financing, montant: 'much' }));
    expect(await statuses(31, () => ask('POST', '/financements', financing))).toEqual([...times(30, 201), 429]);
  });
});

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

  test.each([
    [{ 'cohesion.intervention-statuses': 'further' }, ['planifie', 'soumis', 'rejete', 'annule']],
    [{ 'cohesion.validation-source': 'own-state' }, ['soumis']],
    [
      { 'cohesion.intervention-statuses': 'further', 'cohesion.validation-source': 'own-state' },
      ['planifie', 'soumis', 'rejete', 'annule'],
    ],
  ] as [Assumed, string[]][])('%o: lists, filters and statistics agree', async (assume, own) => {
    const { stub, listed, counted } = await opened({});
    const plain = tallied(await listed('&annee=2026'));
    await stub.assumptions.replace(assume);
    const all = await listed('&annee=2026');
    const known = tallied(all);
    expect(Object.keys(known)).toEqual(expect.arrayContaining(own));
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

  test('only what was submitted can be validated', async () => {
    const { stub, listed, caused } = await opened({ 'cohesion.validation-source': 'own-state' });
    const submitted = (await listed('&statut=soumis')).map(({ id }) => id);
    const { intervention_id: id } = await caused('intervention.validated');
    expect(submitted).toContain(id);
    expect((await listed('&statut=approuve')).map((one) => one.id)).toContain(id);
    const other = (await listed('&statut=termine'))[0] as Intervention;
    await expect(stub.trigger('intervention.validated', undefined, { on: String(other.id) })).rejects.toThrow(/is not soumis/);
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

  test.each([{}, { 'cohesion.check-order': 'perimeter-first' }] as Assumed[])(
    'is the region of the user, with %o',
    async (more) => {
      const { ask } = await dashboard({ 'cohesion.perimeter': 'of-user', ...more });
      const write = async (structure_id: number) =>
        ask('POST', '/financements', {
          ...{ structure_id, exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 50, statut: 'promis' },
        });
      expect((await write(5)).status).toBe(201);
      // The token’s own list has it, and its user’s region has not.
      expect((await write(6)).body.message).toContain('which covers structures 1, 2, 3, 4, 5.');
    },
  );
});

describe('deliveries', () => {
  test('delivered_at is the time of each attempt, and is signed', async () => {
    const receiver = await openReceiver(500, 204);
    const webhooks = [{ url: receiver.url }];
    const stub = await openStub('cohesion', { assume: { 'cohesion.delivered-at': 'attempt' }, clock, webhooks });
    await stub.trigger('plan.closed');
    await stub.clock.advance('1m');
    const times = receiver.received.map(({ body }) => JSON.parse(body).delivered_at);
    expect(times).toEqual(['2026-11-21T08:00:00+00:00', expect.stringMatching(/^2026-11-21T08:00:0[45]\+00:00$/)]);
    for (const { headers, body } of receiver.received) {
      const signature = createHmac('sha256', stub.secret).update(body).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${signature}`);
    }
  });

  test('an attempt may take 5 s or 30 s, and 15 s otherwise', async () => {
    const assumptions = new Assumptions('cohesion');
    const deadline = assumedDeadline(assumptions, 15_000);
    const found: number[] = [];
    for (const id of ['5-s', '30-s']) {
      await assumptions.replace({ 'cohesion.webhook-timeouts': id });
      found.push(deadline());
    }
    await assumptions.replace({});
    expect([...found, deadline()]).toEqual([5000, 30_000, 15_000]);
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

describe('the calendar', () => {
  const december = '2026-12-30T08:00:00Z';

  test('the end of the year closes its plan', async () => {
    const { stub, events } = await dashboard({ 'cohesion.plan-closed-condition': 'end-of-year' }, { clock: december });
    await stub.clock.advance('1d');
    expect(events()).toEqual([]);
    await stub.clock.advance('60d');
    expect(events().map(({ event, data }) => [event, data.annee, data.closed_at])).toEqual([
      ['plan.closed', 2026, '2027-01-01T00:00:00.000Z'],
    ]);
  });

  test('each month ends with a report', async () => {
    const { stub, events } = await dashboard({ 'cohesion.rapport-ready-condition': 'by-period' }, { clock: december });
    await stub.clock.advance('62d');
    expect(events().map(({ data }) => [data.titre, data.annee])).toEqual([
      ['Rapport mensuel 2026-12', 2026],
      ['Rapport mensuel 2027-01', 2027],
      ['Rapport mensuel 2027-02', 2027],
    ]);
    // After a reset it is December again.
    await stub.reset();
    await stub.clock.advance('2d');
    expect(events().at(-1).data.titre).toBe('Rapport mensuel 2026-12');
    await stub.assumptions.clear();
    await stub.clock.advance('90d');
    expect(events()).toHaveLength(4);
  });
});
