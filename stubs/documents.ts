import type { ServiceName } from '../contracts/documents/services.ts';
import { openApi } from '../contracts/openapi/operations.ts';
import { readOwnJson } from '../gateway/base/own-files.ts';
import { controlDocument } from './control-document.ts';

// The bundler finds only places that are written out.
const manage = new URL('../contracts/openapi/manage.json', import.meta.url);
const partners = new URL('../contracts/openapi/profile.json', import.meta.url);

/** The OpenAPI documents by name: of the API, which a stub serves at the root, of `/_stub`, of the manage API, and of the profile. */
export const documentsOf = (api: ServiceName, { profile }: { profile: boolean }): ReadonlyMap<string, () => unknown> =>
  new Map([
    [api, () => ({ ...openApi[api], servers: [{ url: '/' }] })],
    ['stub', controlDocument],
    // These are large and rarely asked for.
    ['manage', () => readOwnJson(manage)],
    ...(profile ? [['profile', () => readOwnJson(partners)] as const] : []),
  ]);
