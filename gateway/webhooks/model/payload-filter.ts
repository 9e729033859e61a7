import { parseInstant } from '../../base/instants.ts';

/**
 * A filter on the payload of events, in the JSON grammar of Hookdeck Outpost's destination filters. Names lead to fields of the
 * payload, keys that begin with `$` are operators, and all conditions of an object must hold.
 */
export type PayloadFilter = { readonly [key: string]: unknown };

/** The first condition of a filter that a payload does not meet. `path` is empty for the whole payload. */
export interface FailedCondition {
  path: string;
  condition: unknown;
  /** What the payload has there; undefined if it has nothing. */
  value: unknown;
}

type Holds = (value: unknown, operand: never) => boolean;

/** True if the value, or one item of an array, satisfies the operator. */
const some =
  (holds: Holds): Holds =>
  (value, operand) =>
    (Array.isArray(value) ? value : [value]).some((one) => holds(one, operand));
const not =
  (holds: Holds): Holds =>
  (value, operand) =>
    !holds(value, operand);

/**
 * Returns how a value stands to an operand: below 0, 0 or above 0; undefined if they are of different types. Numbers, texts and instants are
 * compared, each by its type: one instant has several spellings.
 */
export function orderOf(value: unknown, operand: unknown): number | undefined {
  if (typeof value === 'number' && typeof operand === 'number') return value - operand;
  if (typeof value !== 'string' || typeof operand !== 'string') return undefined;
  const [at, other] = [parseInstant(value), parseInstant(operand)];
  if (at !== undefined && other !== undefined) return at - other;
  return value < operand ? -1 : Number(value > operand);
}

const compared = (fits: (order: number) => boolean): Holds =>
  some((value: unknown, operand: unknown) => {
    const order = orderOf(value, operand);
    return order !== undefined && fits(order);
  });

const isSame = (value: unknown, operand: unknown) => value === operand || orderOf(value, operand) === 0;
const equal = some(isSame);
/** `operand` is a list of values, or a part of a text. */
const within = some((value: unknown, operand: string | unknown[]) =>
  typeof operand === 'string' ? typeof value === 'string' && value.includes(operand) : operand.some((one) => isSame(value, one)),
);
const text = (fits: (value: string, operand: string) => boolean): Holds =>
  some((value: unknown, operand: string) => typeof value === 'string' && fits(value, operand));

/** The operators on the value of a field. `$neq` and `$nin` also hold for a missing field. */
export const operators = {
  $eq: equal,
  $neq: not(equal),
  $gt: compared((order) => order > 0),
  $gte: compared((order) => order >= 0),
  $lt: compared((order) => order < 0),
  $lte: compared((order) => order <= 0),
  $in: within,
  $nin: not(within),
  $startsWith: text((value, operand) => value.startsWith(operand)),
  $endsWith: text((value, operand) => value.endsWith(operand)),
  $exist: (value: unknown, operand: boolean) => (value !== undefined) === operand,
} satisfies Record<string, Holds>;
export type OperatorName = keyof typeof operators;

/** The operators on conditions. `$or` and `$and` take lists of them. */
export const logicalOperators = ['$or', '$and', '$not'] as const;

export const isOperator = (key: string): key is OperatorName => Object.hasOwn(operators, key);
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns undefined if the payload meets the filter. Expects a filter that `checkFilter` accepted. */
export function failedCondition(filter: unknown, value: unknown, path = ''): FailedCondition | undefined {
  const failed = (holds: boolean, condition: unknown) => (holds ? undefined : { path, condition, value });
  if (!isObject(filter)) return failed(equal(value, filter as never), filter);
  const namesFields = Object.keys(filter).some((key) => !key.startsWith('$'));
  if (namesFields && Array.isArray(value))
    return failed(
      value.some((item) => !failedCondition(filter, item)),
      filter,
    );
  for (const [key, condition] of Object.entries(filter)) {
    const found = failureOf(key, condition, { value, path, failed });
    if (found) return found;
  }
  return undefined;
}

interface At {
  value: unknown;
  path: string;
  failed(holds: boolean, condition: unknown): FailedCondition | undefined;
}

function failureOf(key: string, condition: unknown, { value, path, failed }: At): FailedCondition | undefined {
  const holds = (one: unknown) => failedCondition(one, value) === undefined;
  if (key === '$or') return failed((condition as unknown[]).some(holds), { $or: condition });
  if (key === '$not') return failed(!holds(condition), { $not: condition });
  if (key === '$and') {
    for (const one of condition as unknown[]) {
      const found = failedCondition(one, value, path);
      if (found) return found;
    }
    return undefined;
  }
  if (isOperator(key)) return failed(operators[key](value, condition as never), { [key]: condition });
  const field = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return failedCondition(condition, field, path === '' ? key : `${path}.${key}`);
}

/** Returns the endpoints whose filter (JSON) an event's body meets, or that have none. A body that is no JSON meets no filter. */
export function thoseThatMatch<E extends { filter: string | null }>(endpoints: readonly E[], body: string): readonly E[] {
  if (endpoints.every(({ filter }) => filter === null)) return endpoints;
  const payload = payloadOf(body);
  return endpoints.filter(({ filter }) => filter === null || failedCondition(JSON.parse(filter), payload) === undefined);
}

export function payloadOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
