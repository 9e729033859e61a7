import { jsonSchema, type OpenApi, type Operation, type Schema } from '../../spec/openapi/document.ts';

const text = { type: 'string' };
const open = (properties: Record<string, Schema>, required: string[]): Schema => ({ type: 'object', properties, required });

const help: Schema = {
  ...open(
    {
      hint: text,
      operation: text,
      fields: { type: 'array', items: open({ field: text, rule: text, problem: text }, ['field', 'rule', 'problem']) },
      documented: { type: 'object' },
      gap: open({ id: text, question: text, choice: text }, ['id', 'question', 'choice']),
      fault: open({ source: text, rule: text, remove: text }, ['source']),
      example: open({ method: text, path: text, curl: text }, ['method', 'path', 'curl']),
    },
    ['hint'],
  ),
  description: 'Only stubs send it: why the call was refused, and a correct request. The option --no-help leaves it out.',
};

/** The document with the member `help`, which a stub adds to the bodies of its refusals. */
export function withHelp(document: OpenApi): OpenApi {
  const paths = structuredClone(document.paths);
  for (const { responses } of Object.values(paths).flatMap<Operation>(Object.values))
    for (const [status, response] of Object.entries(responses)) {
      const schema = Number(status) < 400 ? undefined : jsonSchema(response);
      if (schema) schema.properties = { ...schema.properties, help: { $ref: '#/components/schemas/Help' } };
    }
  return { ...document, paths, components: { ...document.components, schemas: { Help: help } } };
}
