import type { Schema } from '../../../spec/openapi/document.ts';

/** A step of a JSONPath: a field's name, or null for any index. */
export type Step = string | null;

/** Parses a JSONPath such as `$.data[0]['a.b']`. Indices and `*` become null, because all elements share one schema. */
export function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  const token = /\.\.?([^.[\]]+)|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\]]*))\]/g;
  for (const [, dotted, single, double, index] of path.replace(/^\$/, '').matchAll(token)) {
    const name = dotted ?? single ?? double;
    if (name !== undefined) steps.push(name === '*' ? null : name.replaceAll(/\\(.)/g, '$1'));
    else if (index !== undefined) steps.push(null);
  }
  return steps;
}

function childOf(schema: Schema, step: Step): Schema | undefined {
  if (schema.anyOf !== undefined) {
    const found = schema.anyOf.map((option) => childOf(option, step)).find((child) => child !== undefined);
    if (found !== undefined) return found;
  }
  if (step === null) return schema.items ?? anyField(schema);
  return schema.properties?.[step] ?? anyField(schema) ?? (/^\d+$/.test(step) ? schema.items : undefined);
}

const anyField = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

/** Returns the schemas along the steps, the deepest first. Stops at the first unknown field. */
export function schemasAlong(schema: Schema, steps: readonly Step[]): Schema[] {
  const along = [schema];
  for (const step of steps) {
    const child = childOf(along[0] as Schema, step);
    if (child === undefined) break;
    along.unshift(child);
  }
  return along;
}
