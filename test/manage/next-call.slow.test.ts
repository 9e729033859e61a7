import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { buildTestApp, type CallOptions, type Method, operatorToken, type Reply, type TestGateway } from '../helper.ts';
import * as partner from '../stubs/partner.ts';
import { consoleHeaders, cookieOf, makeOperator, signedIn, signIn } from './harness.ts';

/** A change through one operation of the manage API, and a call whose reply depends on the changed row. */
interface Change {
  params?: Record<string, string | number>;
  body?: unknown;
  /** Sent instead of the operator's token. */
  headers?: Record<string, string>;
  /** Made before the change, which warms every cache, and again after it with the reply to the change. */
  next(changed?: Reply): Promise<unknown>;
  before: unknown;
  after: unknown;
}

/** Signs in to a profile with the URL of a link. */
const openByLink = (call: TestGateway['call'], url = '#link_secret=none') =>
  call('POST', '/profile/v1/session', { body: { link_secret: url.split('#link_secret=')[1] } });

type Changes = (world: World) => Promise<Change[]>;
type World = ReturnType<typeof worldOf>;

/** POST operations that store nothing. */
const changesNothing = ['diagnoseDelivery', 'previewFilter', 'testAlertChannel'];

const statusAndCode = ({ status, body }: Reply) => (status < 300 ? status : [status, body.error?.code ?? body.message]);

/** The gateway and the rows that the changes below use. The clock stands still, so no cache entry expires by itself. */
function worldOf(gateway: TestGateway) {
  let made = 0;
  const { call, manage } = gateway;
  const make = async (path: string, body?: unknown) => {
    const reply = await manage('POST', path, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  };
  const name = (kind: string) => `${kind}-${++made}`;
  const read = async (path: string) => (await manage('GET', path)).body.data;
  const inventory = (token: string, storeId = gateway.demo.pos.stores[0]) =>
    call('GET', `/pos/api/v1/inventory?store_id=${storeId}`, { token });
  const cohesion = (method: Method, path: string, options: CallOptions = {}) =>
    call(method, `/cohesion/api/v1${path}`, { token: gateway.cohesionToken(), ...options });
  const issue = async ({ api_key, api_secret }: { api_key: string; api_secret: string }) =>
    (await call('POST', '/pos/api/auth', { body: { api_key, api_secret } })).body.token as string;
  const tokenBody = { name: 'mine', abilities: ['write:financements'], structure_ids: null };
  return {
    call,
    manage,
    gateway,
    make,
    name,
    read,
    inventory,
    cohesion,
    issue,
    store: gateway.store,
    async activeJobs() {
      const { text } = await gateway.call('GET', '/metrics');
      return Number(/queue_jobs\{state="active"\} (\d+)/.exec(text)?.[1]);
    },
    tokenBody,
    async account() {
      const { id } = await make('/pos/accounts', { name: name('account'), plan: 'pro' });
      const key = await make(`/pos/accounts/${id}/keys`);
      return { id, key, token: await issue(key) };
    },
    async user() {
      const { id } = await make('/cohesion/users', { name: 'Aya', role: 'lecteur', email: `${name('user')}@example.org` });
      const token = await make(`/cohesion/users/${id}/tokens`, tokenBody);
      return { id, tokenId: token.id as number, token: token.token as string };
    },
    async product() {
      const storeId = name('STORE');
      await make('/pos/stores', { id: storeId, name: 'Boutique', city: 'Abidjan' });
      const body = { product_id: 'RIZ', name: 'Riz', category: 'Vivres', price: 1, quantity: 10, low_threshold: 1 };
      return { storeId, body, put: () => manage('POST', `/pos/stores/${storeId}/products`, body) };
    },
    structure: () => make('/cohesion/structures', { nom: name('structure'), sigle: null, type: 'ong', region: 'Poro' }),
    intervention: async (...moves: string[]) => {
      const structure = await make('/cohesion/structures', { nom: name('structure'), sigle: null, type: 'ong', region: 'Poro' });
      const title = name('intervention');
      const reference = name('INT');
      const dates = { date_debut: null, date_fin: null, budget: null };
      const { id } = await make('/cohesion/interventions', {
        reference,
        intitule: title,
        structure_id: structure.id,
        annee: 2026,
        ...dates,
      });
      for (const move of moves) expect((await manage('POST', `/cohesion/interventions/${id}/${move}`)).status).toBe(200);
      const statut = async () => (await cohesion('GET', `/interventions?q=${title}`)).body.data[0]?.statut;
      return { params: { id }, next: statut };
    },
    indicator: () =>
      make('/cohesion/indicators', {
        code: name('IND'),
        intitule: name('indicator'),
        type: 'impact',
        unite: '%',
        cible_annuelle: 100,
        is_kpi: true,
      }),
    endpoint: (body: object = {}) => make('/endpoints', { service: 'pos', url: 'http://127.0.0.1:9/', ...body }),
    recovery: async (given: 'running' | 'paused' = 'running') => {
      const endpoint = await make('/endpoints', { service: 'pos', url: 'http://127.0.0.1:9/' });
      const { id } = await make('/recoveries', { endpoint_id: endpoint.id });
      const status = async () => (await read(`/recoveries/${id}`)).status;
      // A recovery of nothing ends at once. While the clock stands still, nothing ends it again.
      await expect.poll(status).toBe('done');
      await gateway.store.update('recoveries', { id }, { status: given, ended_at: null });
      return { params: { id }, next: status };
    },
  };
}

/** The list of the manage API has a row with the `field` of the body only after the change. */
const listed = ({ read }: World, path: string, field: string, body: Record<string, unknown>): Change[] => {
  const next = async () => (await read(`${path}?limit=100`)).some((row: Record<string, unknown>) => row[field] === body[field]);
  return [{ body, next, before: false, after: true }];
};

const pos: Record<string, Changes> = {
  createPosAccount: async (world) => listed(world, '/pos/accounts', 'name', { name: world.name('account'), plan: 'free' }),
  async updatePosAccount({ account, inventory }) {
    const [stopped, cheaper, confined] = [await account(), await account(), await account()];
    const change = (one: { id: string; token: string }, body: object) => ({ params: { id: one.id }, body });
    const status = (token: string) => async () => statusAndCode(await inventory(token));
    const limit = async () => (await inventory(cheaper.token)).headers['ratelimit-limit'];
    return [
      { ...change(stopped, { active: false }), next: status(stopped.token), before: 200, after: [401, 'account_inactive'] },
      { ...change(cheaper, { plan: 'free' }), next: limit, before: '1000', after: '100' },
      { ...change(confined, { store_ids: [] }), next: status(confined.token), before: 200, after: [404, 'not_found'] },
    ];
  },
  async createPosKey({ account, inventory, issue }) {
    const { id, token } = await account();
    const next = async (changed?: Reply) =>
      statusAndCode(await inventory(changed === undefined ? token : await issue(changed.body.data)));
    return [{ params: { id }, next, before: 200, after: 200 }];
  },
  async revokePosKey({ account, inventory }) {
    const { id, key, token } = await account();
    const next = async () => statusAndCode(await inventory(token));
    return [{ params: { id, api_key: key.api_key }, next, before: 200, after: [401, 'key_revoked'] }];
  },
  async createStore({ name, inventory, gateway }) {
    const token = await gateway.posToken();
    const id = name('STORE');
    const next = async () => statusAndCode(await inventory(token, id));
    return [{ body: { id, name: 'Boutique', city: 'Abidjan' }, next, before: [404, 'not_found'], after: 200 }];
  },
  async putProduct({ product, inventory, gateway }) {
    const token = await gateway.posToken();
    const { storeId, body } = await product();
    const next = async () => (await inventory(token, storeId)).body.data.items.length;
    return [{ params: { id: storeId }, body, next, before: 0, after: 1 }];
  },
  async restockStore({ product, inventory, gateway }) {
    const token = await gateway.posToken();
    const { storeId, put } = await product();
    await put();
    const next = async () => (await inventory(token, storeId)).body.data.items[0].quantity;
    return [{ params: { id: storeId }, body: { items: [{ product_id: 'RIZ', quantity: 5 }] }, next, before: 10, after: 15 }];
  },
  async synchronizeStore({ product, inventory, gateway }) {
    const token = await gateway.posToken();
    const { storeId, put } = await product();
    await put();
    const next = async () => (await inventory(token, storeId)).body.data.items[0].quantity;
    return [{ params: { id: storeId }, body: { items: [{ product_id: 'RIZ', quantity: 3 }] }, next, before: 10, after: 3 }];
  },
};

const cohesion: Record<string, Changes> = {
  createUser: async (world) =>
    listed(world, '/cohesion/users', 'email', { name: 'A', role: 'lecteur', email: `${world.name('u')}@example.org` }),
  async updateUser({ user, cohesion }) {
    const [stopped, promoted] = [await user(), await user()];
    const me = (token: string) => cohesion('GET', '/me', { token });
    const status = async () => (await me(stopped.token)).status;
    const role = async () => (await me(promoted.token)).body.data.user.role;
    return [
      { params: { id: stopped.id }, body: { active: false }, next: status, before: 200, after: 403 },
      { params: { id: promoted.id }, body: { role: 'admin' }, next: role, before: 'lecteur', after: 'admin' },
    ];
  },
  async createToken({ user, cohesion, tokenBody }) {
    const { id, token } = await user();
    const next = async (changed?: Reply) => (await cohesion('GET', '/me', { token: changed?.body.data.token ?? token })).status;
    return [{ params: { id }, body: tokenBody, next, before: 200, after: 200 }];
  },
  async revokeToken({ user, cohesion }) {
    const { tokenId, token } = await user();
    const next = async () => (await cohesion('GET', '/me', { token })).status;
    return [{ params: { id: tokenId }, next, before: 200, after: 401 }];
  },
  async createStructure({ name, cohesion }) {
    const nom = name('structure');
    const next = async () => (await cohesion('GET', `/structures?q=${nom}`)).body.meta.total;
    return [{ body: { nom, sigle: null, type: 'ong', region: 'Poro' }, next, before: 0, after: 1 }];
  },
  async updateStructure({ structure, user, cohesion }) {
    const { id } = await structure();
    const { token } = await user();
    const financing = {
      structure_id: id,
      exercice: 2026,
      bailleur: 'B',
      type: 'etat',
      intitule: 'I',
      montant: 1,
      statut: 'promis',
    };
    const next = async () => (await cohesion('POST', '/financements', { token, body: financing })).status;
    return [{ params: { id }, body: { active: false }, next, before: 201, after: 422 }];
  },
  async draftIntervention(world) {
    const { id } = await world.structure();
    const dates = { date_debut: null, date_fin: null, budget: null };
    const body = { reference: world.name('INT'), intitule: 'I', structure_id: id, annee: 2026, ...dates };
    return listed(world, '/cohesion/interventions', 'reference', body);
  },
  publishIntervention: async (world) => [{ ...(await world.intervention()), before: undefined, after: 'en_cours' }],
  suspendIntervention: async (world) => [{ ...(await world.intervention('publish')), before: 'en_cours', after: 'suspendu' }],
  resumeIntervention: async (world) => [
    { ...(await world.intervention('publish', 'suspend')), before: 'suspendu', after: 'en_cours' },
  ],
  terminateIntervention: async (world) => [{ ...(await world.intervention('publish')), before: 'en_cours', after: 'termine' }],
  validateIntervention: async (world) => [{ ...(await world.intervention('publish')), before: 'en_cours', after: 'approuve' }],
  async setIndicatorValue({ indicator, cohesion }) {
    const { id } = await indicator();
    const next = async () => (await cohesion('GET', `/indicateurs/${id}`)).body.data.valeur_courante;
    return [{ params: { id }, body: { valeur_courante: 70 }, next, before: 0, after: 70 }];
  },
  async updateIndicator({ indicator, cohesion }) {
    const { id } = await indicator();
    const next = async () => (await cohesion('GET', `/indicateurs/${id}`)).status;
    return [{ params: { id }, body: { active: false }, next, before: 200, after: 404 }];
  },
  async createIndicator({ name, cohesion }) {
    const intitule = name('indicator');
    const next = async () => (await cohesion('GET', `/indicateurs?q=${intitule}`)).body.meta.total;
    const body = { code: name('IND'), intitule, type: 'impact', unite: '%', cible_annuelle: 1, is_kpi: false };
    return [{ body, next, before: 0, after: 1 }];
  },
  openPlan: async (world) => listed(world, '/cohesion/plans', 'annee', { annee: 2098 }),
  async closePlan({ make, read }) {
    await make('/cohesion/plans', { annee: 2099 });
    const next = async () => (await read('/cohesion/plans?limit=1'))[0].statut;
    return [{ params: { annee: 2099 }, next, before: 'open', after: 'closed' }];
  },
  produceReport: async (world) => listed(world, '/cohesion/reports', 'titre', { annee: 2026, titre: world.name('report') }),
};

const operators: Record<string, Changes> = {
  async openSession({ call }) {
    const next = async (changed?: Reply) =>
      statusAndCode(await call('GET', '/manage/v1/session', { headers: changed ? { cookie: cookieOf(changed) } : {} }));
    return [{ body: { credential: operatorToken }, headers: {}, next, before: [401, 'token_missing'], after: 200 }];
  },
  async closeSession({ gateway }) {
    const session = await signedIn(gateway);
    const next = async () => statusAndCode(await session('GET', '/session'));
    return [{ headers: { cookie: session.cookie, ...consoleHeaders }, next, before: 200, after: [401, 'session_expired'] }];
  },
  async createOperator({ call, name }) {
    const next = async (changed?: Reply) =>
      (await call('GET', '/manage/v1/reasons', { token: changed?.body.data.credential ?? operatorToken })).status;
    return [{ body: { name: name('operator'), role: 'operator' }, next, before: 200, after: 200 }];
  },
  async updateOperator({ gateway, name, call }) {
    const made = [];
    for (let count = 0; count < 3; count++) made.push(await makeOperator(gateway, name('operator'), 'operator'));
    const [stopped, demoted, signedOut] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    const post = (token: string) => async () => (await call('POST', '/manage/v1/operators', { token, body: {} })).status;
    const session = await signedIn(gateway, signedOut.credential);
    const read = async () => (await session('GET', '/session')).status;
    return [
      { params: { id: stopped.id }, body: { active: false }, next: post(stopped.credential), before: 400, after: 401 },
      { params: { id: demoted.id }, body: { role: 'viewer' }, next: post(demoted.credential), before: 400, after: 403 },
      { params: { id: signedOut.id }, body: { active: false }, next: read, before: 200, after: 401 },
    ];
  },
  async rotateOperatorCredential({ gateway, name }) {
    const { id, credential } = await makeOperator(gateway, name('operator'), 'viewer');
    const next = async () => (await signIn(gateway, credential)).status;
    return [{ params: { id }, next, before: 201, after: 401 }];
  },
  async createProfileLink({ account, call }) {
    const { id } = await account();
    const next = async (changed?: Reply) => (await openByLink(call, changed?.body.data.url)).status;
    return [{ body: { owner: `account:${id}` }, next, before: 401, after: 201 }];
  },
  async revokeProfileLink({ account, make, call }) {
    const { id } = await account();
    const made = await make('/profile-links', { owner: `account:${id}` });
    const cookie = cookieOf(await openByLink(call, made.url));
    const next = async () => (await call('GET', '/profile/v1/session', { headers: { cookie } })).status;
    return [{ params: { id: made.id }, next, before: 200, after: 401 }];
  },
};

const webhooks: Record<string, Changes> = {
  createEndpoint: async (world) =>
    listed(world, '/endpoints', 'url', { service: 'pos', url: `http://127.0.0.1:9/${world.name('endpoint')}` }),
  async updateEndpoint({ endpoint, manage }) {
    const { id } = await endpoint();
    const next = async () => (await manage('POST', `/endpoints/${id}/test`, { event_type: 'sync.completed' })).status;
    return [{ params: { id }, body: { active: false }, next, before: 201, after: 409 }];
  },
  async removeEndpoint({ endpoint, manage }) {
    const { id } = await endpoint();
    return [{ params: { id }, next: async () => (await manage('GET', `/endpoints/${id}`)).status, before: 200, after: 404 }];
  },
  async rotateEndpointSecret({ endpoint, read }) {
    const { id } = await endpoint();
    return [{ params: { id }, body: {}, next: async () => (await read(`/endpoints/${id}`)).secrets.length, before: 1, after: 2 }];
  },
  async sendTestEvent({ endpoint, read }) {
    const { id } = await endpoint();
    const next = async () => (await read(`/deliveries?endpoint_id=${id}`)).length;
    return [{ params: { id }, body: { event_type: 'sync.completed' }, next, before: 0, after: 1 }];
  },
  async skipDelivery({ endpoint, product, manage, read, store, activeJobs }) {
    const { storeId } = await product();
    const { id: endpointId } = await endpoint({ perimeter: [storeId], ordered: true });
    expect((await manage('POST', `/pos/stores/${storeId}/sync`, {})).status).toBe(200);
    const [{ id }] = await read(`/deliveries?endpoint_id=${endpointId}`);
    // A delivery is not skipped while its attempt is under way.
    await expect.poll(async () => (await store.get('deliveries', { id }))?.attempts).toBe(1);
    await expect.poll(activeJobs).toBe(0);
    const blocking = { status: 'pending', attempts: 1, reason: 'status', order_key: endpointId } as const;
    await store.update('deliveries', { id }, { ...blocking, next_attempt_at: Date.UTC(2100, 0, 1) });
    const next = async () => (await read(`/deliveries?blocking=true&endpoint_id=${endpointId}`)).length;
    return [{ params: { id }, next, before: 1, after: 0 }];
  },
  async resendDelivery({ endpoint, product, manage, read }) {
    const { storeId } = await product();
    const { id: endpointId } = await endpoint({ perimeter: [storeId] });
    expect((await manage('POST', `/pos/stores/${storeId}/sync`, {})).status).toBe(200);
    const [{ id }] = await read(`/deliveries?endpoint_id=${endpointId}`);
    // The reason is `brought_forward`, and soon after the error of the attempt.
    const next = async () => (await read(`/deliveries/${id}`)).reason !== null;
    return [{ params: { id }, next, before: false, after: true }];
  },
  async createRecovery({ endpoint, read }) {
    const { id } = await endpoint();
    const next = async () => (await read('/recoveries?limit=100')).filter((one: Found) => one.filter.endpoint_id === id).length;
    return [{ body: { endpoint_id: id }, next, before: 0, after: 1 }];
  },
  async updateRecovery({ recovery, read }) {
    // A new recovery makes those that run go on, and end.
    const paused = await recovery('paused');
    const { params, next } = await recovery();
    const pace = async () => (await read(`/recoveries/${params.id}`)).pace;
    return [
      { params, body: { pace: 7 }, next: pace, before: 20, after: 7 },
      { params, body: { status: 'paused' }, next, before: 'running', after: 'paused' },
      { params, body: { status: 'canceled' }, next, before: 'paused', after: 'canceled' },
      // It may have ended already.
      {
        params: paused.params,
        body: { status: 'running' },
        next: async () => (await paused.next()) === 'paused',
        before: true,
        after: false,
      },
    ];
  },
};
type Found = { filter: { endpoint_id: string } };

const chat = (name: string) => ({ kind: 'slack', name, credential: 'http://127.0.0.1:9/hook' });

const alerts: Record<string, Changes> = {
  async createAlertChannel({ read, name }) {
    const next = async () => (await read('/alerts/channels')).length;
    return [{ body: chat(name('chat')), next, before: 0, after: 1 }];
  },
  async updateAlertChannel({ read, make, name }) {
    const { id } = await make('/alerts/channels', chat(name('chat')));
    const next = async () => (await read('/alerts/channels'))[0].active;
    return [{ params: { id }, body: { active: false }, next, before: true, after: false }];
  },
  async removeAlertChannel({ read, make, name }) {
    const { id } = await make('/alerts/channels', chat(name('chat')));
    const next = async () => (await read('/alerts/channels'))[0]?.id === id;
    return [{ params: { id }, next, before: true, after: false }];
  },
};

const changes = { ...pos, ...cohesion, ...operators, ...webhooks, ...alerts };

interface Operation {
  id: string;
  method: Method;
  path: string;
}

async function changingOperations(gateway: TestGateway): Promise<Operation[]> {
  const { paths } = (await gateway.call('GET', '/docs/manage.json')).body;
  return Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([method, { operationId }]) => ({ id: operationId, method: method.toUpperCase() as Method, path })),
  );
}

const filled = (path: string, params: Change['params'] = {}) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => String(params[name]));

test('the call after any change through the manage API obeys it, though every cache is warm; each change has one entry in the audit trail', async () => {
  const gateway = await buildTestApp({
    clock: new ManualClock(Date.UTC(2026, 10, 21, 9)),
    // While the clock stands still, deliveries wait for their first attempt.
    settings: { WEBHOOK_RETRY_SECONDS: '3600' },
  });
  const operations = await changingOperations(gateway);
  // A new operation needs an entry above.
  expect(operations.map(({ id }) => id).sort()).toEqual([...Object.keys(changes), ...changesNothing].sort());
  const world = worldOf(gateway);
  const secrets: string[] = [];
  for (const { id, method, path } of operations.filter((one) => !changesNothing.includes(one.id))) {
    for (const { next, before, after, ...change } of (await changes[id]?.(world)) ?? []) {
      expect(await next(), `${id}: before the change`).toEqual(before);
      const { body, headers } = change;
      const sender = headers ? { headers } : { token: operatorToken };
      const changed = await gateway.call(method, `/manage/v1${filled(path, change.params)}`, { body, ...sender });
      expect(changed.status, `${id}: ${changed.text}`).toBeLessThan(300);
      const callId = changed.headers['x-request-id'];
      const entries = await gateway.store.list('audit', { where: { call_id: String(callId) } });
      expect(entries, `${id}: its entry in the audit trail`).toMatchObject([{ action: id, ok: true, ip: '127.0.0.1' }]);
      secrets.push(...secretsIn(changed.body));
      expect(await next(changed), `${id}: after the change`).toEqual(after);
    }
  }
  expect(secrets.length).toBeGreaterThan(5);
  const trail = JSON.stringify(await gateway.store.list('audit'));
  expect(secrets.filter((secret) => trail.includes(secret))).toEqual([]);
});

/** The secrets that a reply shows. */
const secretsIn = (body: { data?: Record<string, unknown> } | undefined): string[] =>
  ['secret', 'credential', 'token', 'api_secret', 'url'].flatMap((name) => {
    const found = body?.data?.[name];
    const isSecret = name !== 'url' || String(found).includes('#link_secret=');
    return typeof found === 'string' && isSecret ? [found.replace(/.*#link_secret=/, '')] : [];
  });

test("the call after a stub's reset obeys the rows of its start", async () => {
  const stub = await partner.openStub('pos');
  const token = await partner.signIn(stub);
  const inventory = () => partner.call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  const manage = (method: string, path: string, body?: unknown) =>
    partner.call(stub, method, `/manage/v1/pos${path}`, { token: stub.operatorToken, body });
  for (const { id } of (await manage('GET', '/accounts')).body.data) await manage('PATCH', `/accounts/${id}`, { active: false });
  expect((await inventory()).status).toBe(401);
  await stub.reset();
  expect((await inventory()).status).toBe(200);
});
