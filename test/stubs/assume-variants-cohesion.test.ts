import { describe, expect, test } from 'vitest';
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

  test('an example of an event has them too', async () => {
    const { stub, events } = await dashboard({ 'cohesion.plan-closed-payload': 'figures' });
    await stub.trigger('plan.closed', { annee: 2031 });
    expect(events()[0].data).toMatchObject({ annee: 2031, interventions: 0, montant: 0 });
  });
});
