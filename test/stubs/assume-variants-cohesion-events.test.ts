import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Assumptions } from '../../stubs/assume/assumptions.ts';
import { assumedAttempts } from '../../stubs/assume/attempts.ts';
import { clock, dashboard } from './dashboard.ts';
import { openReceiver, openStub } from './partner.ts';

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

  test('an attempt may take 5 s or 30 s, and otherwise the time of the settings', async () => {
    const assumptions = new Assumptions('cohesion');
    const { deadlineMs } = assumedAttempts(assumptions, { isOfApi: () => true, signatureHeader: '' });
    const found: unknown[] = [];
    for (const id of ['5-s', '30-s']) {
      await assumptions.replace({ 'cohesion.webhook-timeouts': id });
      found.push(deadlineMs?.());
    }
    await assumptions.replace({});
    expect([...found, deadlineMs?.()]).toEqual([5000, 30_000, undefined]);
  });
});
