import { z } from 'zod';
import { createToken, revokeToken } from '../../api/cohesion/back-office/tokens.ts';
import { tokenUseOf } from '../../api/cohesion/domain/token-use.ts';
import type { App, Services } from '../../http/api.ts';
import { idParam } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { idPageQuery } from './list.ts';
import { newToken, newTokenInput, token, tokenView, tokenWithSecret } from './token-shapes.ts';

const params = z.object({ id: idParam() });
const tags = ['Cohesion users and tokens'];

export function tokenRoutes(app: App, services: Services): void {
  listRoute(app, services);
  app.route({
    method: 'POST',
    url: '/cohesion/users/:id/tokens',
    schema: {
      operationId: 'createToken',
      tags,
      summary: 'Create a personal access token for a user',
      description: 'The token is shown only in this reply.',
      'x-gap': ['cohesion.token-creation'],
      params,
      body: newToken,
      response: {
        201: z.object({ data: tokenWithSecret }),
      },
    },
    handler: async (request, reply) => {
      const input = { ...newTokenInput(request.body), userId: request.params.id };
      const created = await services.change((change) => createToken(change, input));
      return reply.code(201).send({ data: { ...tokenView(created.row), token: created.token } });
    },
  });
  app.route({
    method: 'DELETE',
    url: '/cohesion/tokens/:id',
    schema: {
      operationId: 'revokeToken',
      tags,
      summary: 'Revoke a token: calls with it get 401 from now on',
      params,
      response: { 200: z.object({ data: token }) },
    },
    handler: async (request) => {
      const revoked = await services.change((change) => revokeToken(change, request.params));
      return { data: tokenView(revoked) };
    },
  });
}

function listRoute(app: App, services: Services): void {
  app.route({
    method: 'GET',
    url: '/cohesion/tokens',
    schema: {
      operationId: 'listTokens',
      tags,
      summary: 'Tokens without their secrets, newest first',
      querystring: z.strictObject({ ...idPageQuery, user_id: idParam().optional().describe('Only tokens of this user.') }),
      response: { 200: pageOf(token) },
    },
    handler: async ({ query }) => {
      // Uses of the tokens wait to be written. Write them first, so that the list is up to date.
      await tokenUseOf(services).flush();
      return readPage(services.store, 'tokens', query, tokenView);
    },
  });
}
