import { z } from 'zod';
import { draftIntervention, moveIntervention, validateIntervention } from '../../api/cohesion/back-office/interventions.ts';
import { legalMoves, moveNames } from '../../api/cohesion/domain/intervention-moves.ts';
import { intervention } from '../../api/cohesion/schemas.ts';
import { toIntervention } from '../../api/cohesion/views.ts';
import { notFound } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { amount, id, idParam, instant, isoDate, text, toInstant } from '../../http/fields.ts';
import { pageOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { interventionStatuses } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';
import { idPageQuery } from './list.ts';

const record = intervention
  .extend({
    validated_by: z.int().nullable().describe('The user who validated it.'),
    legal_moves: z.array(z.enum(moveNames)).describe('The moves that are possible in its current state.'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'ManagedIntervention' });

export const newIntervention = z.strictObject({
  reference: text(60).describe('Must not exist yet.').meta({ example: 'INT-2026-0031' }),
  intitule: text(300).meta({ example: 'Dialogue intercommunautaire à Bouaké' }),
  structure_id: id(),
  region: text(100).optional().describe("Default: the structure's region.").meta({ example: 'Gbêkê' }),
  annee: z.int().min(1900, 'must be 1900 or later').max(2100, 'must be 2100 or earlier').meta({ example: 2026 }),
  date_debut: isoDate().nullable().default(null),
  date_fin: isoDate().nullable().default(null),
  budget: amount({ max: 1e15, decimals: 2 }).nullable().default(null).describe('In XOF.'),
});
const params = z.object({ id: idParam() });
const tags = ['Cohesion back office'];

export function interventionRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  route('GET /cohesion/interventions', {
    operationId: 'listAllInterventions',
    summary: 'Interventions with their legal moves, including drafts, newest first',
    querystring: z.strictObject({ ...idPageQuery, statut: z.enum(interventionStatuses).optional() }),
    reply: pageOf(record),
    handler: async ({ query }) => readPage(services.store, 'interventions', query, toRecord),
  });
  route('GET /cohesion/interventions/:id', {
    operationId: 'readIntervention',
    summary: 'One intervention with its legal moves',
    params,
    data: record,
    handler: async (request) => {
      const found = await services.store.get('interventions', request.params);
      if (!found) throw notFound('id', `There is no intervention ${request.params.id}.`);
      return toRecord(found);
    },
  });
  for (const move of ['publish', 'suspend', 'resume', 'terminate'] as const) moveRoute(app, services, move);
  route('POST /cohesion/interventions/:id/validate', {
    operationId: 'validateIntervention',
    summary: 'Validate: en_cours or termine to approuve; sends intervention.validated',
    'x-gap': ['cohesion.validation-source', 'cohesion.validated-by'],
    params,
    body: z
      .strictObject({ validated_by: id().optional().describe('An active user. Default: the first active administrator.') })
      .nullish(),
    data: record,
    handler: async (request) => {
      const input = { id: request.params.id, validatedBy: request.body?.validated_by };
      return toRecord(await services.change((change) => validateIntervention(change, input)));
    },
  });
  route('POST /cohesion/interventions', {
    operationId: 'draftIntervention',
    summary: 'Create an intervention as a draft',
    body: newIntervention,
    created: record,
    handler: async (request) => toRecord(await services.change((change) => draftIntervention(change, request.body))),
  });
}

const summaries = {
  publish: 'Publish a draft: brouillon to en_cours',
  suspend: 'Suspend: en_cours to suspendu; sends intervention.suspended',
  resume: 'Resume: suspendu to en_cours',
  terminate: 'Terminate: en_cours or suspendu to termine; sends intervention.terminated',
} as const;

function moveRoute(app: App, services: Services, move: keyof typeof summaries): void {
  const route = routesOf(app, tags);
  route(`POST /cohesion/interventions/:id/${move}`, {
    operationId: `${move}Intervention`,
    summary: summaries[move],
    'x-gap': ['cohesion.intervention-transitions'],
    params,
    data: record,
    handler: async (request) =>
      toRecord(await services.change((change) => moveIntervention(change, { id: request.params.id, move }))),
  });
}

const toRecord = (row: Row<'interventions'>): z.infer<typeof record> => ({
  ...toIntervention(row),
  validated_by: row.validated_by,
  legal_moves: legalMoves(row.statut),
  created_at: toInstant(row.created_at),
  updated_at: toInstant(row.updated_at),
});
