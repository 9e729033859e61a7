/** The kinds of values that the documents name. */
const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
};

/** Returns the check of the kind that a behaviour's words name. Without one, any value will do. */
export function isOfKind(says: string): (value: unknown) => boolean {
  const [, kind = ''] = /\| (integer|number|string|boolean|array)/.exec(`| ${says}`) ?? [];
  return kinds[kind] ?? ((value) => value !== undefined);
}

/** The values at a behaviour's place, such as `data.*.code`. An empty list has none. */
export function valuesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (name === undefined) return [value];
  if (name === '*') return (Array.isArray(value) ? value : [undefined]).flatMap((one) => valuesAt(one, rest));
  return valuesAt((value as Record<string, unknown> | null | undefined)?.[name], rest);
}
