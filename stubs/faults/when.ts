import { FaultError } from './errors.ts';
import type { FaultCondition } from './types.ts';

/** The parts of a request that conditions look at. */
export interface RequestFacts {
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, unknown>>;
  /** The parsed body; undefined before it is parsed. */
  body?: unknown;
}

type Place = keyof FaultCondition;

/** Where the value of a condition is in a request. */
const readers: { readonly [P in Place]-?: (request: RequestFacts, name: string) => unknown } = {
  body: ({ body }, path) => valueAt(body, path),
  query: ({ query }, name) => own(query, name),
  header: ({ headers }, name) => own(headers, name.toLowerCase()),
};

export const places = Object.keys(readers) as Place[];

/** Returns true if the request meets every condition in these places. Values are compared as text: `5000` equals `"5000"`. */
export const meets = (request: RequestFacts, when: FaultCondition = {}, only: readonly Place[] = places): boolean =>
  only.every((place) =>
    Object.entries(when[place] ?? {}).every(([name, wanted]) => {
      const value = readers[place](request, name);
      return (typeof value !== 'object' || value === null) && value !== undefined && String(value) === String(wanted);
    }),
  );

/** Returns the value at a dotted path such as `items.0.product_id`. */
function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, step) => own(value, step), body);
}

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const conditionPattern = new RegExp(`^(${places.join('|')})\\.([^=]+)=(.*)$`);

/** Takes the conditions out of the options of a rule's text form: `body.payment_method=cash`. */
export function parseWhen(options: readonly string[]): { when?: FaultCondition; others: string[] } {
  const when: Record<string, Record<string, string>> = {};
  const others: string[] = [];
  for (const option of options) {
    const [, place = '', name = '', value = ''] = conditionPattern.exec(option.trim()) ?? [];
    if (place === '') {
      others.push(option);
      continue;
    }
    const ofPlace = when[place] ?? {};
    if (Object.hasOwn(ofPlace, name)) throw new FaultError(`${place}.${name} is given twice.`);
    when[place] = Object.defineProperty(ofPlace, name, { value, enumerable: true });
  }
  return Object.keys(when).length === 0 ? { others } : { when, others };
}

/** Writes the conditions as options of a rule's text form. */
export const whenWords = (when: FaultCondition = {}): string[] =>
  places.flatMap((place) => Object.entries(when[place] ?? {}).map(([name, value]) => `${place}.${name}=${value}`));
