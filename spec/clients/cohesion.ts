import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths, webhooks } from '../types/cohesion.ts';
import { type ClientOptions, requestOptions } from './client.ts';

export type { ClientOptions };
export type CohesionClient = Client<paths>;
export type {
  components as CohesionComponents,
  operations as CohesionOperations,
  paths as CohesionPaths,
  webhooks as CohesionWebhooks,
};

/**
 * A typed client of the Social-Cohesion Management API: `client.GET('/api/v1/indicateurs', { params: { query } })` resolves
 * to `{ data }` or `{ error }`, and to `response`.
 */
export const cohesionClient = (options: ClientOptions): CohesionClient => createClient<paths>(requestOptions(options));
