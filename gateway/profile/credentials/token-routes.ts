import { z } from 'zod';
import { tokenUseOf } from '../../api/cohesion/domain/token-use.ts';
import type { App } from '../../http/api.ts';
import { idParam } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { idPageQuery } from '../../manage/cohesion/list.ts';
import { newToken, newTokenInput, token, tokenView, tokenWithSecret } from '../../manage/cohesion/token-shapes.ts';
import { userOf } from '../caller.ts';
import type { ProfileServices } from '../services.ts';
import { createOwnToken, revokeOwnToken } from './tokens.ts';

const tags = ['Access tokens'];
const onlyUsers = 'For users of social cohesion; a point-of-sale account gets 403 `other_service`.';

/** The access tokens of a user. */
export function tokenRoutes(app: App, services: ProfileServices): void {
  const route = routesOf(app, tags);
  const { store, change } = services;
  route('GET /tokens', {
    operationId: 'listProfileTokens',
    summary: 'Your tokens without their secrets, newest first',
    description: onlyUsers,
    querystring: z.strictObject(idPageQuery),
    reply: pageOf(token),
    handler: async (request) => {
      const { userId } = userOf(request);
      // Uses of the tokens wait to be written. Write them first, so that the list is up to date.
      await tokenUseOf(services).flush();
      return readPage(store, 'tokens', { ...request.query, user_id: userId }, tokenView);
    },
  });
  route('POST /tokens', {
    operationId: 'createProfileToken',
    summary: 'Create a token; it is shown once',
    description:
      `${onlyUsers} The structures must lie within your own; null means all of them, also later ones. If you came with a token, the new one ` +
      'may do no more than it, and lives no longer (403 `stronger_token`): a token that leaked cannot make a stronger one. A link of the operator is not bounded so.',
    'x-gap': ['cohesion.token-creation'],
    body: newToken,
    created: tokenWithSecret,
    handler: async (request) => {
      const input = newTokenInput(request.body);
      const created = await change((step) => createOwnToken(step, userOf(request), input));
      return { ...tokenView(created.row), token: created.token };
    },
  });
  route('POST /tokens/:id/revoke', {
    operationId: 'revokeProfileToken',
    summary: 'Revoke a token: calls with it get 401 from now on',
    description: `${onlyUsers} If you came with a token, you can revoke it and those that may do no more. Sessions that a token opened end with it.`,
    params: z.strictObject({ id: idParam() }),
    data: token,
    handler: async (request) => tokenView(await change((step) => revokeOwnToken(step, userOf(request), request.params.id))),
  });
}
