import { z } from 'zod';
import type { App, LimitRule, Services } from '../../http/api.ts';
import type { Change } from '../../webhooks/outbox/change.ts';
import { createFinancing, updateFinancing } from './calls/financings.ts';
import { listIndicators, readIndicator } from './calls/indicators.ts';
import { listInterventions } from './calls/interventions.ts';
import { readStats } from './calls/stats.ts';
import { listStructures } from './calls/structures.ts';
import { refusals, refusalsOfBody, refusalsOfOne } from './errors.ts';
import { callerOf } from './identity.ts';
import {
  changedFinancing,
  financing,
  idParams,
  indicator,
  indicatorQuery,
  intervention,
  interventionQuery,
  listOf,
  me,
  newFinancing,
  noQuery,
  stats,
  statsQuery,
  structure,
  structureQuery,
} from './schemas.ts';
import { toMe } from './views.ts';

const writesPerMinute = 30;
const writeLimit = `${writesPerMinute} writes a minute for each token.`;

/** The route table of the document's section 4. */
export function cohesionRoutes(app: App, services: Services): void {
  identityRoute(app);
  indicatorRoutes(app, services);
  fieldRoutes(app, services);
  statisticsRoute(app, services);
  financingRoutes(app, services);
}

function identityRoute(app: App): void {
  app.route({
    method: 'GET',
    url: '/api/v1/me',
    schema: {
      operationId: 'readMe',
      tags: ['Identity'],
      summary: 'The current user and token',
      description: 'Needs a valid token and no ability.',
      'x-gap': ['cohesion.me-ability', 'cohesion.timestamps'],
      querystring: noQuery,
      response: { 200: me, ...refusals },
    },
    handler: async (request) => toMe(callerOf(request)),
  });
}

function indicatorRoutes(app: App, services: Services): void {
  app.route({
    method: 'GET',
    url: '/api/v1/indicateurs',
    config: { ability: 'read:indicators', readsStoreOnly: true },
    schema: {
      operationId: 'listIndicators',
      tags: ['Indicators'],
      summary: 'Active indicators',
      'x-gap': [
        'cohesion.list-order',
        'cohesion.hidden-records',
        'cohesion.empty-last-page',
        'cohesion.indicator-alert-condition',
        'cohesion.indicator-without-value',
      ],
      querystring: indicatorQuery,
      response: { 200: listOf(indicator), ...refusals },
    },
    handler: async (request) => listIndicators(services.store, request.query),
  });
  app.route({
    method: 'GET',
    url: '/api/v1/indicateurs/:id',
    config: { ability: 'read:indicators', readsStoreOnly: true },
    schema: {
      operationId: 'readIndicator',
      tags: ['Indicators'],
      summary: 'One active indicator',
      'x-gap': [
        'cohesion.indicator-detail',
        'cohesion.hidden-records',
        'cohesion.indicator-alert-condition',
        'cohesion.indicator-without-value',
      ],
      params: idParams,
      querystring: noQuery,
      response: { 200: z.object({ data: indicator }), ...refusalsOfOne },
    },
    handler: async (request) => ({ data: await readIndicator(services.store, request.params) }),
  });
}

function fieldRoutes(app: App, services: Services): void {
  app.route({
    method: 'GET',
    url: '/api/v1/interventions',
    config: { ability: 'read:interventions', readsStoreOnly: true },
    schema: {
      operationId: 'listInterventions',
      tags: ['Interventions'],
      summary: 'Interventions, drafts excluded',
      'x-gap': [
        'cohesion.open-filters',
        'cohesion.list-order',
        'cohesion.hidden-records',
        'cohesion.empty-last-page',
        'cohesion.perimeter',
      ],
      querystring: interventionQuery,
      response: { 200: listOf(intervention), ...refusals },
    },
    handler: async (request) => listInterventions(services.store, request.query),
  });
  app.route({
    method: 'GET',
    url: '/api/v1/structures',
    config: { ability: 'read:structures', readsStoreOnly: true },
    schema: {
      operationId: 'listStructures',
      tags: ['Structures'],
      summary: 'Active structures',
      'x-gap': [
        'cohesion.open-filters',
        'cohesion.structures-per-page',
        'cohesion.list-order',
        'cohesion.empty-last-page',
        'cohesion.structure-types',
        'cohesion.perimeter',
      ],
      querystring: structureQuery,
      response: { 200: listOf(structure), ...refusals },
    },
    handler: async (request) => listStructures(services.store, request.query),
  });
}

function statisticsRoute(app: App, services: Services): void {
  app.route({
    method: 'GET',
    url: '/api/v1/stats',
    config: { ability: 'read:stats' },
    schema: {
      operationId: 'readStats',
      tags: ['Statistics'],
      summary: 'Aggregated statistics of one fiscal year',
      'x-gap': [
        'cohesion.attainment-rate',
        'cohesion.intervention-statuses',
        'cohesion.financing-statuses',
        'cohesion.structure-types',
        'cohesion.perimeter',
        'cohesion.current-year',
      ],
      querystring: statsQuery,
      response: { 200: z.object({ data: stats }), ...refusals },
    },
    handler: async (request) => {
      const annee = request.query.annee ?? new Date(services.clock.now()).getUTCFullYear();
      return { data: await readStats(services.store, annee) };
    },
  });
}

function financingRoutes(app: App, services: Services): void {
  /** Section 8 limits the writes of each token, POST and PUT together. */
  const writes: LimitRule = {
    name: 'financement-writes',
    windowMs: 60_000,
    max: writesPerMinute,
    per: 'token',
    key: ({ caller, ip }) => caller?.id ?? ip,
  };
  creationRoute(app, services, writes);
  updateRoute(app, services, writes);
}

function creationRoute(app: App, services: Services, writes: LimitRule): void {
  app.route({
    method: 'POST',
    url: '/api/v1/financements',
    config: { ability: 'write:financements', limits: [writes] },
    schema: {
      operationId: 'createFinancing',
      tags: ['Financings'],
      summary: "Create an external financing in the token's perimeter",
      description: writeLimit,
      'x-gap': [
        'cohesion.financing-create-status',
        'cohesion.perimeter',
        'cohesion.unknown-structure',
        'cohesion.hidden-records',
        'cohesion.write-throttle-scope',
        'cohesion.repeated-post',
      ],
      querystring: noQuery,
      body: newFinancing,
      response: { 201: z.object({ data: financing }), ...refusals, ...refusalsOfBody },
    },
    handler: async (request, reply) => {
      const create = (change: Change) => createFinancing(change, callerOf(request), request.body);
      const data = await services.change(create, request.id);
      return reply.code(201).send({ data });
    },
  });
}

function updateRoute(app: App, services: Services, writes: LimitRule): void {
  app.route({
    method: 'PUT',
    url: '/api/v1/financements/:id',
    config: { ability: 'write:financements', limits: [writes] },
    schema: {
      operationId: 'updateFinancing',
      tags: ['Financings'],
      summary: "Update an external financing in the token's perimeter",
      description: `${writeLimit} Fields that are not sent stay as they are.`,
      'x-gap': [
        'cohesion.financing-update-status',
        'cohesion.financing-update-response',
        'cohesion.perimeter',
        'cohesion.unknown-structure',
        'cohesion.hidden-records',
        'cohesion.write-throttle-scope',
      ],
      params: idParams,
      querystring: noQuery,
      body: changedFinancing,
      response: { 200: z.object({ data: financing }), ...refusalsOfOne, ...refusalsOfBody },
    },
    handler: async (request) => {
      const input = { id: request.params.id, fields: request.body };
      const update = (change: Change) => updateFinancing(change, callerOf(request), input);
      return { data: await services.change(update, request.id) };
    },
  });
}
