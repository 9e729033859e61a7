import { expect } from 'vitest';
import { interventionTerminated, reportReady } from '../../gateway/api/cohesion/events.ts';
import { inventoryLow } from '../../gateway/api/pos/events.ts';
import { buildTestApp, type CallOptions, type Method, type Reply, type TestGateway } from '../helper.ts';
import { until } from '../webhooks/harness.ts';
import { type Receiver, receiver } from '../webhooks/receiver.ts';
import { type Credentials, makeAccount, makeToken, profileHeaders, signedIn } from './harness.ts';

export interface Partner {
  owner: `account:${string}` | `user:${number}`;
  name: string;
  /** What it sends as `Authorization: Bearer`. */
  token: string;
  /** What it signs in with. */
  credentials: Credentials;
  /** Calls `/profile/v1` with its token. */
  call(method: Method, path: string, body?: unknown): Promise<Reply>;
  /** Calls `/profile/v1`, and returns `data` of a reply with 2xx. */
  data(method: Method, path: string, body?: unknown): ReturnType<JSON['parse']>;
}

/** A gateway, and a receiver that answers by the path: `/refuse` with 401, `/gone` with 410, all others with 200. */
export async function openWorld(options: Parameters<typeof buildTestApp>[0] = {}) {
  const gateway = await buildTestApp({ demo: false, ...options });
  const to = await receiver((response, { path }) => response.writeHead(statusOf(path)).end(`answer of ${path}`));
  const at = (path: string) => to.url.replace('/hook', path);
  return { gateway, to, at, ...makersOf(gateway), emit: emittersOf(gateway) };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

const statusOf = (path: string) => (path.startsWith('/refuse') ? 401 : path.startsWith('/gone') ? 410 : 200);

function makersOf(gateway: TestGateway) {
  const make = async (path: string, body?: unknown) => {
    const reply = await gateway.manage('POST', path, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  };
  const partner = (who: Omit<Partner, 'call' | 'data'>, auth: CallOptions = { token: who.token }): Partner => {
    const call: Partner['call'] = (method, path, body) => gateway.call(method, `/profile/v1${path}`, { ...auth, body });
    const data: Partner['data'] = async (method, path, body) => {
      const reply = await call(method, path, body);
      expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
      return reply.body.data;
    };
    return { ...who, call, data };
  };
  return {
    make,
    store: (id: string) => make('/pos/stores', { id, name: `Boutique ${id}`, city: 'Abidjan' }),
    /** With an id that no other number in a reply equals. */
    async structure(nom: string, id?: number): Promise<number> {
      const [row] = await gateway.store.insert('structures', [
        {
          ...(id === undefined ? {} : { id }),
          nom,
          sigle: null,
          type: 'ong',
          region: 'Poro',
          active: true,
          created_at: 1,
          search: nom.toLowerCase(),
          region_search: 'poro',
        },
      ]);
      return (row as { id: number }).id;
    },
    async account(name: string, storeIds: string[] | null = null): Promise<Partner> {
      const { id, keys } = await makeAccount(gateway, { name, plan: 'enterprise', store_ids: storeIds });
      const reply = await gateway.call('POST', '/pos/api/auth', { body: keys });
      return partner({ owner: `account:${id}`, name, token: reply.body.token, credentials: keys });
    },
    async user(name: string, structureIds: number[] | null = null, more: object = {}): Promise<Partner> {
      const email = `${name.toLowerCase().replaceAll(' ', '-')}@example.org`;
      const { id } = await make('/cohesion/users', { name, email, role: 'gestionnaire', structure_ids: structureIds, ...more });
      const { token } = await makeToken(gateway, id);
      return partner({ owner: `user:${id}`, name, token, credentials: { token } });
    },
    /** The same user with a token of its own. */
    async withToken({ owner, name }: Partner, fields: object): Promise<Partner> {
      const { token } = await makeToken(gateway, Number(owner.slice('user:'.length)), fields);
      return partner({ owner, name, token, credentials: { token } });
    },
    /** The same partner with a session, as the page has one. */
    async signedIn(who: Partner): Promise<Partner> {
      const { cookie } = await signedIn(gateway, who.credentials);
      return partner(who, { headers: { cookie, ...profileHeaders } });
    },
  };
}

/** Emit one event each, whose body has the marker in it. */
const emittersOf = ({ services }: TestGateway) => ({
  stock: (storeId: string, marker: string) =>
    services.change(async ({ emit }) => {
      const data = { ...inventoryLow.example, store_id: storeId, name: marker };
      emit(inventoryLow, { subject: storeId, data });
    }),
  terminated: (structureId: number, marker: string) =>
    services.change(async ({ emit }) => {
      const data = { ...interventionTerminated.example, structure_id: structureId, intitule: marker };
      emit(interventionTerminated, { subject: String(structureId), data });
    }),
  report: (marker: string) =>
    services.change(async ({ emit }) => emit(reportReady, { subject: null, data: { ...reportReady.example, titre: marker } })),
});

/** Creates an endpoint and verifies it. */
export async function verified(partner: Partner, url: string, fields: object = {}) {
  const { id, secret } = await partner.data('POST', '/endpoints', { url, ...fields });
  const { verified, says, endpoint } = await partner.data('POST', `/endpoints/${id}/verify`);
  expect(verified, says).toBe(true);
  return { ...endpoint, secret };
}

/** Waits until the partner has so many deliveries in the list, and returns them, newest first. */
export const deliveriesOf = (partner: Partner, query: string, count: number) =>
  until(async () => {
    const found = await partner.data('GET', `/deliveries?limit=100&${query}`);
    expect(found).toHaveLength(count);
    return found;
  });

export const bodiesAt = ({ received }: Receiver, path: string): string[] =>
  received.filter((one) => one.path === path).map(({ body }) => body);
