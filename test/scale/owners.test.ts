import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { updateAccount } from '../../gateway/api/pos/back-office/accounts.ts';
import { systemClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { createEndpoint, updateEndpoint, verifyEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { type Change, changesOn } from '../../gateway/webhooks/outbox/change.ts';
import { eventually } from '../eventually.ts';
import { rules } from '../webhooks/harness.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { installation, lockWatcher, onScale } from './services.ts';

const keys = new Keyring(randomBytes(32));

/** A database with the account `a`, which uses the store s1. */
async function world() {
  const shared = await installation();
  const { store } = await scaleProcess(shared);
  const shop = { name: 'S', city: 'Abidjan', currency: 'XOF', created_at: 1, synchronized_at: null };
  await store.append(
    'stores',
    ['s1', 's2'].map((id) => ({ id, ...shop })),
  );
  await store.append('accounts', [{ id: 'a', name: 'A', plan: 'free', store_ids: ['s1'], active: true, created_at: 1 }]);
  const change = changesOn({ store, clock: systemClock, afterCommit: () => {} });
  const input = { service: 'pos' as const, owner: 'account:a' as const, url: 'https://example.com/', description: '' };
  const create = (one: Change, byOperator = true) =>
    createEndpoint(one, { ...input, events: null, perimeter: null, active: true }, { ...rules, keys, byOperator });
  return { store, change, create, waitingFor: await lockWatcher(shared) };
}

/** Runs `first`, and `second` after it but before its commit. Both must commit, one after the other. */
async function overlapping(
  { change, waitingFor }: Awaited<ReturnType<typeof world>>,
  first: (one: Change) => Promise<unknown>,
  second: (one: Change) => Promise<unknown>,
): Promise<void> {
  const written = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const one = change(async (step) => {
    await first(step);
    written.resolve();
    await gate.promise;
  });
  await Promise.race([written.promise, one]);
  const other = change(second);
  let done = false;
  const ended = other.finally(() => {
    done = true;
  });
  await eventually(async () => expect(done || (await waitingFor('')) > 0).toBe(true));
  gate.resolve();
  await Promise.all([one, ended]);
}

onScale('an owner that changes while its endpoints do', () => {
  test('an endpoint that is made during a change of its owner knows of it, and the other way round', async () => {
    const one = await world();
    const toS2 = (step: Change) => updateAccount(step, 'a', { store_ids: ['s2'] });
    await overlapping(one, toS2, (step) => one.create(step));
    expect((await one.store.list('endpoints')).map(({ visible }) => visible?.subjects)).toEqual([['s2']]);
    const off = (step: Change) => updateAccount(step, 'a', { active: false, store_ids: ['s1', 's2'] });
    await overlapping(one, (step) => one.create(step), off);
    const endpoints = await one.store.list('endpoints');
    expect(endpoints.map(({ visible, disabled_reason }) => [visible?.subjects, disabled_reason])).toEqual(
      Array(2).fill([['s1', 's2'], 'owner_inactive']),
    );
    expect((await one.store.list('subscriptions')).map(({ subject }) => subject).sort()).toEqual(['s1', 's1', 's2', 's2']);
  });

  test('an endpoint is verified or activated before or after its owner is deactivated, never meanwhile', async () => {
    const one = await world();
    const { endpoint } = await one.change((step) => one.create(step, false));
    const off = (step: Change) => updateAccount(step, 'a', { active: false });
    const verify = (step: Change) => verifyEndpoint(step, endpoint.id);
    await expect(overlapping(one, off, verify)).rejects.toThrow('inactive');
    await one.change((step) => updateAccount(step, 'a', { active: true }));
    await overlapping(one, verify, off);
    const activate = (step: Change) => updateEndpoint(step, { id: endpoint.id, active: true }, { ...rules, byOperator: true });
    await expect(one.change(activate)).rejects.toThrow('inactive');
    expect(await one.store.get('endpoints', { id: endpoint.id })).toMatchObject({
      active: false,
      disabled_reason: 'owner_inactive',
    });
  });
});
