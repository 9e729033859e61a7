import { z } from 'zod';
import { createUser, updateUser } from '../../api/cohesion/back-office/users.ts';
import { notFound } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { changeOf, id, idParam, instant, text, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { userRoles } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const aboutPerimeter = 'The perimeter: ids of the structures whose events the endpoints of the user receive; null means all.';

const user = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    role: z.enum(userRoles),
    structure_ids: z.array(z.int()).nullable().describe(aboutPerimeter),
    active: z.boolean().describe('Calls of an inactive user get 403, whatever the token, and its endpoints receive nothing.'),
    created_at: instant(),
  })
  .meta({ id: 'User' });

const fields = {
  name: text(200).meta({ example: 'Aya Kouassi' }),
  role: z.enum(userRoles, `must be one of ${userRoles.join(', ')}`).meta({ 'x-gap': ['cohesion.user-roles'] }),
};

const perimeter = z
  .array(id())
  .max(1000, 'must have at most 1000 entries')
  .nullable()
  .describe(aboutPerimeter)
  .meta({ example: [1, 2], 'x-gap': ['cohesion.user-perimeter'] });

export const newUser = z.strictObject({
  ...fields,
  structure_ids: perimeter.default(null),
  email: z
    .email('must be an e-mail address')
    .max(254, 'must have at most 254 characters')
    .meta({ example: 'aya.kouassi@example.org' }),
});

const changedUser = changeOf(
  { ...fields, structure_ids: perimeter, active: z.boolean() },
  'must contain at least one field to change',
);

const one = z.object({ data: user });
const params = z.object({ id: idParam() });
const tags = ['Cohesion users and tokens'];

export function userRoutes(app: App, services: Services): void {
  readUserRoutes(app, services);
  app.route({
    method: 'POST',
    url: '/cohesion/users',
    schema: { operationId: 'createUser', tags, summary: 'Create a user', body: newUser, response: { 201: one } },
    handler: async (request, reply) => {
      const created = await services.change((change) => createUser(change, request.body));
      return reply.code(201).send({ data: toUser(created) });
    },
  });
  app.route({
    method: 'PATCH',
    url: '/cohesion/users/:id',
    schema: {
      operationId: 'updateUser',
      tags,
      summary: "Change a user's name, role or perimeter, or activate or deactivate it",
      description:
        'Fields not sent stay unchanged. The endpoints of the user follow: they receive what it may see now, and nothing while it is inactive.',
      params,
      body: changedUser,
      response: { 200: one },
    },
    handler: async (request) => {
      const updated = await services.change((change) => updateUser(change, { ...request.params, ...request.body }));
      return { data: toUser(updated) };
    },
  });
}

function readUserRoutes(app: App, services: Services): void {
  app.route({
    method: 'GET',
    url: '/cohesion/users',
    schema: {
      operationId: 'listUsers',
      tags,
      summary: 'Users, newest first',
      querystring: z.strictObject(idPageQuery),
      response: { 200: pageOf(user) },
    },
    handler: async ({ query }) => readPage(services.store, 'users', query, toUser),
  });
  app.route({
    method: 'GET',
    url: '/cohesion/users/:id',
    schema: { operationId: 'readUser', tags, summary: 'One user', params, response: { 200: one } },
    handler: async (request) => {
      const found = await services.store.get('users', request.params);
      if (!found) throw notFound('id', `There is no user ${request.params.id}.`);
      return { data: toUser(found) };
    },
  });
}

function toUser(row: Row<'users'>): z.infer<typeof user> {
  return { ...row, created_at: toInstant(row.created_at) };
}
