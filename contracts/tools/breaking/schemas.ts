import type { Schema } from '../../openapi/document.ts';
import { Alternatives, type AnySchema } from './alternatives.ts';
import { isUnknown, keywords } from './keywords.ts';
import { type Change, canonical, change, type Direction, type RuleName } from './rules.ts';

/** Lists of changes of one schema beyond this are cut: a component that contains itself in many ways has no end of places. */
const mostChanges = 1000;

/** Returns the changes of a part as changes of the whole. */
const within = (place: string, changes: readonly Change[]): Change[] =>
  changes.map((one) => ({ ...one, place: `${place}${one.place}` }));

/** Compares schemas. It remembers what it compared, because many operations share their components. */
export class SchemaComparison {
  readonly #alternatives = new Alternatives();
  readonly #known = new Map<string, Change[]>();
  readonly #ids = new Map<unknown, number>();
  /** True for values that are written as text: then a number is a text too. */
  readonly #isText: boolean;
  /** The pairs under comparison, from the outermost. */
  readonly #open: string[] = [];
  /** The outermost pair that the comparison met again within itself. */
  #outermostMet = Number.POSITIVE_INFINITY;

  constructor({ isText = false } = {}) {
    this.#isText = isText;
  }

  /** Returns the changes that may affect a consumer. `direction` says whether it sends or receives the values. */
  compare(from: AnySchema, to: AnySchema, direction: Direction, place: string): Change[] {
    return within(place, this.#relative(from, to, direction, place));
  }

  #relative(from: AnySchema, to: AnySchema, direction: Direction, place: string): Change[] {
    const key = `${this.#idOf(from)} ${this.#idOf(to)} ${direction}`;
    return this.#known.get(key) ?? this.#compared(key, () => this.#changes(from, to, direction, place));
  }

  #idOf(schema: unknown): number {
    const known = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, known);
    return known;
  }

  /** Compares a pair for the first time. If a pair occurs within itself, it counts as equal there, and everything else decides. */
  #compared(key: string, changes: () => Change[]): Change[] {
    const at = this.#open.indexOf(key);
    if (at >= 0) {
      this.#outermostMet = Math.min(this.#outermostMet, at);
      return [];
    }
    const metBefore = this.#outermostMet;
    this.#outermostMet = Number.POSITIVE_INFINITY;
    const depth = this.#open.push(key) - 1;
    const found = changes().slice(0, mostChanges);
    this.#open.pop();
    // A result that depends on an outer pair is valid only within that pair, so it is not kept.
    const restsOnOuter = this.#outermostMet < depth;
    if (!restsOnOuter) this.#known.set(key, found);
    this.#outermostMet = Math.min(metBefore, restsOnOuter ? this.#outermostMet : Number.POSITIVE_INFINITY);
    return found;
  }

  #changes(from: AnySchema, to: AnySchema, direction: Direction, place: string): Change[] {
    const [old, now] = [this.#alternatives.of(from, place), this.#alternatives.of(to, place)];
    const [only, other] = [old[0], now[0]];
    const isSingle = old.length === 1 && now.length === 1 && only !== undefined && other !== undefined;
    return [
      ...compareDefaults(from, to, direction, this.#isText ? asText : (value) => value),
      ...(isSingle ? this.#single(only, other, direction, place) : this.#several(old, now, direction, place)),
    ];
  }

  #single(old: Schema, now: Schema, direction: Direction, place: string): Change[] {
    const before = this.#isText && direction === 'sent' && now.type === 'string' ? textOf(old) : old;
    const after = this.#isText && direction === 'received' && old.type === 'string' ? textOf(now) : now;
    return [
      ...compareKeywords(before, after, direction),
      ...compareUnknown(before, after),
      ...this.#fields(before, after, direction, place),
      ...this.#otherFields(before, after, direction, place),
      ...(['items', 'propertyNames'] as const).flatMap((keyword) =>
        this.#part(
          before[keyword] as AnySchema,
          after[keyword] as AnySchema,
          direction,
          place,
          keyword === 'items' ? '[]' : ' (names of fields)',
        ),
      ),
    ];
  }

  #part(from: AnySchema | undefined, to: AnySchema | undefined, direction: Direction, place: string, part: string): Change[] {
    if (from === undefined && to === undefined) return [];
    return within(part, this.#relative(from ?? true, to ?? true, direction, `${place}${part}`));
  }

  #fields(before: Schema, after: Schema, direction: Direction, place: string): Change[] {
    const [old, now] = [fieldsOf(before, direction), fieldsOf(after, direction)];
    const [wasRequired, isRequired] = [requiredOf(before, direction), requiredOf(after, direction)];
    const kept = Object.keys(old).flatMap((name) => {
      const [from, to] = [old[name] as AnySchema, Object.hasOwn(now, name) ? now[name] : undefined];
      const at = `.${name}`;
      if (to === undefined) return [change('field-removed', at, from)];
      const optional = direction === 'received' && wasRequired.has(name) && !isRequired.has(name);
      return [
        ...(optional ? [change('field-optional', at, 'required', 'optional')] : []),
        ...this.#part(from, to, direction, place, at),
      ];
    });
    const required = direction === 'sent' ? [...isRequired].filter((name) => !wasRequired.has(name)) : [];
    const was = (name: string) => (Object.hasOwn(old, name) ? 'optional' : undefined);
    return [...kept, ...required.map((name) => change('field-required', `.${name}`, was(name), 'required'))];
  }

  /** Compares `additionalProperties`. More fields in a reply do not break a consumer. */
  #otherFields(before: Schema, after: Schema, direction: Direction, place: string): Change[] {
    const [old, now] = [otherFieldsOf(before), otherFieldsOf(after)];
    const at = '.*';
    if (now === false && old !== false)
      return isAnything(old) && direction === 'received' ? [] : [change('field-removed', at, old, now)];
    if (old === false) return [];
    return isAnything(old) && isAnything(now) ? [] : this.#part(old, now, direction, place, at);
  }

  /** Checks that each required alternative fits one of the others; otherwise returns the differences to the most similar one. */
  #several(before: Schema[], after: Schema[], direction: Direction, place: string): Change[] {
    // No value fits the new schema, so a consumer never gets the value that it expects.
    if (direction === 'received' && before.length > 0 && after.length === 0) return [change('widened', '', before, false)];
    const [needy, offered] = direction === 'sent' ? [before, after] : [after, before];
    const attempts = needy.map((one, at) =>
      offered.map((other, position) => ({
        other,
        distance: Math.abs(position - at),
        isAlike: other.type === one.type,
        changes: direction === 'sent' ? this.#single(one, other, direction, place) : this.#single(other, one, direction, place),
      })),
    );
    const fits = ({ changes }: { changes: Change[] }) => changes.length === 0;
    const taken = new Set(attempts.flatMap((tried) => tried.filter(fits).map(({ other }) => other)));
    const open = needy.flatMap((one, at) => {
      const tried = (attempts[at] ?? []).filter(({ isAlike }) => isAlike);
      const best = tried.sort((a, b) => a.changes.length - b.changes.length || a.distance - b.distance);
      return attempts[at]?.some(fits) ? [] : [{ one, best }];
    });
    // The most similar pairs come first, so that a new variant is not matched with one that only changed.
    const difference = ({ best }: (typeof open)[number]) => best[0]?.changes.length ?? 0;
    const constants = (schema: Schema) => this.#constantsOf(schema, place);
    const isSame = (one: Schema, other: Schema) => sharesConstant(constants(one), constants(other)) === true;
    const closest = open.toSorted((a, b) => difference(a) - difference(b));
    const sure = (entry: (typeof open)[number]) => entry.best.some(({ other }) => isSame(entry.one, other));
    const found = [...closest.filter(sure), ...closest.filter((entry) => !sure(entry))].flatMap(({ one, best }) => {
      if (best[0] === undefined)
        return direction === 'sent' ? [change('narrowed', '', one, after)] : [change('widened', '', before, one)];
      if (one.properties === undefined) return best[0].changes;
      const free = best.filter(({ other }) => !taken.has(other) && sharesConstant(constants(one), constants(other)) !== false);
      const pair = free.find(({ other }) => isSame(one, other)) ?? free[0];
      if (pair === undefined)
        return direction === 'sent' ? [change('variant-removed', '', one)] : [change('variant-added', '', undefined, one)];
      taken.add(pair.other);
      return pair.changes;
    });
    return [...new Map(found.map((one) => [canonical(one), one])).values()];
  }

  /** The fields of a variant that have one value only, which tells it from the others. */
  #constantsOf({ properties = {} }: Schema, place: string): Map<string, string> {
    const known = Object.entries(properties).flatMap(([name, schema]): [string, string][] => {
      const [only, ...others] = this.#alternatives.of(schema as AnySchema, `${place}.${name}`);
      const isOne = only !== undefined && others.length === 0 && Array.isArray(only.enum) && only.enum.length === 1;
      return isOne ? [[name, canonical(only.enum?.[0])]] : [];
    });
    return new Map(known);
  }
}

/** Returns true if two variants have the same constant, false if they differ in one, and undefined if they share none. */
function sharesConstant(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean | undefined {
  const shared = [...one.keys()].filter((name) => other.has(name));
  return shared.length === 0 ? undefined : shared.every((name) => one.get(name) === other.get(name));
}

/** Returns the changes between two schemas that may affect a consumer. `direction` says whether it sends or receives the values. */
export const compareSchemas = (from: AnySchema, to: AnySchema, direction: Direction, place: string): Change[] =>
  new SchemaComparison().compare(from, to, direction, place);

/** Returns a keyword of the schema, or of a part of its `allOf`. */
function stated(schema: AnySchema | undefined, keyword: string, depth = 8): unknown {
  if (typeof schema !== 'object' || schema === null || depth === 0) return undefined;
  if (schema[keyword] !== undefined) return schema[keyword];
  const parts = (schema.allOf ?? []) as AnySchema[];
  return parts.map((part) => stated(part, keyword, depth - 1)).find((found) => found !== undefined);
}

const scalars: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean']);
const asText = (value: unknown) => (scalars.has(typeof value) ? String(value) : value);

/** Returns the schema of the texts that stand for a number or boolean; other schemas as they are. */
function textOf(schema: Schema): Schema {
  if (!scalars.has(schema.type)) return schema;
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  return { ...schema, type: 'string', ...(values && { enum: values.map(asText) }) };
}

function compareDefaults(from: AnySchema, to: AnySchema, direction: Direction, written: (value: unknown) => unknown): Change[] {
  const [old, now] = [stated(from, 'default'), stated(to, 'default')];
  const differs = old !== undefined && canonical(written(old)) !== canonical(written(now));
  return direction === 'sent' && differs ? [change('default-changed', '', old, now)] : [];
}

function compareKeywords(before: Schema, after: Schema, direction: Direction): Change[] {
  return Object.entries(keywords).flatMap(([keyword, { shift, isLimit, beside = keyword }]) => {
    const [old, now] = [before[keyword], after[keyword]];
    const { narrower, wider } = shift(old, now, before, after);
    const shown = (schema: Schema) => ({ [keyword]: schema[keyword], [beside]: schema[beside] });
    const found = (rule: RuleName) => [change(rule, '', shown(before), shown(after))];
    if (direction === 'sent') return narrower ? found('narrowed') : [];
    if (!wider) return [];
    if (isLimit) return found('bound-loosened');
    return found(keyword === 'enum' && !narrower && now !== undefined ? 'value-added' : 'widened');
  });
}

function compareUnknown(before: Schema, after: Schema): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isUnknown);
  const changed = names.filter((name) => canonical(before[name]) !== canonical(after[name]));
  return changed.map((name) => change('not-judged', '', { [name]: before[name] }, { [name]: after[name] }));
}

/** The fields that go in this direction: a reply has no `writeOnly` ones, and a call need not send `readOnly` ones. */
function fieldsOf({ properties = {} }: Schema, direction: Direction): Record<string, AnySchema> {
  const hidden = direction === 'sent' ? 'readOnly' : 'writeOnly';
  return Object.fromEntries(Object.entries(properties).filter(([, schema]) => stated(schema, hidden) !== true));
}

function requiredOf(schema: Schema, direction: Direction): Set<string> {
  const hidden = direction === 'sent' ? 'readOnly' : 'writeOnly';
  // Earlier drafts of JSON Schema have `required: true` at the field.
  const required = Array.isArray(schema.required) ? schema.required : [];
  return new Set(required.filter((name) => stated(schema.properties?.[name], hidden) !== true));
}

const otherFieldsOf = (schema: Schema): AnySchema =>
  (schema.additionalProperties ?? (schema.unevaluatedProperties as AnySchema | undefined) ?? true) as AnySchema;

const isAnything = (schema: AnySchema) => schema === true || (typeof schema === 'object' && Object.keys(schema).length === 0);
