import type { Exchange, Refused, State } from './ask.ts';
import { obtainToken } from './clients/pos-token.ts';
import { bearer, exampleToken, fromState, tokenReply, unknownToken } from './shapes.ts';

/** Shared parts of the interactions with pos. */

export const withToken = { Authorization: bearer.example };
export const tokenSent = { 'pos.token-transport': 'the token travels as Authorization: Bearer' };
export const inData = { 'pos.success-envelope': 'the contents stand in data' };
export const tokenPath = { 'pos.auth-path': 'the path /api/auth, beside the base address' };

export const credentials = { api_key: 'example-key', api_secret: 'example-secret' };
const { api_key, api_secret } = credentials;

/** A consumer asks for a token before it has a client, so its client is the provider's address. */
export const askForToken = {
  method: 'POST' as const,
  path: '/api/auth',
  states: [['an account with an API key']] as const,
  body: { api_key: fromState('api_key', api_key), api_secret: fromState('api_secret', api_secret) },
  call: (root: string): Promise<unknown> => obtainToken(root, credentials),
};

export const validCredentials: Exchange<string> = {
  ...askForToken,
  description: 'valid credentials',
  gaps: tokenPath,
  holding: [
    'pos/issue-token',
    'pos/auth-path',
    'pos/api-key',
    'pos/api-secret',
    'pos/token-success',
    'pos/token',
    'pos/token-lifetime',
    'pos/token-type',
    'pos/json',
  ],
  shown: tokenReply,
};

export const tokenNeeded = { ...tokenSent, 'pos.token-endpoints': 'the operation needs a token' };

/** The document lists the status, but not its causes. */
export const statusFor = (status: number, condition: string) => ({ 'pos.error-conditions': `status ${status} for ${condition}` });

export const anAccessToken: State = ['an access token'];
export const storeId = 'STORE-1';
export const aStore: State = ['a store', { store_id: storeId }];
export const unknownStoreId = 'STORE-404';
export const noStore: State = ['no store', { store_id: unknownStoreId }];

const refused401 = ['pos/no-authorization', 'pos/status-401'];

const withExampleToken = { token: exampleToken, authorization: bearer.example };

/** Tokens that look like valid ones. */
export const invalidTokens: Refused[] = [
  {
    ...withExampleToken,
    how: 'with a revoked token',
    states: [['a revoked access token']],
    status: 401,
    gaps: { ...tokenNeeded, 'pos.revocation': 'status 401 once the key of the token is revoked' },
    holding: refused401,
  },
  {
    ...withExampleToken,
    how: 'with a forged token',
    states: [['a forged access token']],
    status: 401,
    gaps: tokenNeeded,
    holding: refused401,
  },
];

export const reasons: Refused[] = [
  {
    how: 'without a token',
    status: 401,
    gaps: { 'pos.token-endpoints': 'the operation needs a token' },
    holding: refused401,
  },
  {
    how: 'with an unknown token',
    token: unknownToken,
    authorization: bearer.unknown,
    status: 401,
    gaps: tokenNeeded,
    holding: refused401,
  },
  {
    how: 'with an expired token',
    states: [['an expired access token']],
    ...withExampleToken,
    status: 401,
    holding: refused401,
    gaps: { ...tokenNeeded, 'pos.token-lifetime': 'status 401 once the token has expired' },
  },
  {
    how: "over the plan's limit",
    states: [["the plan's limit is used up", { plan: 'free' }]],
    ...withExampleToken,
    status: 429,
    gaps: { ...tokenSent, 'pos.limit-exceeded': 'status 429' },
    holding: ['pos/limit-free'],
  },
];
