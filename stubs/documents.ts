import { readOwnJson } from '../gateway/base/own-files.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { OpenApi } from '../spec/openapi/document.ts';
import { openApi } from '../spec/openapi/operations.ts';
import type { Core } from './core.ts';
import { withHelp } from './help/schema.ts';

// The bundler finds only places that are written out.
const manage = new URL('../spec/openapi/manage.json', import.meta.url);
const partners = new URL('../spec/openapi/profile.json', import.meta.url);

/**
 * The OpenAPI documents by name: of the API, which a stub serves at the root, of `/_stub`, of the manage API, and of the profile.
 * `help`: true if refusals explain themselves.
 */
export const documentsOf = (
  api: ServiceName,
  { profile, help, core }: { profile: boolean; help: boolean; core: Pick<Core, 'settings' | 'log'> },
): ReadonlyMap<string, () => unknown> =>
  new Map([
    [api, () => (help ? withHelp(ownDocument(api)) : ownDocument(api))],
    // These are large, or take long to make, and are rarely asked for.
    ['stub', async () => (await import('./control/api.ts')).controlDocument(core)],
    ['manage', () => readOwnJson(manage)],
    ...(profile ? [['profile', () => readOwnJson(partners)] as const] : []),
  ]);

/** The document of the API as a stub serves it. It refers to no other component, because its references are resolved. */
function ownDocument(api: ServiceName): OpenApi {
  const { components, ...document } = openApi[api];
  return { ...document, components: { securitySchemes: components?.securitySchemes }, servers: [{ url: '/' }] };
}
