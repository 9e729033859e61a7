import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths } from '../types/profile.ts';
import { type ClientOptions, requestOptions } from './client.ts';

export type { ClientOptions };
export type ProfileClient = Client<paths>;
export type { components as ProfileComponents, operations as ProfileOperations, paths as ProfilePaths };

/**
 * A typed client of a partner's profile on a gateway, whose address with `/profile/v1` is the base URL: `client.GET('/calls')`
 * resolves to `{ data }` or `{ error }`, and to `response`.
 */
export const profileClient = (options: ClientOptions): ProfileClient => createClient<paths>(requestOptions(options));
