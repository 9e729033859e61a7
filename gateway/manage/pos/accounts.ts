import { z } from 'zod';
import { createAccount, createApiKey, readAccount, revokeApiKey, updateAccount } from '../../api/pos/back-office/accounts.ts';
import type { App, Services } from '../../http/api.ts';
import { pageOf, readPage } from '../../http/page.ts';
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
  app.route({
    method: 'POST',
    url: '/pos/accounts',
    schema: {
      operationId: 'createPosAccount',
      tags,
      summary: 'Create an account',
      body: newAccount,
      response: { 201: z.object({ data: account }) },
    },
    handler: async (request, reply) => {
      const made = await change((step) => createAccount(step, request.body));
      return reply.code(201).send({ data: accountView(made) });
    },
  });

  app.route({
    method: 'GET',
    url: '/pos/accounts',
    schema: {
      operationId: 'listPosAccounts',
      tags,
      summary: 'Accounts, newest first',
      querystring: z.strictObject(listQuery),
      response: { 200: pageOf(account) },
    },
    handler: async ({ query }) => readPage(store, 'accounts', query, accountView),
  });

  app.route({
    method: 'GET',
    url: '/pos/accounts/:id',
    schema: {
      operationId: 'readPosAccount',
      tags,
      summary: 'One account',
      params: idPath,
      response: { 200: z.object({ data: account }) },
    },
    handler: async (request) => ({ data: accountView(await readAccount(store, request.params.id)) }),
  });
  updateRoute(app, { change });
}

function updateRoute(app: App, { change }: Pick<Services, 'change'>): void {
  app.route({
    method: 'PATCH',
    url: '/pos/accounts/:id',
    schema: {
      operationId: 'updatePosAccount',
      tags,
      summary: "Change an account's name, plan, stores or state",
      description:
        'Fields not sent stay unchanged. Tokens of an inactive account are refused from the next call on. The endpoints of the account follow: they receive the events of its stores, and nothing while it is inactive.',
      params: idPath,
      body: accountPatch,
      response: { 200: z.object({ data: account }) },
    },
    handler: async ({ params, body }) => {
      const changed = await change((step) => updateAccount(step, params.id, body));
      return { data: accountView(changed) };
    },
  });
}

export function apiKeyRoutes(app: App, { store, change }: Services): void {
  app.route({
    method: 'POST',
    url: '/pos/accounts/:id/keys',
    schema: {
      operationId: 'createPosKey',
      tags,
      summary: 'Create an API key; its secret is shown once',
      params: idPath,
      response: { 201: z.object({ data: apiKeyWithSecret }) },
    },
    handler: async (request, reply) => {
      const { key, secret } = await change((step) => createApiKey(step, request.params.id));
      return reply.code(201).send({ data: { ...apiKeyView(key), api_secret: secret } });
    },
  });

  app.route({
    method: 'GET',
    url: '/pos/accounts/:id/keys',
    schema: {
      operationId: 'listPosKeys',
      tags,
      summary: "An account's API keys without their secrets",
      description: keyOrder,
      params: idPath,
      querystring: z.strictObject(listQuery),
      response: { 200: pageOf(apiKey) },
    },
    handler: async ({ params, query }) => {
      await readAccount(store, params.id);
      return readPage(store, 'api_keys', { ...query, account_id: params.id }, apiKeyView);
    },
  });

  app.route({
    method: 'DELETE',
    url: '/pos/accounts/:id/keys/:api_key',
    schema: {
      operationId: 'revokePosKey',
      tags,
      summary: 'Revoke an API key and every token issued for it',
      params: keyPath,
      response: { 200: z.object({ data: apiKey }) },
    },
    handler: async ({ params: { id, api_key } }) => ({
      data: apiKeyView(await change((step) => revokeApiKey(step, id, api_key))),
    }),
  });
}
