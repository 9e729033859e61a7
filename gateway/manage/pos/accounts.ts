import { z } from 'zod';
import { createAccount, createApiKey, readAccount, revokeApiKey, updateAccount } from '../../api/pos/back-office/accounts.ts';
import type { App, Services } from '../../http/api.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import {
  account,
  accountPatch,
  accountView,
  apiKey,
  apiKeyView,
  apiKeyWithSecret,
  idPath,
  keyOrder,
  keyPath,
  listQuery,
  newAccount,
} from './shapes.ts';

const tags = ['Point of sale: accounts'];

/** Accounts, their plans and their API keys. */
export function accountRoutes(app: App, { store, change }: Services): void {
  const route = routesOf(app, tags);
  route('POST /pos/accounts', {
    operationId: 'createPosAccount',
    summary: 'Create an account',
    body: newAccount,
    created: account,
    handler: async (request) => accountView(await change((step) => createAccount(step, request.body))),
  });

  route('GET /pos/accounts', {
    operationId: 'listPosAccounts',
    summary: 'Accounts, newest first',
    querystring: z.strictObject(listQuery),
    reply: pageOf(account),
    handler: async ({ query }) => readPage(store, 'accounts', query, accountView),
  });

  route('GET /pos/accounts/:id', {
    operationId: 'readPosAccount',
    summary: 'One account',
    params: idPath,
    data: account,
    handler: async (request) => accountView(await readAccount(store, request.params.id)),
  });
  route('PATCH /pos/accounts/:id', {
    operationId: 'updatePosAccount',
    summary: "Change an account's name, plan, stores or state",
    description:
      'Fields not sent stay unchanged. Tokens of an inactive account are refused from the next call on. The endpoints of the account follow: they receive the events of its stores, and nothing while it is inactive.',
    params: idPath,
    body: accountPatch,
    data: account,
    handler: async ({ params, body }) => accountView(await change((step) => updateAccount(step, params.id, body))),
  });
}

export function apiKeyRoutes(app: App, { store, change }: Services): void {
  const route = routesOf(app, tags);
  route('POST /pos/accounts/:id/keys', {
    operationId: 'createPosKey',
    summary: 'Create an API key; its secret is shown once',
    params: idPath,
    created: apiKeyWithSecret,
    handler: async (request) => {
      const { key, secret } = await change((step) => createApiKey(step, request.params.id));
      return { ...apiKeyView(key), api_secret: secret };
    },
  });

  route('GET /pos/accounts/:id/keys', {
    operationId: 'listPosKeys',
    summary: "An account's API keys without their secrets",
    description: keyOrder,
    params: idPath,
    querystring: z.strictObject(listQuery),
    reply: pageOf(apiKey),
    handler: async ({ params, query }) => {
      await readAccount(store, params.id);
      return readPage(store, 'api_keys', { ...query, account_id: params.id }, apiKeyView);
    },
  });

  route('DELETE /pos/accounts/:id/keys/:api_key', {
    operationId: 'revokePosKey',
    summary: 'Revoke an API key and every token issued for it',
    params: keyPath,
    data: apiKey,
    handler: async ({ params: { id, api_key } }) => apiKeyView(await change((step) => revokeApiKey(step, id, api_key))),
  });
}
