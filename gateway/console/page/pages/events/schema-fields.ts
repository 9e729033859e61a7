export interface SchemaField {
  /** `items[].price`: unique within its schema. */
  path: string;
  name: string;
  /** How deep it is nested, from 0. */
  depth: number;
  type: string;
  optional: boolean;
  description: string;
}

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The fields of a JSON Schema for people, each object's own right after it. What it does not know it calls `any`. */
export function fieldsOf(schema: unknown, path = '', depth = 0): SchemaField[] {
  const within = innerOf(schema);
  if (!within || depth > 8) return [];
  const required = new Set(listOf(within.object.required));
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

/** The object whose fields are to be named: of a list that of its members, of alternatives the first that has any. */
function innerOf(schema: unknown, suffix = ''): { object: Schema; suffix: string } | null {
  if (!isSchema(schema)) return null;
  if (isSchema(schema.properties)) return { object: schema, suffix };
  if (isSchema(schema.items)) return innerOf(schema.items, `${suffix}[]`);
  for (const one of [...listOf(schema.anyOf), ...listOf(schema.oneOf), ...listOf(schema.allOf)]) {
    const found = innerOf(one, suffix);
    if (found) return found;
  }
  return null;
}

/** A type in words: `string or null`, `list of object`, `"cash" or "card"`. */
export function typeOf(schema: unknown): string {
  if (!isSchema(schema)) return 'any';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(' or ');
  return listOf(Array.isArray(schema.type) ? schema.type : [schema.type])
    .map((type) => named(type, schema))
    .join(' or ');
}

function named(type: unknown, { items, format }: Schema): string {
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  if (type === 'string' && typeof format === 'string') return format === 'date-time' ? 'instant' : format;
  return typeof type === 'string' ? type : 'any';
}
