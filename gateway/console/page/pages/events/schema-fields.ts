import { text } from '../../texts/index.ts';

export interface SchemaField {
  /** Unique within the schema, such as `items[].price`. */
  path: string;
  name: string;
  /** Nesting depth, from 0. */
  depth: number;
  type: string;
  optional: boolean;
  description: string;
}

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The fields of a JSON Schema. An object's fields follow it. */
export function fieldsOf(schema: unknown, path = '', depth = 0): SchemaField[] {
  const within = objectIn(schema);
  if (!within || depth > 8) return [];
  const required = new Set(asArray(within.object.required));
  const properties = isSchema(within.object.properties) ? within.object.properties : {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = `${path}${within.suffix}${path || within.suffix ? '.' : ''}${name}`;
    const field: SchemaField = {
      path: own,
      name,
      depth,
      type: typeOf(property),
      optional: !required.has(name),
      description: isSchema(property) && typeof property.description === 'string' ? property.description : '',
    };
    return [field, ...fieldsOf(property, own, depth + 1)];
  });
}

/** The object with the fields: the items of a list, or the first alternative that has fields. */
function objectIn(schema: unknown, suffix = ''): { object: Schema; suffix: string } | null {
  if (!isSchema(schema)) return null;
  if (isSchema(schema.properties)) return { object: schema, suffix };
  if (isSchema(schema.items)) return objectIn(schema.items, `${suffix}[]`);
  for (const one of [...asArray(schema.anyOf), ...asArray(schema.oneOf), ...asArray(schema.allOf)]) {
    const found = objectIn(one, suffix);
    if (found) return found;
  }
  return null;
}

/** A name without a text, such as `null`, is shown as it is. */
const named = (type: string) => text.events.types[type] ?? type;

/** A type in words: `string or null`, `list of object`, `"cash" or "card"`. Without a known type it is `any`. */
function typeOf(schema: unknown): string {
  if (!isSchema(schema)) return named('any');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(text.events.or);
  const alternatives = [...asArray(schema.anyOf), ...asArray(schema.oneOf)];
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(text.events.or);
  return asArray(Array.isArray(schema.type) ? schema.type : [schema.type])
    .map((type) => nameOfType(type, schema))
    .join(text.events.or);
}

function nameOfType(type: unknown, { items, format }: Schema): string {
  if (type === 'array') return items === undefined ? named('array') : text.events.listOf(typeOf(items));
  if (type === 'string' && typeof format === 'string') return named(format);
  return named(typeof type === 'string' ? type : 'any');
}
