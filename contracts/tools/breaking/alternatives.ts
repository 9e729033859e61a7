import type { Schema } from '../../openapi/document.ts';
import { keywords, silent, walked } from './keywords.ts';
import { CannotJudge, canonical } from './rules.ts';

/** In OpenAPI 3.1 a schema may also be `true` (any value) or `false` (none). */
export type AnySchema = Schema | boolean;

interface ComposedSchema extends Schema {
  allOf?: AnySchema[];
  nullable?: boolean;
}

/**
 * Splits schemas into alternatives that contain plain keywords only: no `allOf`, `anyOf`, `oneOf`, `const`, `nullable` or list of types.
 * So schemas of different styles and versions compare as equal if they allow the same values.
 */
export class Alternatives {
  readonly #known = new Map<AnySchema, Schema[]>();
  readonly #joined = new Joined();
  /** Schemas that are being split. */
  readonly #open = new Set<AnySchema>();
  #metOpen = false;

  of(schema: AnySchema, place: string): Schema[] {
    const known = this.#known.get(schema);
    if (known) return known;
    const metBefore = this.#metOpen;
    this.#metOpen = false;
    this.#open.add(schema);
    const found = this.#split(schema, place);
    this.#open.delete(schema);
    // A result is kept only if it is complete: parts that are still being split were left out of it.
    if (!this.#metOpen) this.#known.set(schema, found);
    this.#metOpen = this.#open.size > 0 && (this.#metOpen || metBefore);
    return found;
  }

  #split(schema: AnySchema, place: string): Schema[] {
    if (typeof schema === 'boolean') return schema ? [{}] : [];
    const { allOf = [], anyOf, oneOf, nullable, ...own } = schema as ComposedSchema;
    const parts: Schema[][] = [
      ...[...new Set<AnySchema>(allOf)].map((part) => this.#part(part, place)),
      ...[anyOf, oneOf].flatMap((options) => this.#choice(options, place)),
    ];
    const split = parts.reduce<Schema[]>((so, part) => this.#combined(so, part, place), ofOneType(own));
    const allowsNull = split.some(({ type }) => type === undefined || type === 'null');
    return nullable === true && !allowsNull ? [...split, { type: 'null' }] : split;
  }

  /** A part of `allOf`. If the members of a union name their parent as a part, the parent counts without the union. */
  #part(part: AnySchema, place: string): Schema[] {
    if (!this.#open.has(part)) return this.of(part, place);
    this.#metOpen = true;
    const { allOf, anyOf, oneOf, nullable, ...own } = part as ComposedSchema;
    return ofOneType(own);
  }

  #choice(options: readonly AnySchema[] | undefined, place: string): Schema[][] {
    if (options === undefined) return [];
    if (!options.some((option) => this.#open.has(option)))
      return [withListsJoined(options.flatMap((option) => this.of(option, place)))];
    this.#metOpen = true;
    return [];
  }

  #combined(some: readonly Schema[], others: readonly Schema[], place: string): Schema[] {
    if (some.length * others.length > mostAlternatives)
      throw new CannotJudge(`${place}: allOf and anyOf make more than ${mostAlternatives} combinations.`);
    return some.flatMap((one) => others.map((other) => this.#both(one, other)).filter((found) => found !== undefined));
  }

  /** Returns the schema of the values that both allow, or undefined if their types or values exclude each other. */
  #both(one: Schema, other: Schema): Schema | undefined {
    const type = commonType(one.type as string | undefined, other.type as string | undefined);
    if (type === false) return undefined;
    const result: Schema = { ...one, ...other, ...(type !== undefined && { type }) };
    for (const [keyword, value] of Object.entries(one)) {
      if (keyword === 'type' || !(keyword in other) || value === other[keyword]) continue;
      result[keyword] = joint(keyword, value, other[keyword], this.#joined);
    }
    return Array.isArray(result.enum) && result.enum.length === 0 ? undefined : result;
  }
}

/** Joins schemas with `allOf`. The same schemas always give the same object, so that a comparison of recursive schemas ends. */
class Joined {
  readonly #ids = new Map<AnySchema, number>();
  readonly #known = new Map<string, Schema>();
  readonly #parts = new Map<AnySchema, readonly AnySchema[]>();

  of(one: AnySchema, other: AnySchema): AnySchema {
    if (one === other || other === true) return one;
    if (one === true) return other;
    const parts = [...new Set([one, other].flatMap((schema) => this.#parts.get(schema) ?? [schema]))];
    const key = parts
      .map((part) => this.#idOf(part))
      .sort((a, b) => a - b)
      .join();
    const known = this.#known.get(key) ?? ({ allOf: parts } as Schema);
    this.#known.set(key, known);
    this.#parts.set(known, parts);
    return known;
  }

  #idOf(schema: AnySchema): number {
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    return id;
  }
}

const mostAlternatives = 256;

/** Joins alternatives that differ in their lists of values only: a list written as `anyOf` of constants is a list. */
function withListsJoined(alternatives: readonly Schema[]): Schema[] {
  const keyOf = (schema: Schema) => {
    const restrictions = Object.entries(schema).filter(([keyword]) => keyword !== 'enum' && !silent.has(keyword));
    return Array.isArray(schema.enum) && !restrictions.some(([keyword]) => walked.has(keyword))
      ? canonical(Object.fromEntries(restrictions))
      : schema;
  };
  const groups = [...Map.groupBy(alternatives, keyOf).values()];
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    return typeof keyOf(first) === 'string' ? [{ ...first, enum: group.flatMap((one) => one.enum ?? []) }] : group;
  });
}

/** The names of the earlier drafts of JSON Schema that OpenAPI 3.0 uses for exclusive bounds. */
const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

function withoutBooleanBounds(schema: Schema): Schema {
  const result = { ...schema };
  for (const [bound, exclusive] of bounds) {
    if (typeof result[exclusive] !== 'boolean') continue;
    if (result[exclusive] === true && result[bound] !== undefined) {
      result[exclusive] = result[bound];
      delete result[bound];
    } else delete result[exclusive];
  }
  return result;
}

function ofOneType(schema: Schema): Schema[] {
  const { type, enum: values, const: only, ...rest } = withoutBooleanBounds(schema);
  const types = type === undefined ? [undefined] : [type].flat();
  const allowed = 'const' in schema ? [only] : values;
  const typed = (one: string | undefined): Schema => (one === undefined ? rest : { ...rest, type: one });
  if (!Array.isArray(allowed)) return types.map(typed);
  return groupsOf(allowed.filter((value) => types.some((one) => one === undefined || hasType(value, one)))).map(([one, group]) =>
    one === 'null' ? { type: one } : { ...typed(one), ...(hasEveryValue(one, group) ? {} : { enum: group }) },
  );
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

const hasType = (value: unknown, type: string) => (type === 'integer' ? Number.isInteger(value) : typeOf(value) === type);

/** Groups the values of a list by their type, which a schema need not name. */
function groupsOf(values: readonly unknown[]): [string, unknown[]][] {
  const groups = [...Map.groupBy(values, typeOf)];
  return groups.map(([type, group]) => [type === 'number' && group.every(Number.isInteger) ? 'integer' : type, group]);
}

const hasEveryValue = (type: string, values: readonly unknown[]) => type === 'boolean' && new Set(values).size === 2;

function commonType(one: string | undefined, other: string | undefined): string | undefined | false {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  return [one, other].sort().join() === 'integer,number' ? 'integer' : false;
}

/** Both schemas have the keyword, with different values. */
function joint(keyword: string, one: unknown, other: unknown, joined: Joined): unknown {
  if (keyword === 'properties') return jointFields(one as Record<string, AnySchema>, other as Record<string, AnySchema>, joined);
  if (keyword === 'required') return [...new Set([...(one as string[]), ...(other as string[])])];
  if (keyword === 'enum') return (one as unknown[]).filter((value) => isListed(other as unknown[], value));
  if (walked.has(keyword)) return one === false || other === false ? false : joined.of(one as AnySchema, other as AnySchema);
  const { bound } = keywords[keyword] ?? {};
  if (bound === 'lower') return Math.max(one as number, other as number);
  if (bound === 'upper') return Math.min(one as number, other as number);
  if (silent.has(keyword) || keyword.startsWith('x-') || canonical(one) === canonical(other)) return other;
  return [one, other].map((value) => canonical(value)).sort();
}

const isListed = (values: readonly unknown[], value: unknown) => values.some((one) => canonical(one) === canonical(value));

function jointFields(
  one: Record<string, AnySchema>,
  other: Record<string, AnySchema>,
  joined: Joined,
): Record<string, AnySchema> {
  const shared = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const together = shared.map((name) => [name, joined.of(one[name] as AnySchema, other[name] as AnySchema)]);
  return { ...one, ...other, ...Object.fromEntries(together) };
}
