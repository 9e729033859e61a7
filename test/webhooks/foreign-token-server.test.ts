import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { OAuth2Client } from '../../gateway/store/tables/webhooks.ts';
import { sealCredentials } from '../../gateway/webhooks/endpoints/credentials.ts';
import { freePort } from '../free-port.ts';
import { type Harness, settled, startHarness, until } from './harness.ts';
import { receiver } from './receiver.ts';

/** A token server that nobody here wrote: oidc-provider, which the OpenID Foundation has certified. */

const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
const client_secret = 'open: sesame/100% + more';
const lifetimeSeconds = 300;

async function openProvider() {
  const port = await freePort();
  // It warns that it keeps tokens in memory.
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warnings.mockRestore());
  const grants = { given: 0, refused: [] as string[] };
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: 'passerelle:1',
        client_secret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        scope: 'hooks other',
      },
    ],
    scopes: ['hooks', 'other', 'everything'],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ttl: { ClientCredentials: lifetimeSeconds },
    jwks: { keys: [signingKey] },
    cookies: { keys: ['not used'] },
  });
  provider.on('grant.success', () => grants.given++);
  provider.on('grant.error', (_context, error) => grants.refused.push(error.message));
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const tokenOf = (authorization = '') => provider.ClientCredentials.find(authorization.replace('Bearer ', ''));
  const shop = await receiver(async (response, { headers }) => {
    const token = await tokenOf(headers.authorization);
    response.writeHead(token?.scope === 'hooks' ? 204 : token ? 403 : 401).end();
  });
  const sent = () => shop.received.map(({ headers }) => headers.authorization);
  return { token_url: `http://127.0.0.1:${port}/token`, grants, shop, sent, tokenOf };
}

const settings = { scheduleSeconds: [0, 3600] };

const endpointWith = (
  harness: Harness,
  url: string,
  oauth2: Pick<OAuth2Client, 'token_url' | 'client_auth'> & Partial<OAuth2Client>,
) =>
  harness.endpoint({
    url,
    credentials: sealCredentials(harness.keys, {
      headers: {},
      basic: null,
      oauth2: { client_id: 'passerelle:1', client_secret, scope: 'hooks', audience: null, ...oauth2 },
    }),
  });

test.each(['basic', 'body'] as const)(
  'its tokens are asked for, shared, replaced before they end and after a 401 (%s)',
  async (client_auth) => {
    const harness = startHarness({ settings });
    const { token_url, grants, shop, sent, tokenOf } = await openProvider();
    const { id } = await endpointWith(harness, shop.url, { token_url, client_auth });
    await harness.emit(undefined, { count: 5 });
    await settled(harness, 5, 'delivered');
    expect([grants.given, new Set(sent()).size]).toEqual([1, 1]);
    const row = await harness.store.get('receiver_tokens', { endpoint_id: id });
    expect(row?.expires_at).toBe(harness.clock.now() + lifetimeSeconds * 1000);

    await harness.clock.advance((lifetimeSeconds - 59) * 1000);
    await harness.emit();
    await settled(harness, 6, 'delivered');
    expect([grants.given, new Set(sent()).size]).toEqual([2, 2]);

    await (await tokenOf(sent().at(-1)))?.destroy();
    await harness.emit();
    await settled(harness, 7, 'delivered');
    expect([grants.given, new Set(sent()).size]).toEqual([3, 3]);
    expect((await harness.attempts()).at(-1)).toMatchObject({ outcome: 'success', asked_again: true });
  },
);

const wrong = [
  ['secret', { client_secret: 'sesame' }, 'answered 401 (invalid_client: client authentication failed).'],
  ['client', { client_id: 'nobody' }, 'answered 401 (invalid_client: client authentication failed).'],
  ['scope', { scope: 'everything' }, 'answered 400 (invalid_scope: '],
] as const;

test.each(wrong)('it refuses a wrong %s, and the attempt says so', async (_what, change, said) => {
  const harness = startHarness({ settings });
  const { token_url, grants, shop } = await openProvider();
  await endpointWith(harness, shop.url, { token_url, client_auth: 'basic', ...change });
  await harness.emit();
  const [attempt] = await until(async () => {
    const attempts = await harness.attempts();
    expect(attempts).toHaveLength(1);
    return attempts;
  });
  expect(attempt).toMatchObject({ outcome: 'token', error: expect.stringContaining(`The token server ${said}`) });
  expect([grants.given, grants.refused.length, shop.received.length]).toEqual([0, 1, 0]);
});

test('a token of another scope is sent, and the receiver says what it wants', async () => {
  const harness = startHarness({ settings });
  const { token_url, shop } = await openProvider();
  await endpointWith(harness, shop.url, { token_url, client_auth: 'basic', scope: 'other' });
  await harness.emit();
  await until(async () => expect(await harness.attempts()).toMatchObject([{ outcome: 'status', response_status: 403 }]));
});
