import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const textOf = (pattern: string) => globSync(pattern, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));

/** `POST /endpoints/{id}/test` for each operation that the page's sources call. */
const called = new Set(
  textOf('gateway/console/page/**/*.{ts,tsx}').flatMap((text) =>
    [...text.matchAll(/api\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g)].map(([, method, path]) => `${method} ${path}`),
  ),
);

test('each thing that the console does is an operation of the manage API, in its document', () => {
  const { paths } = JSON.parse(readFileSync(join(root, 'contracts/openapi/manage.json'), 'utf8'));
  const documented = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(called.size).toBeGreaterThan(70);
  expect([...called].filter((operation) => !documented.includes(operation))).toEqual([]);
});

test('each of these operations is called by a test of the manage API', () => {
  const tests = textOf('test/**/*.ts').join('\n');
  const untested = [...called].filter((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const pattern = path.replace(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/\'"`?]+');
    return !new RegExp(`['"]${method}['"],\\s*['"\`](/manage/v1)?${pattern}['"\`?]`).test(tests);
  });
  expect(untested).toEqual([]);
});
