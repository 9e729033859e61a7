import { readFileSync } from 'node:fs';
import type { ServiceName } from '../contracts/documents/services.ts';
import { openApi } from '../contracts/openapi/operations.ts';

/** The committed OpenAPI documents by name: of the API, which a stub serves at the root, and of the manage API. */
export const documentsOf = (api: ServiceName): ReadonlyMap<string, () => unknown> =>
  new Map([
    [api, () => ({ ...openApi[api], servers: [{ url: '/' }] })],
    // The manage document is large and rarely asked for.
    ['manage', () => JSON.parse(readFileSync(new URL('../contracts/openapi/manage.json', import.meta.url), 'utf8'))],
  ]);
