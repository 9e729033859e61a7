import { describe, expect, test } from 'vitest';
import type { CohesionFixtures, PosFixtures } from '../../stubs/seed/types.ts';
import { runHere } from '../program.ts';
import { call, openReceiver, openStub, signIn } from './partner.ts';

const shops: PosFixtures = {
  stores: ['ADJAME', 'BOUAKE', 'COCODY'].map((id) => ({
    id,
    products: [{ product_id: 'RICE', name: 'Riz', price: 4500, quantity: 500 }],
  })),
  accounts: [
    { id: 'acc_adjame', name: 'Adjamé', store_ids: ['ADJAME'], api_key: 'pk_a', api_secret: 'sk_a' },
    { id: 'acc_bouake', name: 'Bouaké', store_ids: ['BOUAKE', 'COCODY'], api_key: 'pk_b', api_secret: 'sk_b' },
  ],
};

const regions: CohesionFixtures = {
  structures: [1, 2, 3].map((id) => ({ id, nom: `ONG ${id}`, type: 'ong', region: 'Gbêkê' })),
  users: [
    { id: 1, name: 'Aya', email: 'aya@example.org', role: 'admin', structure_ids: [1] },
    { id: 2, name: 'Koffi', email: 'koffi@example.org', role: 'lecteur', structure_ids: [2, 3] },
  ],
  interventions: [1, 2, 3].map((id) => ({
    id,
    reference: `INT-${id}`,
    intitule: `Dialogue ${id}`,
    structure_id: id,
    annee: 2026,
  })),
  plans: [{ annee: 2026 }],
  tokens: [
    { token: '11|aya-token-of-the-tests-1', user_id: 1 },
    { token: '12|koffi-token-of-the-tests', user_id: 2 },
  ],
};

const bodiesOf = ({ received }: Awaited<ReturnType<typeof openReceiver>>) =>
  received.map(({ body }) => (JSON.parse(body) as { data: { store_id?: string; structure_id?: number; annee?: number } }).data);

describe('each partner receives only its own events', () => {
  test('two accounts, one of them narrowed further, and the operator', async () => {
    const stub = await openStub('pos', { seed: shops });
    const receivers = await Promise.all([openReceiver(204), openReceiver(204), openReceiver(204), openReceiver(204)]);
    const [adjame, bouake, cocody, all] = receivers;
    const events = ['sale.completed'];
    await stub.profile.createEndpoint({ owner: 'account:acc_adjame', url: adjame.url, events });
    await stub.profile.createEndpoint({ owner: 'account:acc_bouake', url: bouake.url, events });
    await stub.profile.createEndpoint({ owner: 'account:acc_bouake', url: cocody.url, events, perimeter: ['COCODY'] });
    await stub.endpoints.add({ url: all.url, events });
    for (const store of ['ADJAME', 'BOUAKE', 'COCODY']) await stub.trigger('sale.completed', undefined, { on: store });
    const stores = receivers.map((one) => bodiesOf(one).map(({ store_id }) => store_id));
    expect(stores).toEqual([['ADJAME'], ['BOUAKE', 'COCODY'], ['COCODY'], ['ADJAME', 'BOUAKE', 'COCODY']]);
    expect((await stub.profile.deliveries('account:acc_adjame')).map(({ url }) => url)).toEqual([adjame.url]);
    expect(await stub.profile.deliveries('account:acc_bouake')).toHaveLength(3);
  });

  test('a user sees the structures of its perimeter as it is now; an inactive one gets nothing, and the list says why', async () => {
    const stub = await openStub('cohesion', { seed: regions });
    const [aya, koffi] = [await openReceiver(204), await openReceiver(204)];
    await stub.profile.createEndpoint({ url: aya.url });
    const { id } = await stub.profile.createEndpoint({ owner: 'user:2', url: koffi.url });
    const seen = (one: typeof aya) => bodiesOf(one).map(({ structure_id, annee }) => structure_id ?? `plan ${annee}`);
    const manage = (body: object) => call(stub, 'PATCH', '/manage/v1/cohesion/users/2', { token: stub.operatorToken, body });
    await stub.trigger('intervention.terminated', undefined, { on: 1 });
    await stub.trigger('intervention.terminated', undefined, { on: 2 });
    // A plan concerns no structure. A lecteur does not see it.
    await stub.trigger('plan.closed', undefined, { on: 2026 });
    expect([seen(aya), seen(koffi)]).toEqual([[1, 'plan 2026'], [2]]);

    expect((await manage({ active: false })).status).toBe(200);
    await stub.trigger('intervention.terminated', undefined, { on: 3 });
    expect(seen(koffi)).toEqual([2]);
    const skipped = { status: 'skipped', reason: 'owner_inactive', attempts: 0 };
    expect((await stub.profile.deliveries('user:2')).at(-1)).toMatchObject({ ...skipped, advice: expect.stringMatching(/./) });
    expect(await stub.profile.endpoints('user:2')).toMatchObject([{ id, active: false, disabled_reason: 'owner_inactive' }]);
    // Somebody else's list has none of it.
    expect((await stub.profile.deliveries()).map(({ url }) => url)).toEqual([aya.url, aya.url]);

    await manage({ active: true, structure_ids: [1] });
    await stub.trigger('intervention.suspended', { structure_id: 2 });
    await stub.trigger('intervention.suspended', { structure_id: 1 });
    expect([seen(aya), seen(koffi)]).toEqual([
      [1, 'plan 2026', 1],
      [2, 1],
    ]);
  });
});

describe('credentials of a partner', () => {
  test('a created key signs in as its account, and is gone after a reset', async () => {
    const stub = await openStub('pos', { seed: shops });
    const key = await stub.profile.createKey({ account: 'account:acc_bouake' });
    expect(key).toMatchObject({ owner: 'account:acc_bouake', plan: 'enterprise' });
    const token = await signIn(stub, key);
    const read = async (store: string) => (await call(stub, 'GET', `/api/v1/inventory?store_id=${store}`, { token })).status;
    expect([await read('BOUAKE'), await read('ADJAME')]).toEqual([200, 404]);
    expect((await stub.profile.createKey()).owner).toBe('account:acc_adjame');
    await stub.reset();
    await expect(signIn(stub, key)).rejects.toThrow('401');
  });

  test('a created token has its abilities and its time, within the perimeter of its user', async () => {
    const stub = await openStub('cohesion', { seed: regions, clock: '2026-03-01T08:00:00Z' });
    const made = await stub.profile.createToken({
      user: 2,
      name: 'tableau',
      abilities: ['read:structures'],
      structures: [2],
      expiresAt: '2026-03-02T08:00:00Z',
    });
    expect(made).toMatchObject({ owner: 'user:2', name: 'tableau', abilities: ['read:structures'], structures: [2] });
    const status = async (path: string) => (await call(stub, 'GET', `/api/v1/${path}`, { token: made.token })).status;
    expect([await status('structures'), await status('stats')]).toEqual([200, 403]);
    await stub.clock.advance('25h');
    expect(await status('structures')).toBe(401);
    expect(await stub.profile.createToken({ name: 'all' })).toMatchObject({ owner: 'user:1', structures: [1] });
    await expect(stub.profile.createToken({ name: 'wide', structures: [3] })).rejects.toThrow('outside');
  });
});

describe('owners', () => {
  test('of the stub’s credentials are those of its endpoints by default', async () => {
    const [pos, cohesion] = [await openStub('pos', { plan: 'pro' }), await openStub('cohesion')];
    expect(pos.credentials.owner).toBe('account:acc_demo_pro');
    expect(pos.credentials.accounts.map(({ owner }) => owner)).toContain('account:acc_demo_free');
    expect(cohesion.credentials.owner).toMatch(/^user:[1-9]\d*$/);
    for (const stub of [pos, cohesion]) {
      const { id, owner } = await stub.profile.createEndpoint({ url: 'http://127.0.0.1:9/hook' });
      expect(owner).toBe(stub.credentials.owner);
      expect((await stub.profile.endpoints()).map((one) => one.id)).toEqual([id]);
      expect(stub.endpoints.list()).toMatchObject([{ id, owner }]);
      await stub.endpoints.remove(id);
      expect(await stub.profile.endpoints()).toEqual([]);
    }
  });

  test('that do not exist are refused with the nearest', async () => {
    const stub = await openStub('pos', { seed: shops });
    const url = 'http://127.0.0.1:9/hook';
    const nearest = 'Did you mean account:acc_adjame? The owners are account:acc_adjame, account:acc_bouake.';
    await expect(stub.profile.createEndpoint({ owner: 'account:acc_adjamé', url })).rejects.toThrow(nearest);
    await expect(stub.endpoints.add({ owner: 'account:acc_adjame2', url })).rejects.toThrow(nearest);
    await expect(stub.profile.deliveries('account:acc_ajame')).rejects.toThrow(nearest);
    await expect(openStub('pos', { seed: shops, webhooks: [{ url, owner: 'account:acc_bouak' }] })).rejects.toThrow(
      'Did you mean account:acc_bouake?',
    );
    await expect(stub.profile.createEndpoint({ url, perimeter: ['BOUAKE'] })).rejects.toThrow('BOUAKE');
  });

  test('are in /_stub, and an event that the owner of --to may not see is skipped', async () => {
    const stub = await openStub('pos', { seed: shops, webhooks: [{ url: 'http://127.0.0.1:9/', owner: 'account:acc_bouake' }] });
    const adjame = await openReceiver(204);
    const post = (path: string, body: object) => call(stub, 'POST', `/_stub${path}`, { body });
    const to = { event: 'sale.completed', to: adjame.url, owner: 'account:acc_adjame' };
    const reason = async (on: string) => {
      const { body } = await post('/trigger', { ...to, on });
      const found = body.data[0].deliveries.filter(({ url }: { url: string }) => url === adjame.url);
      return found.map((one: { status: string; reason: string | null }) => one.reason ?? one.status);
    };
    expect([await reason('ADJAME'), await reason('BOUAKE')]).toEqual([['delivered'], ['not_visible']]);
    // One endpoint takes both, so that single events do not use up what an owner may have.
    expect(await stub.profile.endpoints('account:acc_adjame')).toHaveLength(1);
    await stub.endpoints.add({ url: adjame.url, owner: 'account:acc_adjame' });
    const shown = (await call(stub, 'GET', '/_stub')).body.data.endpoints.map(({ owner }: { owner: string }) => owner);
    expect(shown).toEqual(['account:acc_bouake', 'account:acc_adjame']);
    expect((await post('/trigger', { event: 'sale.completed', owner: 'account:acc_adjame' })).status).toBe(400);
  });
});

test('the commands take and show owners', async () => {
  const stub = await openStub('pos', { seed: shops });
  const [url, at] = ['http://127.0.0.1:9/hook', ['--at', stub.url]];
  const added = await runHere(['stub', 'endpoints', 'add', url, '--owner', 'account:acc_adjame', ...at]);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('all events  of account:acc_adjame  whsec_') });
  const refused = await runHere(['trigger', 'sale.completed', '--owner', 'account:acc_adjame', ...at]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('give --to too') });
});

describe('/profile/v1', () => {
  test('of a stub with a console belongs to the partner who signs in, and is in no journal', async () => {
    const stub = await openStub('pos', { seed: shops, console: true });
    const body = { api_key: 'pk_b', api_secret: 'sk_b' };
    const opened = await call(stub, 'POST', '/profile/v1/session', { body });
    expect([opened.status, opened.body.data.owner]).toEqual([201, 'account:acc_bouake']);
    const token = await signIn(stub);
    expect((await call(stub, 'GET', '/profile/v1/me', { token })).body.data.owner).toBe('account:acc_adjame');
    const page = await call(stub, 'GET', '/profile');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(stub.calls().map(({ path }) => path)).toEqual(['/api/auth']);
    expect((await call(stub, 'GET', '/docs/profile.json')).body.info.title).toContain('Profile');
  });

  test('and stub.profile show the same: an endpoint made in one is in the other, and is verified by its test', async () => {
    const stub = await openStub('pos', { seed: shops, console: true, clock: '2026-03-01T08:00:00Z' });
    const receiver = await openReceiver(204);
    const token = await signIn(stub);
    const own = (method: string, path: string, body?: object) => call(stub, method, `/profile/v1${path}`, { token, body });
    const made = await own('POST', '/endpoints', { url: receiver.url });
    expect(made.status).toBe(201);
    expect(await stub.profile.endpoints()).toMatchObject([{ id: made.body.data.id, disabled_reason: 'unverified' }]);
    await stub.trigger('sale.completed', undefined, { on: 'ADJAME' });
    expect(await stub.profile.deliveries()).toEqual([]);
    expect((await own('POST', `/endpoints/${made.body.data.id}/verify`)).body.data).toMatchObject({ verified: true });
    await stub.trigger('sale.completed', undefined, { on: 'ADJAME' });
    await stub.trigger('sale.completed', undefined, { on: 'BOUAKE' });
    const listed = (await own('GET', '/deliveries')).body.data.map(({ id }: { id: string }) => id);
    expect((await stub.profile.deliveries()).map(({ id }) => id)).toEqual(listed.toReversed());
    expect(receiver.received).toHaveLength(2);
    await stub.profile.createEndpoint({ owner: 'account:acc_bouake', url: receiver.url });
    expect((await own('GET', '/endpoints')).body.data).toHaveLength(1);
    expect((await own('GET', '/me')).status).toBe(200);
    expect((await own('GET', '/calls')).status).toBe(200);
    expect((await own('GET', '/keys')).body.data).toHaveLength(1);
  });

  test('opens by a link of the operator; a reset ends its sessions, but not those of the console', async () => {
    const stub = await openStub('pos', { seed: shops, console: true });
    const token = stub.operatorToken;
    const { body } = await call(stub, 'POST', '/manage/v1/profile-links', { token, body: { owner: 'account:acc_bouake' } });
    const link_secret = body.data.url.split('#link_secret=')[1];
    const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? '';
    const profile = cookieOf(await call(stub, 'POST', '/profile/v1/session', { body: { link_secret } }));
    const operator = cookieOf(await call(stub, 'POST', '/manage/v1/session', { body: { credential: token } }));
    const statuses = async () => [
      (await call(stub, 'GET', '/profile/v1/me', { headers: { cookie: profile } })).status,
      (await call(stub, 'GET', '/manage/v1/session', { headers: { cookie: operator } })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await stub.reset();
    expect(await statuses()).toEqual([401, 200]);
  });

  test('is not served without a console', async () => {
    const stub = await openStub('pos', { seed: shops });
    const body = { owner: 'account:acc_bouake' };
    const links = await call(stub, 'POST', '/manage/v1/profile-links', { token: stub.operatorToken, body });
    expect(links.status).toBe(404);
    expect((await call(stub, 'POST', '/profile/v1/session', { body: {} })).status).toBe(404);
    expect((await call(stub, 'GET', '/docs/profile.json')).status).toBe(404);
    expect((await call(stub, 'GET', '/profile')).status).toBe(404);
  });
});
