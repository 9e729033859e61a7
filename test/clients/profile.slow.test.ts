import { expect, test } from 'vitest';
import { profileClient } from '../../spec/clients/profile.ts';
import { makeUser, openGateway } from '../profile/harness.ts';

test('a program reads its profile and creates a token with the typed client', async () => {
  const gateway = await openGateway();
  const { token, name } = await makeUser(gateway);
  const baseUrl = `${await gateway.app.listen({ host: '127.0.0.1', port: 0 })}/profile/v1`;
  const client = profileClient({ baseUrl, token });
  expect((await client.GET('/me')).data?.data).toMatchObject({ name, kind: 'user' });
  const body = { name: 'mine', abilities: ['read:stats' as const], structure_ids: null };
  expect((await client.POST('/tokens', { body })).data?.data.token).toMatch(/^\d+\|/);
  const refused = await profileClient({ baseUrl }).GET('/calls');
  expect([refused.response.status, refused.error?.error.code]).toEqual([401, 'token_missing']);
});
