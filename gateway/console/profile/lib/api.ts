import type createClient from 'openapi-fetch';
import type { paths } from '../../../../spec/types/profile.ts';
import { api } from '../../page/lib/api.ts';

export type { BodyOf, QueryOf } from '../../page/lib/api.ts';
export { ApiError, answer, callAs, dataOf, messageOf, onReplaced } from '../../page/lib/api.ts';
export type { paths };

/** The client of the profile's API: the same one, whose prefix is then that of the profile, with its own types. */
export const profile = api as unknown as ReturnType<typeof createClient<paths>>;
