import { readFileSync } from 'node:fs';
import { openApi } from '../contracts/openapi/operations.ts';
import type { StubApi } from './credentials.ts';

/** The OpenAPI documents as committed: that of the API, at the root here, and that of the manage API, which is large. */
export const documentsOf = (api: StubApi): ReadonlyMap<string, () => unknown> =>
  new Map([
    [api, () => ({ ...openApi[api], servers: [{ url: '/' }] })],
    ['manage', () => JSON.parse(readFileSync(new URL('../contracts/openapi/manage.json', import.meta.url), 'utf8'))],
  ]);
