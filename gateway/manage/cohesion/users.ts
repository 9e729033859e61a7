import { z } from 'zod';
import { createUser, updateUser } from '../../api/cohesion/back-office/users.ts';
import { notFound } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { changeOf, id, idParam, instant, named, text, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { userRoles } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const aboutPerimeter = 'The perimeter: ids of the structures whose events the endpoints of the user receive; null means all.';

const user = named('User', {
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role: z.enum(userRoles),
  structure_ids: z.array(z.int()).nullable().describe(aboutPerimeter),
  active: z.boolean().describe('Calls of an inactive user get 403, whatever the token, and its endpoints receive nothing.'),
  created_at: instant(),
});

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
const params = z.object({ id: idParam() });
const tags = ['Cohesion users and tokens'];

export function userRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  route('GET /cohesion/users', {
    operationId: 'listUsers',
    summary: 'Users, newest first',
    querystring: z.strictObject(idPageQuery),
    reply: pageOf(user),
    handler: async ({ query }) => readPage(services.store, 'users', query, toUser),
  });
  route('GET /cohesion/users/:id', {
    operationId: 'readUser',
    summary: 'One user',
    params,
    data: user,
    handler: async (request) => {
      const found = await services.store.get('users', request.params);
      if (!found) throw notFound('id', `There is no user ${request.params.id}.`);
      return toUser(found);
    },
  });
  route('POST /cohesion/users', {
    operationId: 'createUser',
    summary: 'Create a user',
    body: newUser,
    created: user,
    handler: async (request) => toUser(await services.change((change) => createUser(change, request.body))),
  });
  route('PATCH /cohesion/users/:id', {
    operationId: 'updateUser',
    summary: "Change a user's name, role or perimeter, or activate or deactivate it",
    description:
      'Fields not sent stay unchanged. The endpoints of the user follow: they receive what it may see now, and nothing while it is inactive.',
    params,
    body: changedUser,
    data: user,
    handler: async (request) =>
      toUser(await services.change((change) => updateUser(change, { ...request.params, ...request.body }))),
  });
}

const toUser = (row: Row<'users'>): z.infer<typeof user> => ({ ...row, created_at: toInstant(row.created_at) });
