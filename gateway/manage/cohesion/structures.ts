import { z } from 'zod';
import { createStructure, updateStructure } from '../../api/cohesion/back-office/structures.ts';
import { structure } from '../../api/cohesion/schemas.ts';
import { toStructure } from '../../api/cohesion/views.ts';
import type { App, Services } from '../../http/api.ts';
import { changeOf, idParam, instant, text, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { structureTypes } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const record = structure.extend({ active: z.boolean(), created_at: instant() }).meta({ id: 'ManagedStructure' });

const fields = {
  nom: text(200).meta({ example: 'Association Paix et Développement du Gbêkê' }),
  sigle: text(30).nullable().describe('Short name.').meta({ example: 'APDG' }),
  type: z.enum(structureTypes, `must be one of ${structureTypes.join(', ')}`),
  region: text(100).meta({ example: 'Gbêkê' }),
};

export const newStructure = z.strictObject({ ...fields, sigle: fields.sigle.default(null) });
const changedStructure = changeOf({ ...fields, active: z.boolean() }, 'must contain at least one field to change');
const tags = ['Cohesion back office'];

export function structureRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  route('POST /cohesion/structures', {
    operationId: 'createStructure',
    summary: 'Create a structure',
    body: newStructure,
    created: record,
    handler: async (request) => toRecord(await services.change((change) => createStructure(change, request.body))),
  });
  route('GET /cohesion/structures', {
    operationId: 'listAllStructures',
    summary: 'Structures, including inactive ones, newest first',
    querystring: z.strictObject(idPageQuery),
    reply: pageOf(record),
    handler: async ({ query }) => readPage(services.store, 'structures', query, toRecord),
  });
  route('PATCH /cohesion/structures/:id', {
    operationId: 'updateStructure',
    summary: 'Change a structure, or activate or deactivate it',
    params: z.object({ id: idParam() }),
    body: changedStructure,
    data: record,
    handler: async (request) => {
      const updated = await services.change((change) => updateStructure(change, { ...request.params, ...request.body }));
      return toRecord(updated);
    },
  });
}

function toRecord(row: Row<'structures'>): z.infer<typeof record> {
  return { ...toStructure(row), active: row.active, created_at: toInstant(row.created_at) };
}
