import { describe, expect, test } from 'vitest';
import { parseAssumed } from '../../stubs/assume/chosen.ts';
import { liveOf } from '../../stubs/assume/live.ts';
import { dashboard, financing } from './dashboard.ts';
import { repeated } from './partner.ts';

test.each<[assume: string, sent: object, field: string, message: string]>([
  ['cohesion.devise-sent=refused', { devise: 'XOF' }, 'devise', 'is not a field of this request'],
  [
    'cohesion.financing-bounds=open-year-only',
    { exercice: 1950 },
    'exercice',
    '1950 is neither the current year nor one with an open plan.',
  ],
  ['cohesion.financing-types=kinds', { type: 'etat' }, 'type', 'must be one of bailleur, don, pret, subvention'],
  ['cohesion.financing-types=any-text', { type: '' }, 'type', 'must be a text of 1 to 200 characters'],
  ['cohesion.annee-values=past-or-current', {}, 'annee', '2027 is after 2026, the current year.'],
])('under %s, a refusal of %j names the field %s', async (assume, changes, field, message) => {
  const { ask } = await dashboard(parseAssumed([assume]));
  const [method, path] = field === 'annee' ? ['GET', '/stats?annee=2027'] : ['POST', '/financements'];
  const refused = await ask(method, path, method === 'GET' ? undefined : { ...financing, ...changes });
  expect(refused).toMatchObject({ status: 422, body: { errors: { [field]: [message] } } });
});

describe('interventions', () => {
  type Intervention = { id: number; statut: string; structure_id: number };
  const opened = async (assume: Record<string, string>) => {
    const { ask, ...others } = await dashboard(assume);
    const listed = async (query = ''): Promise<Intervention[]> =>
      (await ask('GET', `/interventions?per_page=100${query}`)).body.data;
    return { ...others, ask, listed };
  };
  const tallied = (rows: Intervention[]) =>
    Object.fromEntries([...Map.groupBy(rows, ({ statut }) => statut)].map(([statut, own]) => [statut, own.length]));

  test('lists, filters and statistics agree on further statuses', async () => {
    const { stub, ask, listed } = await opened({});
    const plain = tallied(await listed('&annee=2026'));
    await stub.assumptions.replace({ 'cohesion.intervention-statuses': 'further' });
    const all = await listed('&annee=2026');
    const known = tallied(all);
    expect(Object.keys(known)).toEqual(expect.arrayContaining(['planifie', 'soumis', 'rejete', 'annule']));
    const { interventions } = (await ask('GET', '/stats?annee=2026')).body.data;
    expect(interventions).toEqual({ total: all.length, par_statut: { suspendu: 0, ...known } });
    for (const [statut, count] of Object.entries(known))
      expect(tallied(await listed(`&annee=2026&statut=${statut}`))).toEqual({ [statut]: count });
    expect((await listed('&annee=2026&statut=soumis&region=poro')).length).toBeLessThan(known.soumis ?? 0);
    await stub.assumptions.clear();
    expect(tallied(await listed('&annee=2026'))).toEqual(plain);
  });

  test('only what is terminated can be validated', async () => {
    const { stub, listed, caused } = await opened({ 'cohesion.validation-source': 'termine-only' });
    const [running] = await listed('&statut=en_cours');
    const ended = await listed('&statut=termine');
    expect(ended.map(({ id }) => id)).toContain((await caused('intervention.validated')).intervention_id);
    await expect(stub.trigger('intervention.validated', undefined, { on: String(running?.id) })).rejects.toThrow(
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

test('the statistics add up all currencies in one', async () => {
  const { ask } = await dashboard({ 'cohesion.stats-fields': 'one-currency' });
  const sum = async () => {
    const { par_statut: byStatus } = (await ask('GET', '/stats?annee=2026')).body.data.financements;
    return byStatus.reduce((all: number, { montant }: { montant: number }) => all + montant, 0);
  };
  const before = await sum();
  await ask('POST', '/financements', { ...financing, devise: 'EUR', montant: 1000 });
  expect((await sum()) - before).toBe(655_957);
  // A currency without a rate counts 100 XOF.
  expect((await ask('POST', '/financements', { ...financing, devise: 'JPY', montant: 3 })).status).toBe(201);
  expect((await sum()) - before).toBe(656_257);
});

test('the current year is that of the clock one hour ahead', async () => {
  const { ask } = await dashboard({ 'cohesion.current-year': 'hour-ahead' }, { clock: '2026-12-31T23:30:00Z' });
  expect((await ask('GET', '/stats')).body.data.annee).toBe(2027);
});

describe('access', () => {
  test('the writes of a user are counted together', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.write-throttle-scope': 'per-user' });
    const other = stub.credentials.tokens.find(({ name }) => name === 'demo write:financements')?.token;
    expect(await repeated(30, () => ask('POST', '/financements', financing))).toEqual(Array(30).fill(201));
    expect((await ask('POST', '/financements', financing, other)).status).toBe(429);
  });

  test('a stub without limits has none under these alternatives', async () => {
    const { ask } = await dashboard({ 'cohesion.write-throttle-scope': 'per-method' }, { limits: false });
    expect(await repeated(31, () => ask('POST', '/financements', {}))).toEqual(Array(31).fill(422));
  });

  test('the perimeter limits reads too', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.perimeter': 'reads-too' });
    const ids = stub.credentials.tokens.find(({ name }) => name === 'demo all abilities')?.structures ?? [];
    const { data, meta } = (await ask('GET', '/structures?per_page=100')).body;
    expect(data.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(meta.total).toBe(ids.length);
    const interventions = (await ask('GET', '/interventions?per_page=100&annee=2026')).body.data;
    expect(interventions.length).toBeGreaterThan(0);
    for (const { structure_id } of interventions) expect(ids).toContain(structure_id);
    const stats = (await ask('GET', '/stats?annee=2026')).body.data;
    expect([stats.interventions.total, stats.structures.total]).toEqual([interventions.length, ids.length]);
    expect(stats.indicateurs.total).toBeGreaterThan(ids.length);
    const poro = (await ask('GET', '/structures?region=poro')).body.data;
    expect(new Set(poro.map(({ region }: { region: string }) => region))).toEqual(new Set(['Poro']));
  });
});

test('the address of a report leads nowhere', async () => {
  const { caused } = await dashboard({ 'cohesion.rapport-ready-payload': 'url' });
  expect(await caused('rapport.ready')).toMatchObject({ url: 'https://cohesion.example/rapports/1.json' });
});

test.each([
  ['5-s', 5000],
  ['30-s', 30_000],
])('an attempt to deliver a webhook may take %s', (id, ms) => {
  expect(liveOf('cohesion', { 'cohesion.webhook-timeouts': id }).webhooks.deadlineMs).toBe(ms);
});
