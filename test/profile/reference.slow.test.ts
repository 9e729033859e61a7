import { expect, test } from 'vitest';
import type { OpenApi } from '../../spec/openapi/document.ts';
import type { TestGateway } from '../helper.ts';
import { clockAt9, makeAccount, makeToken, makeUser, openGateway, profileHeaders, signedIn } from './harness.ts';

/** The examples of parameters and bodies in a document, by operation. */
function examplesOf({ paths }: OpenApi): Record<string, unknown> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return Object.fromEntries(
    operations.map(({ operationId, parameters = [], requestBody }) => {
      const content = requestBody?.content?.['application/json'] as { example?: unknown } | undefined;
      const filled = (parameters as { name: string; example?: unknown }[]).filter(({ example }) => example !== undefined);
      const ofParameters = Object.fromEntries(filled.map(({ name, example }) => [name, example]));
      return [operationId, { ...ofParameters, ...(content?.example as object) }];
    }),
  );
}

async function structure({ manage }: TestGateway, nom: string): Promise<number> {
  return (await manage('POST', '/cohesion/structures', { nom, sigle: null, type: 'ong', region: 'Poro' })).body.data.id;
}

const readOf = async (call: Awaited<ReturnType<typeof signedIn>>) => (await call('GET', '/reference')).body.data;

test('an account finds its key, its stores, its products and its unpaid sale; its secret is nowhere', async () => {
  const gateway = await openGateway({ demo: true });
  const account = await makeAccount(gateway, { store_ids: ['STORE-BKE-01'] });
  const call = await signedIn(gateway, account.keys);
  const before = await readOf(call);
  expect([before.api, before.new_token]).toEqual(['pos', null]);
  const { createSale, issueTokenV1, readInventory, payByMobileMoney } = examplesOf(before.document) as Record<string, object>;
  const secretless = { api_key: account.keys.api_key, api_secret: 'YOUR_API_SECRET' };
  expect(issueTokenV1).toEqual(secretless);
  expect(createSale).toMatchObject({ store_id: 'STORE-BKE-01' });
  expect(Object.values(readInventory ?? {})).toContain('STORE-BKE-01');
  expect(JSON.stringify(before)).not.toContain(account.keys.api_secret);

  // The request works as it is, but for the secret.
  const { body: signed } = await gateway.call('POST', '/pos/api/v1/auth', { body: account.keys });
  const body = { ...createSale, payment_method: 'mobile_money' };
  const sold = await gateway.call('POST', '/pos/api/v1/sales', { body, token: signed.token });
  expect(sold.status, sold.text).toBe(201);
  const { reference, total } = sold.body.data;
  expect(payByMobileMoney).not.toMatchObject({ reference });
  const after = examplesOf((await readOf(call)).document);
  expect(after.payByMobileMoney).toMatchObject({ reference, amount: total });
  const other = await signedIn(gateway, (await makeAccount(gateway)).keys);
  expect(examplesOf((await readOf(other)).document).payByMobileMoney).not.toMatchObject({ reference });
});

test('a user finds ids within the perimeter of user and token, and a token that may do as much', async () => {
  const gateway = await openGateway();
  const [first, second, third] = [await structure(gateway, 'A'), await structure(gateway, 'B'), await structure(gateway, 'C')];
  const user = await makeUser(gateway);
  await gateway.store.update('users', { id: user.id }, { structure_ids: [second, third] });
  const financing = async (token: string, structureId: number) => {
    const fields = { exercice: 2026, bailleur: 'BAD', type: 'etat', intitule: 'Écoles', montant: 1, statut: 'promis' };
    const body = { structure_id: structureId, ...fields };
    const created = await gateway.call('POST', '/cohesion/api/v1/financements', { token, body });
    expect(created.status, created.text).toBe(201);
    return created.body.data ?? created.body;
  };
  // Examples without a row of one's own have the id 1.
  await financing((await makeUser(gateway)).token, first);
  const { id } = await financing(user.token, second);
  const narrow = await makeToken(gateway, user.id, { structure_ids: [first, third], abilities: ['read:stats'] });
  const seenBy = async (token: string) => {
    const { document, new_token } = await readOf(await signedIn(gateway, { token }));
    const { createFinancing, updateFinancing } = examplesOf(document) as Record<string, { structure_id: number; id: string }>;
    return { structure: createFinancing?.structure_id, financing: updateFinancing?.id, new_token };
  };
  const wide = await seenBy(user.token);
  expect([wide.structure, wide.financing]).toEqual([second, String(id)]);
  expect(wide.new_token).toMatchObject({ structure_ids: null });
  const narrowed = await seenBy(narrow.token);
  // Its token may not use a financing.
  expect([narrowed.structure, narrowed.financing]).toEqual([third, '1']);
  expect(narrowed.new_token).toMatchObject({ abilities: ['read:stats'], structure_ids: [first, third] });
});

test('the token that /docs creates is accepted and expires', async () => {
  const gateway = await openGateway({ clock: clockAt9() });
  const user = await makeUser(gateway);
  const call = await signedIn(gateway, { token: user.token });
  const { new_token } = await readOf(call);
  const made = await call('POST', '/tokens', new_token);
  expect([made.status, made.body.data.expires_at]).toEqual([201, new_token.expires_at]);
  expect(Date.parse(new_token.expires_at)).toBe(gateway.clock.now() + 8 * 3_600_000);
  // A token that came with the call bounds it.
  const soon = new Date(gateway.clock.now() + 60_000).toISOString();
  const short = await makeToken(gateway, user.id, { expires_at: soon });
  const bounded = await readOf(await signedIn(gateway, { token: short.token }));
  expect(bounded.new_token.expires_at).toBe(soon);
});

test('asking who is signed in leaves no record if nobody is; a call that needs a credential does', async () => {
  const gateway = await openGateway();
  const asked = await gateway.call('GET', '/profile/v1/session');
  expect([asked.status, asked.body.error.code]).toEqual([401, 'token_missing']);
  await gateway.call('GET', '/profile/v1/session', { headers: { ...profileHeaders, cookie: 'passerelle_profile=unknown' } });
  await gateway.call('GET', '/profile/v1/reference');
  const calls = (await gateway.manage('GET', '/calls')).body.data as { operation: string; error_code: string }[];
  const ofProfile = calls.filter(({ operation }) => /Profile/.test(operation));
  expect(ofProfile.map(({ operation, error_code }) => [operation, error_code]).sort()).toEqual([
    ['readProfileReference', 'token_missing'],
    ['readProfileSession', 'session_expired'],
  ]);
});
