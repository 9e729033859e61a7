import { inspect } from 'node:util';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { nearestOf } from '../gateway/base/nearest.ts';

/** What an option, a field or an argument takes. */
export interface Kind {
  /** In words, after "must be". */
  takes: string;
  accepts(value: unknown): boolean;
  /** The known fields of an object, or of each object of a list. */
  fields?: Fields;
  /** The word for one of the fields, such as `a field of an endpoint`. Default: that of the object around it. */
  fieldIs?: string;
  /** True if the value must be given. */
  isRequired?: boolean;
}

export type Fields<T = Record<string, unknown>> = { readonly [Name in keyof T]-?: Kind };

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

export const text: Kind = { takes: 'text', accepts: isText };
export const flag: Kind = { takes: 'true or false', accepts: (value) => typeof value === 'boolean' };
export const callback: Kind = { takes: 'a function', accepts: (value) => typeof value === 'function' };
export const anyObject: Kind = { takes: 'an object', accepts: isObject };
export const textOrNumber: Kind = { takes: 'text or a number', accepts: (value) => isText(value) || typeof value === 'number' };
export const textOrObject: Kind = { takes: 'text or an object', accepts: (value) => isText(value) || isObject(value) };

export const whole = (least: number, most: number): Kind => ({
  takes: `a whole number from ${least} to ${most}`,
  accepts: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
});

export const oneOf = (...names: readonly string[]): Kind => ({
  takes: names.join(', ').replace(/, ([^,]*)$/, ' or $1'),
  accepts: (value) => isText(value) && names.includes(value),
});

export const instance = <T>(takes: string, of: new (...args: never[]) => T): Kind => ({
  takes,
  accepts: (value) => value instanceof of,
});

export const either = (one: Kind, ...others: readonly Kind[]): Kind => ({
  takes: [one, ...others].map(({ takes }) => takes).join(' or '),
  accepts: (value) => [one, ...others].some(({ accepts }) => accepts(value)),
});

export const listOf = ({ takes, accepts, fields, fieldIs }: Kind): Kind => ({
  takes: `a list, in which each is ${takes}`,
  accepts: (value) => Array.isArray(value) && Array.from(value).every(accepts),
  ...(fields && { fields }),
  ...(fieldIs && { fieldIs }),
});

/** An object with no fields but these. */
export const objectWith = <T>(fields: Fields<T>, fieldIs?: string): Kind => ({
  ...anyObject,
  fields: fields as Fields,
  ...(fieldIs && { fieldIs }),
});

export const required = (kind: Kind): Kind => ({ ...kind, isRequired: true });

/**
 * Throws `CouldNotRun` if the value is not of this kind, or if one of its fields is unknown or not of its kind. `fieldIs`:
 * such as `an option of startStub`.
 */
export function refuseWrong(value: unknown, kind: Kind, name: string, fieldIs: string): void {
  if (value === undefined && !kind.isRequired) return;
  if (!kind.accepts(value)) throw new CouldNotRun(`${name} must be ${kind.takes}, got ${shown(value)}.`);
  const { fields } = kind;
  if (fields === undefined) return;
  const called = kind.fieldIs ?? fieldIs;
  for (const [at, one] of [value].flat().entries()) {
    if (!isObject(one)) continue;
    refuseUnknown(one, fields, called);
    const within = Array.isArray(value) ? `${name}[${at}]` : name;
    for (const [field, of] of Object.entries(fields)) refuseWrong(Reflect.get(one, field), of, `${within}.${field}`, called);
  }
}

/** Throws `CouldNotRun` for a field that is not known, with the nearest that is. `what`: such as `an option of startStub`. */
function refuseUnknown(given: object, known: Readonly<Record<string, unknown>>, what: string): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new CouldNotRun(`"${unknown}" is not ${what}. Did you mean ${nearestOf(unknown, names)}?`);
}

/** The value for a message, cut. Never throws. */
export function shown(value: unknown): string {
  try {
    const words = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
    return words.length > 80 ? `${words.slice(0, 80)}...` : words;
  } catch {
    return `a value of type ${typeof value}`;
  }
}
