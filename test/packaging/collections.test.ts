import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serviceNames } from '../../contracts/documents/services.ts';
import { openApi } from '../../contracts/openapi/operations.ts';

const methods = /^(get|post|put|patch|delete) \{\n {2}url: \{\{baseUrl\}\}([^?\n]*)/m;

/** Returns the operations of a collection, such as `post /api/v1/sales`. Variables in a path become its parameters. */
function requestsOf(api: string): string[] {
  const folder = join(import.meta.dirname, '../../collections', api);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.bru') && name !== 'collection.bru')
    .map((name) => methods.exec(readFileSync(join(folder, name), 'utf8')) ?? [])
    .map(([, method, path = '']) => `${method} ${path.replace(/\{\{\w+\}\}/g, '{id}')}`);
}

test.each(serviceNames)('the collection of %s has every operation of its document, and no other', (api) => {
  const documented = Object.entries(openApi[api].paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  expect([...new Set(requestsOf(api))].sort()).toEqual(documented.sort());
});
