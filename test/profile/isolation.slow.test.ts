import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../gateway/base/ids.ts';
import type { Store } from '../../gateway/store/port.ts';
import { onMemoryAndPostgres } from '../every-store.ts';
import { forAllAsync } from '../for-all.ts';
import { type Method, stillClock } from '../helper.ts';
import { alert, rowOf } from '../store/rows.ts';
import { routesBelow } from './route-table.ts';
import { openWorld, type Partner, verified, type World } from './webhook-world.ts';

/** The ids that a call can name. */
interface Ids {
  owner: string;
  endpoint: string;
  delivery: string;
  recovery: string;
  event: string;
  subject: string;
  call: string;
  credential: string;
  marker: string;
}

interface Attempt {
  /** In place of the parameter of the path. */
  id?: string;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
}

type Attempts = (ids: Ids) => Attempt[];

const nothing: Attempts = () => [{}];
const ofEndpoint: Attempts = ({ endpoint }) => [{ id: endpoint }];
const ofDelivery: Attempts = ({ delivery }) => [{ id: delivery }];
const ofCall: Attempts = ({ call }) => [{ id: call }];
const isNumber = (id: string) => /^\d+$/.test(id);
const ofKey: Attempts = ({ credential }) =>
  isNumber(credential) && credential !== unknownIds.credential ? [] : [{ id: credential, body: {} }];
const ofRecovery: Attempts = ({ recovery }) => [{ id: recovery }];
const deliveryQueries =
  (fixed: Record<string, string> = {}): Attempts =>
  ({ endpoint, event, marker, subject, owner }) =>
    [{}, { endpoint_id: endpoint }, { event_id: event }, { q: marker }, { q: subject }, { owner }, { partner: marker }].map(
      (query) => ({ query: { ...fixed, ...query } }),
    );

const endpointQueries =
  (fixed: Record<string, string> = {}): Attempts =>
  ({ endpoint, marker, owner }) =>
    [{}, { q: marker }, { ids: endpoint }, { owner }, { partner: marker }].map((query) => ({ query: { ...fixed, ...query } }));

const callQueries =
  (fixed: Record<string, string> = {}): Attempts =>
  ({ marker, subject, credential, call }) =>
    [{}, { q: marker }, { q: subject }, { id: call }, ...(isNumber(credential) ? [{ token_id: credential }] : [])].map(
      (query) => ({ query: { ...fixed, ...query } }),
    );

/** How each route that a partner can reach is asked for what belongs to another one. A new route needs an entry. */
const coverage: Readonly<Record<string, Attempts>> = {
  // They are about the caller's own session.
  'POST /session': () => [],
  'GET /session': nothing,
  'DELETE /session': () => [],
  'GET /me': nothing,
  'GET /use': nothing,
  'GET /reference': nothing,
  'GET /tokens': nothing,
  'POST /tokens': ({ subject }) =>
    isNumber(subject) ? [{ body: { name: 'mine', abilities: ['read:stats'], structure_ids: [Number(subject)] } }] : [],
  'POST /tokens/:id/revoke': ({ credential }) => (isNumber(credential) ? [{ id: credential }] : []),
  'GET /keys': nothing,
  // It makes a key of the caller's own.
  'POST /keys': () => [],
  'POST /keys/:id/rotate': ofKey,
  'POST /keys/:id/revoke': ofKey,
  'GET /calls': callQueries(),
  'GET /calls/count': callQueries(),
  'GET /calls/export': callQueries({ format: 'jsonl' }),
  'GET /calls/:id': ofCall,
  'GET /endpoints': endpointQueries(),
  'GET /endpoints/count': endpointQueries(),
  'GET /endpoints/export': endpointQueries({ format: 'csv' }),
  'POST /endpoints': ({ owner, subject }) => [
    { body: { url: 'https://example.com/', owner } },
    { body: { url: 'https://example.com/', perimeter: [subject] } },
  ],
  'POST /endpoints/filter-preview': ({ owner, subject }) => {
    const filter = { event: { $exist: false } };
    return [{ body: { filter } }, { body: { filter, owner } }, { body: { filter, perimeter: [subject] } }];
  },
  'GET /endpoints/:id': ofEndpoint,
  'PATCH /endpoints/:id': ({ endpoint, subject }) => [
    { id: endpoint, body: { description: 'taken' } },
    { id: endpoint, body: { active: true } },
    { id: endpoint, body: { perimeter: [subject] } },
  ],
  'DELETE /endpoints/:id': ofEndpoint,
  'POST /endpoints/:id/verify': ofEndpoint,
  'POST /endpoints/:id/test': ({ endpoint }) => [
    { id: endpoint, body: { event_type: 'sale.completed' } },
    { id: endpoint, body: { event_type: 'nothing' } },
  ],
  'POST /endpoints/:id/rotate-secret': ({ endpoint }) => [{ id: endpoint, body: {} }],
  'GET /events': ({ event }) => [{}, { query: { limit: '500' } }, { query: { after: event } }],
  'GET /deliveries': deliveryQueries(),
  'GET /deliveries/count': deliveryQueries(),
  'GET /deliveries/export': deliveryQueries({ format: 'csv' }),
  'GET /attempts/export': deliveryQueries({ format: 'har' }),
  'GET /deliveries/:id': ofDelivery,
  'POST /deliveries/:id/resend': ofDelivery,
  'POST /deliveries/:id/skip': ofDelivery,
  'POST /deliveries/:id/diagnose': ({ delivery, marker }) => [
    { id: delivery, body: {} },
    { id: delivery, body: { body: marker, headers: {}, secret: 'whsec_b3RoZXI=' } },
  ],
  'GET /recoveries': nothing,
  'POST /recoveries': ({ owner, endpoint, event, marker, subject }) =>
    [{ owner }, { endpoint_id: endpoint }, { event_id: event }, { q: marker }, { q: subject }, {}].map((filter) => ({
      body: { dry_run: true, statuses: ['pending', 'failed', 'skipped'], ...filter },
    })),
  'GET /recoveries/:id': ofRecovery,
  'PATCH /recoveries/:id': ({ recovery }) => [
    { id: recovery, body: { pace: 1 } },
    { id: recovery, body: { status: 'paused' } },
    { id: recovery, body: { status: 'running' } },
    { id: recovery, body: { status: 'canceled' } },
  ],
  'GET /recoveries/:id/items': ofRecovery,
  'GET /alerts': nothing,
  // An address is known only to its partner: others may set the same, and see nothing of it.
  'PUT /alerts/address': () => [],
  'POST /alerts/address/confirm': () => [{ body: { secret_code: 'ABCDEFGH' } }],
  'DELETE /alerts/address': () => [],
  'GET /alerts/messages': ({ owner }) => [{}, { query: { owner } }],
  'GET /reasons': nothing,
  'GET /events/catalogue': nothing,
  'GET /receivers/:language': () => [{ id: 'python' }],
};

const uncovered = (routes: readonly string[]) => routes.filter((route) => !(route in coverage));

const unknownIds: Ids = {
  owner: 'account:acc_00000000000000000000000000000000',
  endpoint: 'ep_00000000000000000000000000000000',
  delivery: 'dlv_00000000000000000000000000000000',
  recovery: 'rcv_00000000000000000000000000000000',
  event: 'evt_00000000000000000000000000000000',
  subject: '799999',
  call: 'call_00000000000000000000000000000000',
  credential: '987654321',
  marker: 'nowhere-7',
};

const replyTo = (partner: Partner, route: string, { id, query = {}, body }: Attempt) => {
  const [method = '', path = ''] = route.split(' ');
  const given = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined);
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return partner.call(method as Method, path.replace(/:\w+/, encodeURIComponent(id ?? '')) + search, body);
};

/** A reply without times, and without the ids that were sent. */
function wordsOf(text: string, ids: Ids, attempt: Attempt): string {
  const plain = text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  const sent = Object.entries(ids).filter(([, id]) =>
    [JSON.stringify(id), `[${id}]`].some((one) => JSON.stringify(attempt).includes(one)),
  );
  return sent.reduce((shown, [name, id]) => shown.replace(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), name), plain);
}

/** Every text in the store that belongs to the partner alone: ids, URLs, bodies. Numbers are no marks: others have them too. */
async function marksOf(
  { gateway: { store } }: World,
  { owner, name, token }: Partner,
  secrets: readonly string[],
): Promise<string[]> {
  const endpoints = await store.list('endpoints', { where: { owner } });
  const id = { in: endpoints.map((endpoint) => endpoint.id) };
  const deliveries = await store.list('deliveries', { where: { endpoint_id: id } });
  const events = await store.list('events', { where: { id: { in: deliveries.map(({ event_id }) => event_id) } } });
  const keys = await store.list('api_keys', { where: { account_id: owner.slice('account:'.length) } });
  const recoveries = (await store.list('recoveries')).filter(({ filter }) => filter.owner === owner);
  const tokens = await store.list('tokens', { where: { user_id: Number(owner.slice('user:'.length)) || 0 } });
  const callers = [owner, ...tokens.map((one) => `token:${one.id}`)];
  const calls = await store.list('calls', { where: { caller: { in: callers } } });
  const [addresses, alerts] = [
    await store.list('partner_alert_addresses', { where: { owner } }),
    await store.list('alerts', { where: { about: owner } }),
  ];
  const rows = [...endpoints, ...deliveries, ...events, ...keys, ...recoveries, ...calls, ...alerts];
  return [
    name,
    token,
    owner,
    ...secrets,
    ...rows.map((row) => row.id),
    ...endpoints.map(({ url }) => url),
    ...addresses.map(({ address }) => address),
  ];
}

/** A partner with a row of every kind. `subject` is a store or structure that only this partner may see. */
async function furnished(world: World, partner: Partner, subject: string): Promise<{ ids: Ids; secrets: string[] }> {
  const { at, emit, gateway } = world;
  const isAccount = partner.owner.startsWith('account:');
  const tell = (marker: string) => (isAccount ? emit.stock(subject, marker) : emit.terminated(Number(subject), marker));
  const marker = `Marker of ${partner.name}`;
  const working = await verified(partner, at(`/${partner.name}`), { description: `Note of ${partner.name}` });
  const paused = await verified(partner, at(`/${partner.name}-paused`));
  await partner.data('PATCH', `/endpoints/${paused.id}`, { active: false });
  await partner.data('POST', '/endpoints', { url: at(`/refuse-${partner.name}`) });
  await tell(marker);
  await gateway.settled();
  const [delivery] = await partner.data('GET', `/deliveries?endpoint_id=${working.id}&q=Marker`);
  const recovery = await partner.data('POST', '/recoveries', { endpoint_id: paused.id, statuses: ['skipped'] });
  const path = isAccount ? '/pos/api/v1/inventory' : '/cohesion/api/v1/me';
  const made = await gateway.call('GET', path, { token: partner.token });
  const call = String(made.headers['x-request-id']);
  const [key] = await gateway.store.list('api_keys', { where: { account_id: partner.owner.slice('account:'.length) } });
  const [token] = isAccount
    ? []
    : await gateway.store.list('tokens', { where: { user_id: Number(partner.owner.slice('user:'.length)) } });
  const credential = key?.id ?? String(token?.id);
  await alerted(gateway, partner.owner, working.id);
  return {
    ids: {
      owner: partner.owner,
      endpoint: working.id,
      delivery: delivery.id,
      recovery: recovery.id,
      event: delivery.event_id,
      subject,
      call,
      credential,
      marker,
    },
    secrets: [working.secret, marker],
  };
}

/** An address of the partner, and an alert that was sent there. */
async function alerted({ store, clock }: World['gateway'], owner: Partner['owner'], endpoint: string): Promise<void> {
  const [alertId, now] = [newId('alt'), clock.now()];
  const address = `${owner.replace(':', '-')}@example.org`;
  const confirmed = { code_expires_at: now, code_attempts: 0, confirmed_at: now, created_at: now };
  await store.append('partner_alert_addresses', [
    rowOf('partner_alert_addresses', { owner, address, language: 'en', ...confirmed }),
  ]);
  const detail = { case: 'endpoint_failing', values: { endpoint, host: 'host', description: address } } as const;
  const ended = { open_key: alertId, page: '/', opened_at: now, resolved_at: now };
  await store.append('alerts', [alert(alertId, endpoint, { about: owner, message: address, detail, ...ended })]);
  const message = {
    id: newId('alm'),
    alert_id: alertId,
    channel_id: `adr_${owner}`,
    kind: 'opened',
    status: 'sent',
    attempts: 1,
  } as const;
  await store.append('alert_messages', [{ ...message, answer: '250 ok', due_at: now, created_at: now, sent_at: now }]);
}

/** Each asks of the other partner of its API, and accounts and users ask of each other in a ring. */
const asksOf = (one: Partner, other: Partner) =>
  one !== other && (one.owner[0] === other.owner[0] || one.name[0] === 'A' || other.name[0] === 'A');

const profileRoutes = ({ gateway }: World) => routesBelow(gateway.app, '/profile/v1');

test('every route that a partner can reach is covered here, and a new one would be missed', async () => {
  const world = await openWorld();
  const routes = profileRoutes(world);
  expect(routes).toContain('POST /endpoints/:id/verify');
  expect(uncovered(routes)).toEqual([]);
  expect(Object.keys(coverage).filter((route) => !routes.includes(route))).toEqual([]);
  expect(uncovered([...routes, 'GET /endpoints/:id/figures'])).toEqual(['GET /endpoints/:id/figures']);
});

async function asksForOthers(store: Store): Promise<void> {
  // It stands still: figures by the minute must be the same in both replies.
  const world = await openWorld({ store, clock: stillClock() });
  const { account, user, structure, signedIn, gateway } = world;
  for (const id of ['DEPOT-NORD', 'DEPOT-SUD', 'DEPOT-COMMUN']) await world.store(id);
  const [first, second, shared] = [
    await structure('Premier', 700001),
    await structure('Second', 700002),
    await structure('Commun', 700003),
  ];
  const partners: [Partner, string][] = [
    [await account('Aya Kone', ['DEPOT-NORD', 'DEPOT-COMMUN']), 'DEPOT-NORD'],
    [await account('Ben Diallo', ['DEPOT-SUD', 'DEPOT-COMMUN']), 'DEPOT-SUD'],
    [await user('Chief Toure', [first, shared]), String(first)],
    [await user('Dora Yao', [second, shared]), String(second)],
  ];
  const known = new Map<Partner, Awaited<ReturnType<typeof furnished>>>();
  for (const [partner, subject] of partners) known.set(partner, await furnished(world, partner, subject));
  const rowsOf = async () =>
    JSON.stringify([
      await gateway.store.list('endpoints', { order: [['id', 'asc']] }),
      await gateway.store.list('deliveries', { order: [['id', 'asc']] }),
      (await gateway.store.list('recoveries', { order: [['id', 'asc']] })).map(({ id, filter, pace }) => [id, filter, pace]),
      await gateway.store.list('api_keys', { order: [['id', 'asc']] }),
    ]);
  await gateway.settled();

  for (const [one] of partners) {
    // Reading with a session is not recorded: else the partner's own calls would name what it asks for.
    const partner = await signedIn(one);
    for (const [other, { ids, secrets }] of known) {
      if (!asksOf(one, other)) continue;
      const [before, marks] = [await rowsOf(), await marksOf(world, other, secrets)];
      for (const route of profileRoutes(world)) {
        const unknown = coverage[route]?.(unknownIds) ?? [];
        for (const [index, attempt] of (coverage[route]?.(ids) ?? []).entries()) {
          const asked = `${partner.name} asks ${route} ${JSON.stringify(attempt)}`;
          const [mine, theirs] = [await replyTo(partner, route, unknown[index] ?? {}), await replyTo(partner, route, attempt)];
          expect([asked, theirs.status, wordsOf(theirs.text, ids, attempt)]).toEqual([
            asked,
            mine.status,
            wordsOf(mine.text, unknownIds, unknown[index] ?? {}),
          ]);
          const sent = JSON.stringify(attempt);
          const leaked = marks.filter((mark) => !sent.includes(JSON.stringify(mark).slice(1, -1)) && theirs.text.includes(mark));
          expect([asked, leaked]).toEqual([asked, []]);
          // Accounts have no tokens, and users no keys.
          const isOtherService = theirs.body?.error?.code === 'other_service';
          if (route.includes(':id') && !isOtherService) expect([asked, theirs.status]).toEqual([asked, 404]);
        }
      }
      expect(await rowsOf()).toBe(before);
    }
  }
}

type Subjects = number[] | null;

/** A step of an owner (0 and 1 are accounts, 2 and 3 users), of an operator, or of the world. */
type Step =
  | { kind: 'perimeter'; who: number; subjects: Subjects }
  | { kind: 'state'; who: number; active: boolean; role: 'gestionnaire' | 'lecteur' }
  | { kind: 'endpoint'; who: number; narrow: Subjects }
  | { kind: 'pause' | 'resume' | 'move' | 'remove' | 'recover'; who: number }
  | { kind: 'event'; subject: number; ofUsers: boolean; unscoped: boolean };

const who = fc.nat(3);
const subjects = fc.option(fc.uniqueArray(fc.nat(2), { maxLength: 3 }), { freq: 4 });
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('endpoint' as const), who, narrow: subjects }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('perimeter' as const), who, subjects }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('state' as const),
        who,
        active: fc.boolean(),
        role: fc.constantFrom('gestionnaire' as const, 'lecteur' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('pause', 'resume', 'move', 'remove', 'recover'), who }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('event' as const),
        subject: fc.nat(2),
        ofUsers: fc.boolean(),
        unscoped: fc.boolean(),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 16 },
);

interface Owner {
  partner: Partner;
  subjects: Subjects;
  active: boolean;
  role: string;
}

/** A world with four owners, and a model of who may have seen which event. */
async function openModel(emptyStore: Store) {
  const world = await openWorld({ store: emptyStore });
  const { gateway, account, user, store, structure, signedIn, at, emit } = world;
  const stores = ['STORE-0', 'STORE-1', 'STORE-2'];
  for (const id of stores) await store(id);
  const structures = [await structure('Nord', 700000), await structure('Sud', 700001), await structure('Est', 700002)];
  const owners: Owner[] = [];
  for (const name of ['Aya Kone', 'Ben Diallo', 'Chief Toure', 'Dora Yao'])
    owners.push({
      partner: await (owners.length < 2 ? account(name) : user(name)),
      subjects: null,
      active: true,
      role: 'gestionnaire',
    });
  await gateway.manage('POST', '/endpoints', { service: 'pos', url: at('/operator-pos') });
  await gateway.manage('POST', '/endpoints', { service: 'cohesion', url: at('/operator-cohesion') });
  const seenBy = new Map<string, Set<Owner>>();
  /** Whether an owner may see the event as it is now. */
  const maySeeNow = new Map<string, (owner: Owner) => boolean>();
  const isUser = (owner: Owner) => owners.indexOf(owner) >= 2;
  const idsOf = (owner: Owner, chosen: Subjects) =>
    chosen === null ? null : chosen.map((one) => (isUser(owner) ? structures[one] : stores[one]));
  let made = 0;

  const change = async (owner: Owner) => {
    const id = owner.partner.owner.slice(owner.partner.owner.indexOf(':') + 1);
    const path = isUser(owner) ? `/cohesion/users/${id}` : `/pos/accounts/${id}`;
    const perimeter = { [isUser(owner) ? 'structure_ids' : 'store_ids']: idsOf(owner, owner.subjects) };
    const role = isUser(owner) ? { role: owner.role } : {};
    const reply = await gateway.manage('PATCH', path, { ...perimeter, ...role, active: owner.active });
    expect(reply.status, reply.text).toBe(200);
  };
  const newest = async ({ partner }: Owner) => (await partner.call('GET', '/endpoints')).body.data?.[0]?.id as string | undefined;
  const onNewest = async (owner: Owner, method: Method, path: string, body?: unknown) => {
    const id = await newest(owner);
    if (id !== undefined) await owner.partner.call(method, `/endpoints/${id}${path}`, body);
  };

  async function take(step: Step): Promise<void> {
    if (step.kind === 'event') return tell(step);
    const owner = owners[step.who] as Owner;
    const { partner } = owner;
    if (step.kind === 'perimeter') owner.subjects = step.subjects;
    if (step.kind === 'state') Object.assign(owner, { active: step.active, role: step.role });
    if (step.kind === 'perimeter' || step.kind === 'state') return change(owner);
    if (!owner.active) return undefined;
    if (step.kind === 'endpoint') {
      const perimeter = step.narrow?.length ? idsOf(owner, step.narrow)?.map(String) : null;
      const url = at(`/of-${owners.indexOf(owner)}-${++made}-end`);
      const reply = await partner.call('POST', '/endpoints', { url, perimeter });
      if (reply.status === 201) await partner.call('POST', `/endpoints/${reply.body.data.id}/verify`);
      return undefined;
    }
    if (step.kind === 'recover')
      await partner.call('POST', '/recoveries', { statuses: ['skipped', 'failed', 'pending'], pace: 1000 });
    else if (step.kind === 'remove') await onNewest(owner, 'DELETE', '');
    else if (step.kind === 'move') await onNewest(owner, 'PATCH', '', { url: at(`/of-${owners.indexOf(owner)}-${++made}-end`) });
    else await onNewest(owner, 'POST', `/${step.kind}`);
    return undefined;
  }

  async function tell({ subject, ofUsers, unscoped }: Extract<Step, { kind: 'event' }>): Promise<void> {
    const marker = `mark-${++made}-end`;
    const isUnscoped = ofUsers && unscoped;
    const maySee = (owner: Owner) => {
      if (isUser(owner) !== ofUsers) return false;
      return isUnscoped ? owner.role !== 'lecteur' : owner.subjects === null || owner.subjects.includes(subject);
    };
    seenBy.set(marker, new Set(owners.filter(maySee)));
    maySeeNow.set(marker, maySee);
    if (isUnscoped) await emit.report(marker);
    else if (ofUsers) await emit.terminated(structures[subject] as number, marker);
    else await emit.stock(stores[subject] as string, marker);
  }

  return { world, owners, seenBy, maySeeNow, take, change, signedIn };
}

async function changesAndEvents(emptyStore: () => Promise<Store>, numRuns: number): Promise<void> {
  await forAllAsync({ numRuns, endOnFailure: true }, [steps], async (taken) => {
    const { world, owners, seenBy, maySeeNow, take, change, signedIn } = await openModel(await emptyStore());
    const { gateway, to } = world;
    for (const step of taken) await take(step);
    await gateway.settled();

    // No delivery went to an owner who could not see its event.
    for (const { path, body } of to.received) {
      const [, index] = /^\/of-(\d)-/.exec(path) ?? [];
      for (const marker of body.match(/mark-\d+-end/g) ?? [])
        if (index !== undefined)
          expect([path, marker, seenBy.get(marker)?.has(owners[Number(index)] as Owner)]).toEqual([path, marker, true]);
    }

    // Nothing that an owner can read shows it either.
    const marksOfAll = new Map<Owner, string[]>();
    for (const owner of owners) marksOfAll.set(owner, await marksOf(world, owner.partner, []));
    const ofOperator = (await gateway.store.list('endpoints', { where: { owner: 'operator' } })).map(({ id }) => id);
    for (const owner of owners) {
      if (!owner.active) await change(Object.assign(owner, { active: true }));
      const rows = await gateway.store.list('events');
      const expectNothingElse = (text: string, maySee: (marker: string) => boolean | undefined) => {
        const isSeen = (body: string) => (body.match(/mark-\d+-end/g) ?? []).some(maySee);
        const events = new Set(rows.flatMap(({ id, body }) => (isSeen(body) ? [id] : [])));
        const foreign = owners
          .filter((one) => one !== owner)
          .flatMap((one) => marksOfAll.get(one) ?? [])
          .filter((mark) => !marksOfAll.get(owner)?.includes(mark) && !events.has(mark));
        const hidden = [...seenBy.keys()].filter((marker) => !maySee(marker));
        expect([...foreign, ...hidden, ...ofOperator, '/operator-'].filter((mark) => text.includes(mark))).toEqual([]);
      };
      const reader = await signedIn(owner.partner);
      for (const text of await everythingOf(world, reader, [...seenBy.keys()]))
        expectNothingElse(text, (marker) => seenBy.get(marker)?.has(owner));
      // Who catches up reads what it may see now, also what happened before.
      const { text } = await reader.call('GET', '/events?limit=500');
      expectNothingElse(text, (marker) => maySeeNow.get(marker)?.(owner));
    }
    // The next run has the same store.
    await gateway.close();
  });
}

onMemoryAndPostgres('isolation', (emptyStore, runs) => {
  test('what belongs to another partner is answered on every route as what does not exist', async () =>
    asksForOthers(await emptyStore()));

  test('owners, perimeters, endpoints and their changes: nobody gets or reads what is another’s', () =>
    changesAndEvents(emptyStore, runs));
});

/** The replies to everything that a partner can read but its feed of events: all lists, searches for each marker, counts, exports and own rows. */
async function everythingOf(world: World, partner: Partner, markers: readonly string[]): Promise<string[]> {
  const reading = profileRoutes(world).filter((route) => route.startsWith('GET '));
  const lists = reading.filter((route) => !route.includes(':') && route !== 'GET /events');
  const format = (route: string) => (route.endsWith('/export') ? { format: route.includes('attempts') ? 'har' : 'csv' } : {});
  const texts: string[] = [];
  for (const route of lists) {
    texts.push((await replyTo(partner, route, { query: format(route) })).text);
    for (const q of markers) {
      const { text, status } = await replyTo(partner, route, { query: { ...format(route), q } });
      // What was searched for may be repeated by a refusal only.
      texts.push(status === 200 ? text : '');
    }
  }
  for (const list of ['/endpoints', '/deliveries', '/recoveries'])
    for (const { id } of (await partner.call('GET', `${list}?limit=100`)).body.data)
      for (const route of reading.filter((one) => one.startsWith(`GET ${list}/:id`)))
        texts.push((await replyTo(partner, route, { id })).text);
  return texts;
}
