import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { changeOf, instant, named, text, visibleText, withInstants } from '../../http/fields.ts';
import { pageOf, pagesOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Row } from '../../store/tables/index.ts';
import { operatorRoles } from '../../store/tables/operating.ts';
import { callerOf } from './identity.ts';
import { createOperator, rotateCredential, updateOperator } from './operators.ts';

const tags = ['Operators'];

const fields = {
  name: visibleText(60)
    .describe("Recorded calls show it as `operator:NAME`. `operator` is the installation's own token.")
    .meta({ example: 'Awa' }),
  role: z.enum(operatorRoles).describe('An operator may do everything, a viewer may only read.'),
};

const operator = named('Operator', {
  id: z.string(),
  ...fields,
  name: z.string(),
  active: z.boolean().describe('The credential of an inactive operator is refused.'),
  created_at: instant(),
  last_used_at: instant().nullable().describe('Accurate to the minute.'),
});

const withCredential = operator.extend({
  credential: z
    .string()
    .describe('Use it to sign in, or send it as a bearer token. Shown only in this reply; only its hash is stored.'),
});

const newOperator = z.strictObject(fields);

const changedOperator = changeOf({ ...fields, active: z.boolean() }, 'must have at least one of name, role, active');

const params = z.strictObject({ id: text(100) });

/** Operators and viewers, who use this API beside the installation's own token. */
export function operatorRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  const { change } = services;
  route('GET /operators', {
    operationId: 'listOperators',
    summary: 'Named operators and viewers, newest first',
    description: "The installation's own token is not listed.",
    querystring: z.strictObject(pagesOf('opr')),
    reply: pageOf(operator),
    handler: async ({ query }) => readPage(services.store, 'operators', query, operatorView),
  });
  route('POST /operators', {
    operationId: 'createOperator',
    summary: 'Create an operator or a viewer; the credential is shown once',
    body: newOperator,
    created: withCredential,
    handler: async ({ body }) => {
      const made = await services.change((change) => createOperator(change, body));
      return { ...operatorView(made.operator), credential: made.credential };
    },
  });
  route('PATCH /operators/:id', {
    operationId: 'updateOperator',
    summary: "Change an operator's name, role or state",
    description:
      'Fields not sent stay unchanged. A new role or a deactivation ends the sessions of the operator. Operators cannot deactivate or demote themselves.',
    params,
    body: changedOperator,
    data: operator,
    handler: async (request) => {
      const input = { ...request.body, id: request.params.id, self: callerOf(request).operatorId };
      return operatorView(await change((step) => updateOperator(step, input)));
    },
  });
  route('POST /operators/:id/rotate-credential', {
    operationId: 'rotateOperatorCredential',
    summary: 'Replace the credential; the new one is shown once, the old one and its sessions end at once',
    params,
    data: withCredential,
    handler: async ({ params: { id } }) => {
      const rotated = await change((step) => rotateCredential(step, id));
      return { ...operatorView(rotated.operator), credential: rotated.credential };
    },
  });
}

const operatorView = ({ secret_hash: _, ...row }: Row<'operators'>): z.infer<typeof operator> =>
  withInstants(row, 'created_at', 'last_used_at');
