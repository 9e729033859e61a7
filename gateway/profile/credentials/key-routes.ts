import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { forbidden } from '../../base/errors.ts';
import type { App } from '../../http/api.ts';
import { optionalBody, text } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { apiKey, apiKeyView, apiKeyWithSecret, keyOrder, listQuery } from '../../manage/pos/shapes.ts';
import { accountOf, callerOf } from '../caller.ts';
import type { ProfileServices } from '../services.ts';
import { createOwnKey, revokeOwnKey, rotateOwnKey } from './keys.ts';

const tags = ['API keys'];
const onlyAccounts = 'For point-of-sale accounts; a user of social cohesion gets 403 `other_service`.';
const needsSecret =
  'Refused for a token of `POST /api/auth` (403 `secret_needed`): it lives an hour, and must not turn into a key that lives on.';
const params = z.strictObject({ id: text(200) });

const overlapHours = z
  .number()
  .min(0, 'must be 0 or more')
  .max(7 * 24, 'must be at most 168, which is 7 days')
  .default(24)
  .describe('How long the old key works beside the new one; 0 ends it at once.');

const rotation = apiKeyWithSecret.extend({ replaced: apiKey.describe('The old key, with the time when it ends.') });

/** The API keys of an account. */
export function keyRoutes(app: App, services: ProfileServices): void {
  const route = routesOf(app, tags);
  const { store, change } = services;
  route('GET /keys', {
    operationId: 'listProfileKeys',
    summary: 'Your API keys without their secrets',
    description: `${onlyAccounts} ${keyOrder}`,
    querystring: z.strictObject(listQuery),
    reply: pageOf(apiKey),
    handler: async (request) => {
      const { accountId } = accountOf(request);
      return readPage(store, 'api_keys', { ...request.query, account_id: accountId }, apiKeyView);
    },
  });
  route('POST /keys', {
    operationId: 'createProfileKey',
    summary: 'Create an API key; its secret is shown once',
    description: `${onlyAccounts} ${needsSecret}`,
    body: optionalBody({}),
    created: apiKeyWithSecret,
    handler: async (request) => {
      const { accountId } = holderOfSecret(request);
      const { key, secret } = await change((step) => createOwnKey(step, accountId));
      return { ...apiKeyView(key), api_secret: secret };
    },
  });
  route('POST /keys/:id/rotate', {
    operationId: 'rotateProfileKey',
    summary: 'Replace an API key: a new one, and an overlap in which both work',
    description: `${onlyAccounts} ${needsSecret} When the old key ends, its tokens and sessions end too.`,
    params,
    body: optionalBody({ overlap_hours: overlapHours }),
    created: rotation,
    handler: async (request) => {
      const { accountId } = holderOfSecret(request);
      const overlapMs = Math.round(request.body.overlap_hours * 3_600_000);
      const input = { accountId, keyId: request.params.id, overlapMs };
      const { key, secret, replaced } = await change((step) => rotateOwnKey(step, input));
      return { ...apiKeyView(key), api_secret: secret, replaced: apiKeyView(replaced) };
    },
  });
  revocationRoute(app, services);
}

function revocationRoute(app: App, { change }: ProfileServices): void {
  const route = routesOf(app, tags);
  route('POST /keys/:id/revoke', {
    operationId: 'revokeProfileKey',
    summary: 'Revoke an API key and every token issued for it',
    description: `${onlyAccounts} ${needsSecret} The last key, and the key of your own session, are revoked only with \`confirm\` (409 \`confirm_needed\`).`,
    params,
    body: optionalBody({ confirm: z.boolean().default(false) }),
    data: apiKey,
    handler: async (request) => {
      const holder = holderOfSecret(request);
      const input = { keyId: request.params.id, confirmed: request.body.confirm };
      return apiKeyView(await change((step) => revokeOwnKey(step, holder, input)));
    },
  });
}

/** The account of a session. Throws 403 for a bearer token, whose sender need not know a secret. */
function holderOfSecret(request: FastifyRequest) {
  const holder = accountOf(request);
  if (callerOf(request).session === null)
    throw forbidden(
      'secret_needed',
      'A token cannot change API keys. Sign in with an API key and its secret: POST /profile/v1/session.',
    );
  return holder;
}
