import { expect } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { newId } from '../../gateway/base/ids.ts';
import { hashSecret, newSecret } from '../../gateway/base/keyring.ts';
import type { Ability } from '../../gateway/store/tables/cohesion.ts';
import { abilityNames } from '../../gateway/store/tables/cohesion.ts';
import type { Owner } from '../../gateway/store/tables/webhooks.ts';
import type { buildTestApp, Method, TestGateway } from '../helper.ts';
import { cookieOf, openGateway as openForManage } from '../manage/harness.ts';

export { cookieOf, refusalOf } from '../manage/harness.ts';

/** The headers that the profile's page sends with each change. */
export const profileHeaders = { 'x-passerelle-profile': '1' };

/** A gateway without demo data whose callers can choose their address (`x-forwarded-for`). */
export const openGateway = (options: Parameters<typeof buildTestApp>[0] = {}) => openForManage(options);

/** No test depends on the day it runs. */
export const clockAt9 = () => new ManualClock(Date.UTC(2026, 10, 23, 9));

let made = 0;

/** A pos account with one API key. */
export async function makeAccount({ manage }: TestGateway, fields: object = {}) {
  const account = await created(manage('POST', '/pos/accounts', { name: `Boutique ${++made}`, plan: 'pro', ...fields }));
  const { api_key, api_secret } = await created(manage('POST', `/pos/accounts/${account.id}/keys`));
  return { id: account.id as string, name: account.name as string, keys: { api_key, api_secret } as Keys };
}

export interface Keys {
  api_key: string;
  api_secret: string;
}

/** A user of social cohesion with one token, which may do everything unless `token` says otherwise. */
export async function makeUser(gateway: TestGateway, token: object = {}) {
  const fields = { name: `Awa ${++made}`, role: 'gestionnaire', email: `user-${made}@example.org` };
  const user = await created(gateway.manage('POST', '/cohesion/users', fields));
  return { id: user.id as number, name: user.name as string, ...(await makeToken(gateway, user.id, token)) };
}

export async function makeToken({ manage }: TestGateway, userId: number, fields: object = {}) {
  const body = { name: 'Tableau de bord', abilities: [...abilityNames] as Ability[], structure_ids: null, ...fields };
  const { id, token } = await created(manage('POST', `/cohesion/users/${userId}/tokens`, body));
  return { tokenId: id as number, token: token as string };
}

async function created(reply: ReturnType<TestGateway['manage']>) {
  const { status, text, body } = await reply;
  expect(status, text).toBe(201);
  return body.data;
}

/** Stores a link. Returns its secret. */
export async function makeLink(
  { store, clock }: TestGateway,
  owner: Exclude<Owner, 'operator'>,
  { readOnly = false, minutes = 60 } = {},
): Promise<string> {
  const secret = newSecret('');
  const now = clock.now();
  const times = { created_at: now, expires_at: now + minutes * 60_000, used_at: null };
  const row = { id: newId('lnk'), secret_hash: hashSecret(secret), owner, read_only: readOnly, created_by: 'Issa', ...times };
  await store.append('profile_links', [row]);
  return secret;
}

/** The body of a sign-in. */
export type Credentials = Keys | { token: string } | { link_secret: string };

export const signIn = (gateway: TestGateway, credentials: Credentials, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/profile/v1/session', { body: credentials, headers });

/** Signs in. Returns a function that makes calls with the cookie, as the page does. */
export async function signedIn(gateway: TestGateway, credentials: Credentials) {
  const reply = await signIn(gateway, credentials);
  expect(reply.status, reply.text).toBe(201);
  const cookie = cookieOf(reply);
  const call = (method: Method, path: string, body?: unknown, headers: Record<string, string> = profileHeaders) =>
    gateway.call(method, `/profile/v1${path}`, { body, headers: { cookie, ...headers } });
  return Object.assign(call, { cookie });
}
