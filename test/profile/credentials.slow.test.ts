import { describe, expect, test } from 'vitest';
import type { TestGateway } from '../helper.ts';
import {
  clockAt9,
  type Keys,
  makeAccount,
  makeLink,
  makeToken,
  makeUser,
  openGateway,
  profileHeaders,
  refusalOf,
  signedIn,
  signIn,
} from './harness.ts';

const hourMs = 3_600_000;
const newToken = { name: 'mine', abilities: ['read:stats'], structure_ids: null };

async function structure({ manage }: TestGateway, nom: string): Promise<number> {
  return (await manage('POST', '/cohesion/structures', { nom, sigle: null, type: 'ong', region: 'Poro' })).body.data.id;
}

describe('tokens', () => {
  test('a user creates a token, which is shown once and works, sees its use, and revokes it', async () => {
    const gateway = await openGateway();
    const user = await makeUser(gateway);
    const call = await signedIn(gateway, { token: user.token });
    const made = await call('POST', '/tokens', newToken);
    expect([made.status, made.body.data]).toMatchObject([201, { ...newToken, user_id: user.id, last_used_at: null }]);
    const me = () => gateway.call('GET', '/cohesion/api/v1/me', { token: made.body.data.token });
    expect((await me()).status).toBe(200);
    const listed = (await call('GET', '/tokens')).body.data;
    expect(listed.map(({ id }: { id: number }) => id)).toEqual([made.body.data.id, user.tokenId]);
    expect(listed[0]).toMatchObject({ last_used_at: expect.any(String), last_used_ip: '127.0.0.1' });
    expect(JSON.stringify(listed)).not.toContain(made.body.data.token.split('|')[1]);
    expect((await call('POST', `/tokens/${made.body.data.id}/revoke`)).body.data.revoked_at).not.toBe(null);
    expect((await me()).status).toBe(401);
    // The audit trail names the user, and no secret.
    const trail = await gateway.store.list('audit', { where: { operator: `user:${user.id}` }, order: [['id', 'asc']] });
    expect(trail.map(({ action }) => action)).toEqual(['openProfileSession', 'createProfileToken', 'revokeProfileToken']);
    expect(JSON.stringify(trail)).not.toContain(made.body.data.token.split('|')[1]);
  });

  test('what the abilities, the structures and the expiry may be', async () => {
    const gateway = await openGateway();
    const user = await makeUser(gateway);
    const [own, other] = [await structure(gateway, 'A'), await structure(gateway, 'B')];
    await gateway.store.update('users', { id: user.id }, { structure_ids: [own] });
    const call = await signedIn(gateway, { link_secret: await makeLink(gateway, `user:${user.id}`) });
    const status = async (fields: object) => refusalOf(await call('POST', '/tokens', { ...newToken, ...fields }));
    expect(await status({ structure_ids: [own] })).toEqual([201, undefined]);
    expect(await status({ structure_ids: null })).toEqual([201, undefined]);
    expect(await status({ structure_ids: [own, other] })).toEqual([403, 'outside_perimeter']);
    // One that does not exist is refused in the same words as one of somebody else.
    const messageOf = async (id: number) =>
      (await call('POST', '/tokens', { ...newToken, structure_ids: [id] })).body.error.message.replace(id, 'N');
    expect(await messageOf(999)).toBe(await messageOf(other));
    expect(await status({ abilities: ['write:everything'] })).toEqual([400, 'invalid_request']);
    expect(await status({ expires_at: '2020-01-01T00:00:00Z' })).toEqual([400, 'future']);
    expect(await status({ owner: 'user:1' })).toEqual([400, 'invalid_request']);
  });

  test('a token that leaked makes no stronger one, and revokes none', async () => {
    const clock = clockAt9();
    const gateway = await openGateway({ clock });
    const strong = await makeUser(gateway);
    const [inside, outside] = [await structure(gateway, 'A'), await structure(gateway, 'B')];
    const expires_at = new Date(clock.now() + 48 * hourMs).toISOString();
    const weak = await makeToken(gateway, strong.id, { abilities: ['read:stats'], structure_ids: [inside], expires_at });
    const call = await signedIn(gateway, { token: weak.token });
    const as = { ...newToken, structure_ids: [inside], expires_at };
    const stronger: [string, object][] = [
      ['more abilities', { abilities: ['read:stats', 'write:financements'] }],
      ['all structures', { structure_ids: null }],
      ['no expiry', { expires_at: null }],
      ['a later expiry', { expires_at: new Date(clock.now() + 49 * hourMs).toISOString() }],
    ];
    for (const [what, fields] of stronger)
      expect([what, ...refusalOf(await call('POST', '/tokens', { ...as, ...fields }))]).toEqual([what, 403, 'stronger_token']);
    expect(refusalOf(await call('POST', '/tokens', { ...as, structure_ids: [outside] }))).toEqual([403, 'outside_perimeter']);
    // The same as a bearer credential.
    const bearer = await gateway.call('POST', '/profile/v1/tokens', { token: weak.token, body: { ...as, expires_at: null } });
    expect(refusalOf(bearer)).toEqual([403, 'stronger_token']);
    expect(refusalOf(await call('POST', `/tokens/${strong.tokenId}/revoke`))).toEqual([403, 'stronger_token']);
    const equal = await call('POST', '/tokens', as);
    expect(equal.status).toBe(201);
    expect((await call('POST', `/tokens/${equal.body.data.id}/revoke`)).status).toBe(200);
    // Its own owner revokes the leaked one with the stronger token.
    const owner = await signedIn(gateway, { token: strong.token });
    expect((await owner('POST', `/tokens/${weak.tokenId}/revoke`)).status).toBe(200);
    expect(refusalOf(await call('GET', '/tokens'))).toEqual([401, 'session_expired']);
  });

  test("a narrower perimeter of the user bounds the writes of the user's tokens from the next call on", async () => {
    const gateway = await openGateway();
    const user = await makeUser(gateway);
    const [one, two] = [await structure(gateway, 'A'), await structure(gateway, 'B')];
    const write = async (structure_id: number) => {
      const amount = { exercice: 2026, bailleur: 'B', type: 'etat', intitule: 'I', montant: 1, statut: 'promis' };
      const body = { ...amount, structure_id };
      return (await gateway.call('POST', '/cohesion/api/v1/financements', { token: user.token, body })).status;
    };
    expect([await write(one), await write(two)]).toEqual([201, 201]);
    await gateway.services.store.update('users', { id: user.id }, { structure_ids: [one] });
    expect([await write(one), await write(two)]).toEqual([201, 403]);
  });
});

describe('API keys', () => {
  const issue = async (gateway: TestGateway, keys: Keys) =>
    gateway.call('POST', '/pos/api/auth', { body: { api_key: keys.api_key, api_secret: keys.api_secret } });

  test('an account creates and rotates keys: both work during the overlap, and then the new one only', async () => {
    const clock = clockAt9();
    const gateway = await openGateway({ clock });
    const { id, keys } = await makeAccount(gateway);
    const call = await signedIn(gateway, keys);
    const rotated = await call('POST', `/keys/${keys.api_key}/rotate`, { overlap_hours: 0.5 });
    expect([rotated.status, rotated.body.data]).toMatchObject([
      201,
      { account_id: id, expires_at: null, replaced: { api_key: keys.api_key, expires_at: '2026-11-23T09:30:00.000Z' } },
    ]);
    const { token, expires_in } = (await issue(gateway, keys)).body;
    // A token ends no later than its key.
    expect(expires_in).toBe(1800);
    const inventory = () => gateway.call('GET', '/pos/api/v1/inventory?store_id=none', { token });
    expect((await inventory()).status).toBe(404);
    expect((await issue(gateway, rotated.body.data)).status).toBe(200);
    expect(refusalOf(await call('POST', `/keys/${keys.api_key}/rotate`, {}))).toEqual([409, 'key_ended']);
    await clock.advance(hourMs / 2);
    expect((await inventory()).status).toBe(401);
    expect((await issue(gateway, keys)).status).toBe(401);
    expect((await issue(gateway, rotated.body.data)).status).toBe(200);
    expect(refusalOf(await call('GET', '/keys'))).toEqual([401, 'session_expired']);
    const after = await signedIn(gateway, asKeys(rotated.body.data));
    expect((await after('GET', '/keys')).body.data.length).toBe(2);
  });

  const asKeys = ({ api_key, api_secret }: Keys): Keys => ({ api_key, api_secret });

  test('a token that was issued before the rotation ends with its key', async () => {
    const clock = clockAt9();
    const gateway = await openGateway({ clock });
    const { keys } = await makeAccount(gateway);
    const { token } = (await issue(gateway, keys)).body;
    const call = await signedIn(gateway, keys);
    await call('POST', `/keys/${keys.api_key}/rotate`, { overlap_hours: 0 });
    const reply = await gateway.call('GET', '/pos/api/v1/inventory?store_id=none', { token });
    expect(refusalOf(reply)).toEqual([401, 'key_expired']);
  });

  test('the last key and the key of the session are revoked only when confirmed', async () => {
    const gateway = await openGateway();
    const { id, keys } = await makeAccount(gateway);
    const call = await signedIn(gateway, keys);
    expect(refusalOf(await call('POST', `/keys/${keys.api_key}/revoke`, {}))).toEqual([409, 'confirm_needed']);
    const byLink = await signedIn(gateway, { link_secret: await makeLink(gateway, `account:${id}`) });
    expect(refusalOf(await byLink('POST', `/keys/${keys.api_key}/revoke`, {}))).toEqual([409, 'confirm_needed']);
    const other = (await call('POST', '/keys')).body.data;
    expect(refusalOf(await call('POST', `/keys/${keys.api_key}/revoke`, {}))).toEqual([409, 'confirm_needed']);
    expect((await call('POST', `/keys/${other.api_key}/revoke`, {})).status).toBe(200);
    expect((await call('POST', `/keys/${other.api_key}/revoke`, {})).status).toBe(200);
    expect((await call('POST', `/keys/${keys.api_key}/revoke`, { confirm: true })).status).toBe(200);
    expect(refusalOf(await call('GET', '/keys'))).toEqual([401, 'session_expired']);
    expect((await signIn(gateway, keys)).status).toBe(401);
  });

  test('a body is optional, also with the header of JSON; fields that do not exist are refused', async () => {
    const gateway = await openGateway();
    const { keys } = await makeAccount(gateway);
    const call = await signedIn(gateway, keys);
    const path = `/keys/${keys.api_key}`;
    for (const [url, body] of [
      ['/keys', { name: 'Till' }],
      [`${path}/rotate`, { overlap: 1 }],
      [`${path}/revoke`, { confirmed: true }],
    ] as const)
      expect(refusalOf(await call('POST', url, body))).toEqual([400, 'invalid_request']);
    const json = { ...profileHeaders, 'content-type': 'application/json' };
    for (const headers of [profileHeaders, json]) {
      const { status, body } = await call('POST', '/keys', undefined, headers);
      expect(status).toBe(201);
      expect((await call('POST', `/keys/${body.data.api_key}/rotate`, undefined, headers)).status).toBe(201);
      expect((await call('POST', `/keys/${body.data.api_key}/revoke`, undefined, headers)).status).toBe(200);
    }
  });

  test('a token of an hour does not turn into a key', async () => {
    const gateway = await openGateway();
    const { keys } = await makeAccount(gateway);
    const { token } = (await issue(gateway, keys)).body;
    const call = (path: string, body?: unknown) => gateway.call('POST', `/profile/v1/keys${path}`, { token, body });
    for (const reply of [await call(''), await call(`/${keys.api_key}/rotate`, {}), await call(`/${keys.api_key}/revoke`, {})])
      expect(refusalOf(reply)).toEqual([403, 'secret_needed']);
    expect((await gateway.call('GET', '/profile/v1/keys', { token })).body.data.length).toBe(1);
  });

  test('an account has at most 20 keys that can be used', async () => {
    const gateway = await openGateway();
    const { keys } = await makeAccount(gateway);
    const call = await signedIn(gateway, keys);
    for (let count = 1; count < 20; count++) expect((await call('POST', '/keys')).status).toBe(201);
    expect(refusalOf(await call('POST', '/keys'))).toEqual([409, 'too_many_keys']);
    expect(refusalOf(await call('POST', `/keys/${keys.api_key}/rotate`, {}))).toEqual([409, 'too_many_keys']);
  });
});

test('a user has no keys, and an account no tokens', async () => {
  const gateway = await openGateway();
  const user = await signedIn(gateway, { token: (await makeUser(gateway)).token });
  const account = await signedIn(gateway, (await makeAccount(gateway)).keys);
  expect(refusalOf(await user('GET', '/keys'))).toEqual([403, 'other_service']);
  expect(refusalOf(await account('POST', '/tokens', newToken))).toEqual([403, 'other_service']);
});
