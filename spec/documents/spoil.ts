import { isRecord, type Json } from '../json.ts';

/** How a documented field is spoilt: by its value, which is undefined if it is left out. */
export type Spoil = (value: unknown) => unknown;

export const leftOut: Spoil = () => undefined;
export const ofAnotherType: Spoil = (value) => (typeof value === 'string' ? 7 : 'text');

/** Another value of the same type. A time stays one. */
export const withAnotherValue: Spoil = (value) => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.slice(1);
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d/.test(value) ? value.replace(/^\d{4}/, '1999') : `${value}-other`;
  return value;
};

/** Returns the steps to each field of the body that a place such as `data.*.code` means. */
function fieldsAt(body: unknown, [step = '', ...rest]: readonly string[]): string[][] {
  if (typeof body !== 'object' || body === null) return [];
  const names = step === '*' ? Object.keys(body) : [step].filter((name) => Object.hasOwn(body, name));
  return names.flatMap((name) => {
    const further = rest.length === 0 ? [[]] : fieldsAt((body as Json)[name], rest);
    return further.map((steps) => [name, ...steps]);
  });
}

/** Returns the body with these fields spoilt. */
export function spoilt(body: unknown, places: readonly string[], spoil: Spoil): unknown {
  const copy: unknown = structuredClone(body);
  // Two places may mean one field, which is spoilt once.
  const found = new Set(places.flatMap((place) => fieldsAt(copy, place.split('.'))).map((steps) => steps.join('.')));
  for (const field of found) {
    const steps = field.split('.');
    const name = steps.pop() as string;
    const holder = steps.reduce((inner, step) => inner[step] as Json, copy as Json);
    holder[name] = spoil(holder[name]);
  }
  return copy;
}

/** Returns the value with everything in it spoilt that is no list and no object. */
export function spoiltThroughout(value: unknown, spoil: Spoil): unknown {
  if (Array.isArray(value)) return value.map((one) => spoiltThroughout(one, spoil));
  if (!isRecord(value)) return spoil(value);
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, spoiltThroughout(held, spoil)]));
}
