import { z } from 'zod';
import type { App, Services } from '../http/api.ts';
import { named } from '../http/fields.ts';
import { listQuery } from '../http/page.ts';
import { routesOf } from '../http/routes.ts';
import { listPartners, partnerFilter } from './partners.ts';
import { ownerKindNames, serviceField } from './webhooks/views.ts';

const partner = named('Partner', {
  id: z.string().describe('`account:ID` or `user:ID`, as `owner` of endpoints and links takes it.'),
  kind: z.enum(ownerKindNames),
  service: serviceField().describe('The service whose events its endpoints receive.'),
  name: z.string(),
  active: z.boolean(),
});

/** Who can own an endpoint: the accounts of the point of sale and the users of social cohesion. */
export function partnerRoutes(app: App, { store }: Services): void {
  const route = routesOf(app, ['Partners']);
  route('GET /partners', {
    operationId: 'listPartners',
    summary: 'Accounts and users found by their names, in the order of their names',
    querystring: listQuery({
      q: partnerFilter.describe('Part of the name, in any case, with or without accents; or the whole id.'),
      service: serviceField().optional(),
      limit: z.coerce.number().int().min(1).max(100).default(25).describe('Rows in the reply, 1 to 100.'),
    }),
    reply: z.object({ data: z.array(partner), more: z.boolean().describe('True if more match: give more of the name.') }),
    handler: async ({ query }) => listPartners(store, query),
  });
}
