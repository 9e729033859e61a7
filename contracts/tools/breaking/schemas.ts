import type { Schema } from '../../openapi/document.ts';
import { keywords, silent, walked, withoutConst } from './keywords.ts';
import { CannotJudge, type Change, change, type Direction } from './rules.ts';

const anything: Schema = {};

function assertKnown(schema: Schema, place: string): void {
  const known = new Set([...Object.keys(keywords), ...walked, ...silent]);
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword) && !keyword.startsWith('x-'));
  if (unknown !== undefined) throw new CannotJudge(`${place}: there is no rule for the keyword ${unknown}.`);
}

/**
 * Returns the alternatives of a schema: the members of `anyOf` and `oneOf`, and one per type of a type list. Our `oneOf` are
 * discriminated, so no value fits two of them.
 */
function alternativesOf(schema: Schema): Schema[] {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const { [keyword]: options, ...shared } = schema;
    if (options !== undefined) return options.flatMap((option) => alternativesOf({ ...shared, ...option }));
  }
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

function compareKeywords(before: Schema, after: Schema, direction: Direction, place: string): Change[] {
  return Object.entries(keywords).flatMap(([keyword, { shift }]) => {
    const { narrower, wider } = shift(before[keyword], after[keyword]);
    const named = (value: unknown) => ({ [keyword]: value });
    if (direction === 'sent' && narrower) return [change('narrowed', place, named(before[keyword]), named(after[keyword]))];
    if (direction === 'received' && wider) return [change('widened', place, named(before[keyword]), named(after[keyword]))];
    return [];
  });
}

function compareFields(before: Schema, after: Schema, direction: Direction, place: string): Change[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const [wasRequired, isRequired] = [new Set(before.required), new Set(after.required)];
  const kept = Object.keys(old).flatMap((name) => {
    const [from, to] = [old[name] as Schema, now[name]];
    const at = `${place}.${name}`;
    if (to === undefined) return [change('field-removed', at, from)];
    const optional = direction === 'received' && wasRequired.has(name) && !isRequired.has(name);
    return [
      ...(optional ? [change('field-optional', at, 'required', 'optional')] : []),
      ...compareSchemas(from, to, direction, at),
    ];
  });
  const required = direction === 'sent' ? [...isRequired].filter((name) => !wasRequired.has(name)) : [];
  const was = (name: string) => (name in old ? 'optional' : undefined);
  return [...kept, ...required.map((name) => change('field-required', `${place}.${name}`, was(name), 'required'))];
}

const schemaOf = (value: Schema | boolean | undefined): Schema | undefined => (typeof value === 'boolean' ? undefined : value);

/** Compares `additionalProperties`. More fields in a reply do not break a consumer. */
function compareOtherFields(before: Schema, after: Schema, direction: Direction, place: string): Change[] {
  const [old, now] = [before.additionalProperties ?? true, after.additionalProperties ?? true];
  const at = `${place}.*`;
  if (now === false && old !== false)
    return old === true && direction === 'received' ? [] : [change('field-removed', at, old, now)];
  if (old === false) return [];
  return compareSchemas(schemaOf(old) ?? anything, schemaOf(now) ?? anything, direction, at);
}

function compareSingle(before: Schema, after: Schema, direction: Direction, place: string): Change[] {
  const inner = (keyword: 'items' | 'propertyNames', at: string) =>
    before[keyword] === undefined && after[keyword] === undefined
      ? []
      : compareSchemas((before[keyword] as Schema) ?? anything, (after[keyword] as Schema) ?? anything, direction, at);
  return [
    ...compareKeywords(before, after, direction, place),
    ...compareFields(before, after, direction, place),
    ...(before.properties || before.additionalProperties !== undefined || after.additionalProperties !== undefined
      ? compareOtherFields(before, after, direction, place)
      : []),
    ...inner('items', `${place}[]`),
    ...inner('propertyNames', `${place} (names of fields)`),
  ];
}

/** Checks that each required alternative fits one of the others; otherwise returns the differences to the most similar one. */
function compareAlternatives(before: Schema[], after: Schema[], direction: Direction, place: string): Change[] {
  const [needy, offered] = direction === 'sent' ? [before, after] : [after, before];
  return needy.flatMap((one) => {
    const attempts = offered.map((other) =>
      direction === 'sent' ? compareSingle(one, other, direction, place) : compareSingle(other, one, direction, place),
    );
    if (attempts.some((changes) => changes.length === 0)) return [];
    const alike = offered.findIndex(({ type }) => type === one.type);
    const likeliest = attempts[alike];
    if (likeliest !== undefined) return likeliest;
    return direction === 'sent' ? [change('narrowed', place, one, after)] : [change('widened', place, before, one)];
  });
}

/** Returns the changes between two schemas that break a consumer which sends or receives such values. */
export function compareSchemas(from: Schema, to: Schema, direction: Direction, place: string): Change[] {
  const [before, after] = [withoutConst(from), withoutConst(to)];
  for (const schema of [before, after]) assertKnown(schema, place);
  const defaults =
    direction === 'sent' && 'default' in before && JSON.stringify(before.default) !== JSON.stringify(after.default)
      ? [change('default-changed', place, before.default, after.default)]
      : [];
  const [old, now] = [alternativesOf(before).map(withoutConst), alternativesOf(after).map(withoutConst)];
  for (const schema of [...old, ...now]) assertKnown(schema, place);
  const [only, other] = [old[0], now[0]];
  const isSingle = old.length === 1 && now.length === 1 && only !== undefined && other !== undefined;
  return [
    ...defaults,
    ...(isSingle ? compareSingle(only, other, direction, place) : compareAlternatives(old, now, direction, place)),
  ];
}
