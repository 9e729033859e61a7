import { z } from 'zod';
import { createToken, revokeToken } from '../../api/cohesion/back-office/tokens.ts';
import { tokenUseOf } from '../../api/cohesion/domain/token-use.ts';
import type { App, Services } from '../../http/api.ts';
import { id, idParam, instant, text, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { beyond, page, pageOf, pageQueryOf } from '../../http/page.ts';
import { abilityNames } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const token = z
  .object({
    id: z.int(),
    user_id: z.int(),
    name: z.string(),
    abilities: z.array(z.string()),
    structure_ids: z.array(z.int()).nullable().describe('The perimeter: ids of the structures it may write for; null means all.'),
    created_at: instant(),
    last_used_at: instant().nullable(),
    last_used_ip: z.string().nullable(),
    expires_at: instant().nullable(),
    revoked_at: instant().nullable(),
  })
  .meta({ id: 'Token' });

const newToken = z.strictObject({
  name: text(100).describe('Label of the token.').meta({ example: 'Tableau de bord' }),
  abilities: z
    .array(z.enum(abilityNames, `must be one of ${abilityNames.join(', ')}`))
    .min(1, 'must name at least one ability')
    .max(50, 'must have at most 50 entries'),
  structure_ids: z
    .array(id())
    .max(1000, 'must have at most 1000 entries')
    .nullable()
    .describe('The perimeter: ids of the structures it may write for; null means all.')
    .meta({ example: [1, 2], 'x-gap': ['cohesion.perimeter'] }),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 date and time with an offset, such as 2027-01-01T00:00:00Z' })
    .nullable()
    .default(null)
    .describe('When the token expires. Default: never.')
    .meta({ 'x-gap': ['cohesion.token-lifetime'] }),
});

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
        201: z.object({ data: token.extend({ token: z.string().describe('The token to send after `Authorization: Bearer`.') }) }),
      },
    },
    handler: async (request, reply) => {
      const { name, abilities, structure_ids: structureIds, expires_at: expiry } = request.body;
      const expiresAt = expiry === null ? null : Date.parse(expiry);
      const input = { userId: request.params.id, name, abilities, structureIds, expiresAt };
      const created = await services.change((change) => createToken(change, input));
      return reply.code(201).send({ data: { ...toToken(created.row), token: created.token } });
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
      return { data: toToken(revoked) };
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
    handler: async (request) => {
      // Uses of the tokens wait to be written. Write them first, so that the list is up to date.
      await tokenUseOf(services).flush();
      const { limit, cursor, user_id: userId } = request.query;
      const found = await services.store.list('tokens', {
        where: { id: beyond(cursor), user_id: userId },
        ...pageQueryOf({ limit }),
      });
      return page(found.map(toToken), limit);
    },
  });
}

function toToken({ token_hash: _, ...row }: Row<'tokens'>): z.infer<typeof token> {
  return {
    ...row,
    created_at: toInstant(row.created_at),
    last_used_at: toInstantOrNull(row.last_used_at),
    expires_at: toInstantOrNull(row.expires_at),
    revoked_at: toInstantOrNull(row.revoked_at),
  };
}
