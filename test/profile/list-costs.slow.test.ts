import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../gateway/store/port.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import type { TableName } from '../../gateway/store/tables/index.ts';
import type { Partner as Owner } from '../../gateway/store/tables/webhooks.ts';
import { stillClock } from '../helper.ts';
import { openEmptyPglite } from '../pglite.ts';
import { watchedPool } from '../store/plans.ts';
import { call, delivery, endpoint, event, idAt, tally, token, user } from '../store/rows.ts';
import { routesBelow } from './route-table.ts';
import { openWorld, type Partner } from './webhook-world.ts';

/** Of every kind, the rows of others. */
const foreign = 4000;
const ofOne = { endpoints: 3, each: 12 };
/** A page may look at so many rows: several times its own, and a fraction of the others'. */
const most = 500;

const listQueries: Readonly<Record<string, readonly string[]>> = {
  '/deliveries': ['', 'status=failed', 'status=skipped', 'reason=status', 'event_type=sale.completed', 'q=mine', 'q=nowhere'],
  '/deliveries/count': ['', 'status=failed', 'q=mine'],
  '/deliveries/export': ['format=csv', 'format=csv&q=mine'],
  '/attempts/export': ['format=har'],
  '/endpoints/count': ['', 'q=mine'],
  '/endpoints/export': ['format=csv'],
  '/endpoints': ['', 'state=held', 'state=disabled', 'q=mine', 'q=nowhere'],
  '/calls': ['', 'status=4xx', 'status=5xx', 'error_code=invalid_request', 'limited=true', 'q=mine', 'q=nowhere'],
  '/calls/count': ['', 'status=4xx', 'q=mine'],
  '/calls/export': ['format=csv', 'format=har&q=mine'],
  '/recoveries': ['', 'status=done', 'status=running'],
};

/** What an owner has, with ids of its own. */
function rowsOf(owner: Owner, { from, count, nowMs }: { from: number; count: number; nowMs: number }) {
  const [, id = ''] = owner.split(':');
  const service = owner.startsWith('account') ? 'pos' : 'cohesion';
  const caller = service === 'pos' ? owner : `token:${id}`;
  const serials = Array.from({ length: count }, (_, index) => from + index);
  const endpointOf = (serial: number) => idAt('ep', nowMs, from + (serial % ofOne.endpoints));
  const failed = (serial: number) => serial % 3 === 0;
  return {
    endpoints: serials
      .slice(0, ofOne.endpoints)
      .map((serial) => endpoint(idAt('ep', nowMs, serial), { owner, service, visible: { subjects: null, unscoped: true } })),
    events: serials.map((serial) =>
      event(idAt('evt', nowMs, serial), { service, body: `{"mine":${serial}}`, fanned_out_at: nowMs, created_at: nowMs }),
    ),
    deliveries: serials.map((serial) =>
      delivery(idAt('dlv', nowMs, serial), idAt('evt', nowMs, serial), endpointOf(serial), {
        status: failed(serial) ? 'failed' : 'delivered',
        reason: failed(serial) ? 'status' : null,
        attempts: 1,
        created_at: nowMs,
        updated_at: nowMs,
      }),
    ),
    calls: serials.map((serial) => call(nowMs, serial, { api: service, caller, status: failed(serial) ? 422 : 200 })),
    recoveries: serials.map((serial) => ({
      id: idAt('rcv', nowMs, serial),
      status: 'done' as const,
      filter: { statuses: ['failed' as const], owner },
      owner,
      pace: 1,
      total: 1,
      done: 1,
      position: null,
      created_at: nowMs,
      updated_at: nowMs,
      ended_at: nowMs,
    })),
    api_keys: (service === 'pos' ? serials : []).map((serial) => ({
      id: `pk_${serial}`,
      // The keys of all others have one account.
      account_id: id.startsWith('other-') ? 'other' : id,
      secret_hash: `${serial}`,
      created_at: nowMs,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    })),
    tallies: serials.map((serial) =>
      tally(`limit-${serial}`, { kind: 'limit', subject: caller, at: Math.floor(nowMs / 60_000) * 60_000, total: 1 }),
    ),
  };
}

type OwnedRows = ReturnType<typeof rowsOf>;

async function append(store: Store, all: readonly OwnedRows[]): Promise<void> {
  const add = (table: keyof OwnedRows) =>
    store.append<TableName, never>(table, all.flatMap((one): object[] => one[table]) as never);
  for (const table of Object.keys(all[0] ?? {})) await add(table as keyof OwnedRows);
}

/** Two partners beside many others, on PGlite, and what their pages read there. */
async function crowdedWorld() {
  const pglite = await openEmptyPglite();
  const { pool, readingOf } = watchedPool(pglite);
  const store = await openSqlStore(pool);
  onTestFinished(() => store.close());
  const clock = stillClock();
  const nowMs = clock.now();
  const world = await openWorld({ store, clock });
  const partners = [await world.account('Aya'), await world.user('Mariam')];
  const mine = { count: ofOne.each, nowMs };
  const own = partners.map(({ owner }, index) => rowsOf(owner, { ...mine, from: index * 100 }));
  const each = 20;
  const others = Array.from({ length: foreign / each }, (_, index) =>
    rowsOf(`${index % 2 ? 'user:' : 'account:other-'}${1000 + index}` as Owner, {
      from: 1000 + index * each,
      count: each,
      nowMs,
    }),
  );
  const account = { id: 'other', name: 'Other', plan: 'free', store_ids: null, active: true, created_at: nowMs } as const;
  await store.append('accounts', [account]);
  await append(store, [...own, ...others]);
  await store.insert('users', [user('other@example.com', { id: 1000 })]);
  await store.insert(
    'tokens',
    Array.from({ length: foreign }, (_, index) => ({ ...token(`hash-${index}`, null), user_id: 1000 })),
  );
  const session = {
    credential: 'link:x',
    read_only: false,
    created_at: nowMs,
    expires_at: nowMs * 2,
    last_seen_at: nowMs,
    ip: '',
  };
  await store.append(
    'profile_sessions',
    Array.from({ length: foreign }, (_, index) => ({ ...session, id_hash: `${index}`, owner: `user:${1000 + index}` }) as never),
  );
  const client = await pglite.connect();
  await client.query('analyze', []);
  client.release();
  return { ...world, partners, readingOf };
}

/** The pages of a partner: its lists with their filters, and what is read by the id of an own row. */
async function pagesOf(partner: Partner, routes: readonly string[]): Promise<string[]> {
  const pages: string[] = [];
  for (const route of routes.filter((one) => one.startsWith('GET '))) {
    const path = route.slice('GET '.length);
    const [, list = ''] = /^(.*)\/:\w+/.exec(path) ?? [];
    if (list === '') pages.push(...(listQueries[path] ?? ['']).map((query) => (query === '' ? path : `${path}?${query}`)));
    else if (['/endpoints', '/deliveries', '/calls', '/recoveries'].includes(list))
      pages.push(path.replace(/:\w+/, (await partner.data('GET', list))[0].id));
  }
  return pages;
}

test('what a page of a partner reads does not grow with the rows of others', async () => {
  const { gateway, partners, readingOf } = await crowdedWorld();
  const routes = routesBelow(gateway.app, '/profile/v1');
  for (const partner of partners) {
    const pages = await pagesOf(partner, routes);
    expect(pages.length).toBeGreaterThan(30);
    for (const page of pages) {
      const reply = await partner.call('GET', page);
      // A user has no keys, and an account no tokens.
      if (reply.body?.error?.code === 'other_service') continue;
      if (page !== '/session') expect([page, reply.status]).toEqual([page, 200]);
      const { rows, by } = await readingOf(() => partner.call('GET', page));
      expect([page, rows > most ? by.slice(0, 2) : []]).toEqual([page, []]);
    }
  }
});
