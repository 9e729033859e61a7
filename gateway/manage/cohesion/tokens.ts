import { z } from 'zod';
import { createToken, revokeToken } from '../../api/cohesion/back-office/tokens.ts';
import { tokenUseOf } from '../../api/cohesion/domain/token-use.ts';
import type { App, Services } from '../../http/api.ts';
import { idParam } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { idPageQuery } from './list.ts';
import { newToken, newTokenInput, token, tokenView, tokenWithSecret } from './token-shapes.ts';

const params = z.object({ id: idParam() });
const tags = ['Cohesion users and tokens'];

export function tokenRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  route('GET /cohesion/tokens', {
    operationId: 'listTokens',
    summary: 'Tokens without their secrets, newest first',
    querystring: z.strictObject({ ...idPageQuery, user_id: idParam().optional().describe('Only tokens of this user.') }),
    reply: pageOf(token),
    handler: async ({ query }) => {
      // Uses of the tokens wait to be written. Write them first, so that the list is up to date.
      await tokenUseOf(services).flush();
      return readPage(services.store, 'tokens', query, tokenView);
    },
  });
  route('POST /cohesion/users/:id/tokens', {
    operationId: 'createToken',
    summary: 'Create a personal access token for a user',
    description: 'The token is shown only in this reply.',
    'x-gap': ['cohesion.token-creation'],
    params,
    body: newToken,
    created: tokenWithSecret,
    handler: async (request) => {
      const input = { ...newTokenInput(request.body), userId: request.params.id };
      const created = await services.change((change) => createToken(change, input));
      return { ...tokenView(created.row), token: created.token };
    },
  });
  route('DELETE /cohesion/tokens/:id', {
    operationId: 'revokeToken',
    summary: 'Revoke a token: calls with it get 401 from now on',
    params,
    data: token,
    handler: async (request) => tokenView(await services.change((change) => revokeToken(change, request.params))),
  });
}
