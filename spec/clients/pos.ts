import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths, webhooks } from '../types/pos.ts';
import { type ClientOptions, requestOptions } from './client.ts';

export type { ClientOptions };
export type PosClient = Client<paths>;
export type { components as PosComponents, operations as PosOperations, paths as PosPaths, webhooks as PosWebhooks };

/**
 * A typed client of the Point-of-Sale Integration API: `client.POST('/api/v1/sales', { body })` resolves to `{ data }` or
 * `{ error }`, and to `response`. Operations that need no token work without one.
 */
export const posClient = (options: ClientOptions): PosClient => createClient<paths>(requestOptions(options));
