import type { OpenApi, Operation } from './document.ts';
import { type Example, exampleOf, type KnownValues } from './example.ts';

/**
 * The document with an example of each request, made of values that exist. A reference page fills its forms with them, and sends all
 * of them. `optional` adds those of optional parameters, for programs that would make up a value for each parameter.
 */
export function filled(document: OpenApi, known: KnownValues, { optional = false } = {}): OpenApi {
  const paths = structuredClone(document.paths);
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      const asked = new Set(optional ? operation.parameters?.map(({ name }) => name) : []);
      fillIn(operation, path, exampleOf({ method: method.toUpperCase(), path, operation }, known, asked));
      // One key for two operations would be refused.
      if (optional)
        for (const one of operation.parameters ?? []) if (one.in === 'header') one.example = `${operation.operationId}-1`;
    }
  return { ...document, paths };
}

function fillIn(operation: Operation, template: string, { path, body }: Example): void {
  const values = parameterValues(template, path);
  for (const parameter of operation.parameters ?? []) {
    if (values.has(parameter.name)) parameter.example = values.get(parameter.name);
    // An idempotency key would repeat the first reply.
    else delete parameter.schema?.example;
  }
  const content = operation.requestBody?.content?.['application/json'];
  if (content && body !== undefined) Object.assign(content, { example: body });
}

/** The parameters in a path such as `/stores/7?days=2`, by the names that its template gives them. */
function parameterValues(template: string, path: string): Map<string, string> {
  const [filledPath = '', query] = path.split('?');
  const segments = filledPath.split('/');
  const values = new Map<string, string>(new URLSearchParams(query));
  for (const [at, segment] of template.split('/').entries())
    if (segment.startsWith('{')) values.set(segment.slice(1, -1), segments[at] ?? '');
  return values;
}
