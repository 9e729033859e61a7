import { z } from 'zod';
import { invalid } from '../../base/errors.ts';
import { parseInstant } from '../../base/instants.ts';
import { didYouMean } from '../../base/nearest.ts';
import { isObject, isOperator, logicalOperators, type OperatorName, operators, orderOf } from '../model/payload-filter.ts';
import type { EventDefinition } from '../outbox/event.ts';

/** Maximum characters of a filter's JSON. It bounds what a filter costs for each event. */
const maxFilterText = 4000;

/** What a schema says of a value. A field that several event types have may have several shapes. */
interface Shape {
  type?: string | undefined;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  /** A time as the payload has it, whose offset is always the same. */
  sentAs?: string;
  minimum?: number;
  maximum?: number;
}
interface Schema extends Omit<Shape, 'type'> {
  type?: string | string[];
  anyOf?: Schema[];
}

/**
 * Checks a filter (JSON) against the schemas of the events that it applies to. Throws `invalid` for what no event can have: a field that
 * none of them has, a value of another type, or one outside a list.
 */
export function checkFilter(filter: string, definitions: readonly EventDefinition[]): void {
  if (filter.length > maxFilterText)
    throw invalid(
      'filter',
      'too_long',
      `The filter is longer than ${maxFilterText} characters of JSON. Split it over endpoints.`,
    );
  checkCondition(JSON.parse(filter), { shapes: definitions.map(envelopeOf), path: '' });
}

const envelopes = new WeakMap<EventDefinition, Shape>();

function envelopeOf(definition: EventDefinition): Shape {
  const known = envelopes.get(definition);
  if (known) return known;
  const data = z.toJSONSchema(definition.data, { io: 'output' }) as Schema;
  const event = { type: 'string', const: definition.type };
  const delivered_at = { type: 'string', format: 'date-time', sentAs: '2026-11-21T08:53:00+00:00' };
  const made = { type: 'object', properties: { event, delivered_at, data } };
  envelopes.set(definition, made);
  return made;
}

/** Where a condition stands, and what the payload can have there. */
interface Place {
  shapes: readonly Shape[];
  path: string;
}

const nameOf = ({ path }: Place) => (path === '' ? 'The payload' : path);

const refuse = ({ path }: Place, rule: string, message: string) =>
  invalid(path === '' ? 'filter' : `filter.${path}`, rule, message);

function checkCondition(condition: unknown, place: Place): void {
  if (!isObject(condition)) checkOperand('$eq', condition, place);
  else if (Object.keys(condition).length === 0)
    throw refuse(
      place,
      'empty',
      'An empty condition matches everything. Name a field or an operator, or send null as the filter.',
    );
  else {
    for (const [key, one] of Object.entries(condition)) checkKey(key, one, place);
    checkRange(condition, place);
  }
}

function checkKey(key: string, condition: unknown, place: Place): void {
  if (key === '$not') checkCondition(condition, place);
  else if (key === '$or' || key === '$and') {
    if (!Array.isArray(condition) || condition.length === 0)
      throw refuse(place, 'not_a_list', `${key} takes a list of conditions, such as {"${key}": [{…}, {…}]}.`);
    for (const one of condition) checkCondition(one, place);
  } else if (isOperator(key)) checkOperand(key, condition, place);
  else if (key.startsWith('$')) throw unknownOperator(key, place);
  else checkCondition(condition, fieldOf(key, place));
}

function unknownOperator(key: string, place: Place): Error {
  const known = [...Object.keys(operators), ...logicalOperators];
  const message = `There is no operator ${key}. ${didYouMean(key, known)}The operators are ${known.join(', ')}.`;
  return refuse(place, 'unknown_operator', message);
}

function fieldOf(name: string, { shapes, path }: Place): Place {
  const fields = shapes.flatMap(itemsOf).flatMap(({ properties }) => Object.entries(properties ?? {}));
  const within: Place = { path: path === '' ? name : `${path}.${name}`, shapes: [] };
  const named = fields.flatMap(([field, schema]) => (field === name ? shapesOf(schema) : []));
  if (named.length > 0) return { ...within, shapes: named };
  const known = [...new Set(fields.map(([field]) => field))];
  const where = nameOf({ path, shapes });
  throw refuse(
    within,
    'unknown_field',
    known.length === 0
      ? `${where} has no fields.`
      : `${where} has no field "${name}" in these events. ${didYouMean(name, known)}Its fields are ${known.join(', ')}.`,
  );
}

const shapesOf = ({ anyOf, type, ...schema }: Schema): Shape[] =>
  anyOf ? anyOf.flatMap(shapesOf) : [type].flat().map((one) => ({ ...schema, type: one }));

/** A condition on an array is one on its items. */
const itemsOf = (shape: Shape): Shape[] =>
  shape.type === 'array' && shape.items ? shapesOf(shape.items).flatMap(itemsOf) : [shape];

interface OperandPlace extends Place {
  operator: OperatorName;
}

type CheckOperand = (operand: unknown, place: OperandPlace) => void;

const wrongOperand = (operand: unknown, wanted: string, place: OperandPlace) =>
  refuse(place, 'wrong_operand', `${place.operator} takes ${wanted}, not ${JSON.stringify(operand)}.`);

const checkText: CheckOperand = (operand, place) => {
  if (typeof operand !== 'string') throw wrongOperand(operand, 'a text', place);
  const texts = place.shapes.filter(({ type }) => type === 'string');
  if (texts.length === 0) throw wrongType(operand, place);
  if (!texts.some((shape) => canHave(shape, operand, place))) throw impossiblePart(operand, texts, place);
};

/** Returns false if the operator holds for no value of the field: no fixed value, and no time, has this part. */
function canHave(shape: Shape, part: string, { operator }: OperandPlace): boolean {
  const holds = operators[operator === '$nin' ? '$in' : operator];
  const has = (value: unknown) => holds(value, part as never);
  if (shape.enum) return shape.enum.some(has);
  if ('const' in shape) return has(shape.const);
  return shape.format !== 'date-time' || timesWith(part, sentAs(shape)).some(has);
}

const sentAs = ({ sentAs: own }: Shape): string => own ?? '2026-11-21T08:53:00.000Z';

/** With a part in one of these, each day, hour and minute is possible. Their years are leap years. */
const someTimes = ['2000-01-01T00:00:00', '2020-10-10T10:10:10', '2020-10-20T20:20:20', '2012-10-30T00:30:30'];

/** Returns what follows the seconds of a time. */
const endOf = (time: string): string => time.slice('2000-01-01T00:00:00'.length);

/** Returns times in the form of `sent` in which `part` stands somewhere. */
function timesWith(part: string, sent: string): string[] {
  const form = endOf(sent).replace(/\.\d{3}/, '.000');
  const isInForm = (time: string) => parseInstant(time) !== undefined && endOf(time).replace(/\.\d{3}/, '.000') === form;
  const places = Array.from({ length: Math.max(0, sent.length - part.length + 1) }, (_, at) => at);
  return someTimes.flatMap((start) => {
    const time = start + form;
    return places.map((at) => time.slice(0, at) + part + time.slice(at + part.length)).filter(isInForm);
  });
}

const saysOfPart = { $startsWith: 'begins with', $endsWith: 'ends with' } as const;

function impossiblePart(part: string, shapes: readonly Shape[], place: OperandPlace): Error {
  const { operator } = place;
  const says = operator === '$startsWith' || operator === '$endsWith' ? saysOfPart[operator] : 'contains';
  const time = shapes.find(({ format }) => format === 'date-time');
  const advice = time ? adviceOnTime(part, sentAs(time), operator) : adviceOnValues(part, shapes);
  return refuse(place, 'impossible_value', `${nameOf(place)} never ${says} ${JSON.stringify(part)}. ${advice}`);
}

function adviceOnTime(part: string, sent: string, operator: OperatorName): string {
  const isList = operator === '$in' || operator === '$nin';
  if (isList && parseInstant(part) !== undefined) return `Write {"${operator}": ${JSON.stringify([part])}} for this time.`;
  return `It is a time in UTC, such as "${sent}". Write {"$gte": …, "$lt": …} for a range of times, with any offset.`;
}

function adviceOnValues(value: unknown, shapes: readonly Shape[]): string {
  const listed = shapes.flatMap((shape) => shape.enum ?? ('const' in shape ? [shape.const] : [])).map(String);
  if (listed.length === 0) return '';
  return `${didYouMean(String(value), listed)}It is one of ${[...new Set(listed)].join(', ')}.`;
}

const checkList: CheckOperand = (operand, place) => {
  if (typeof operand === 'string') return checkText(operand, place);
  if (!Array.isArray(operand) || operand.length === 0)
    throw wrongOperand(operand, 'a list of values, or a part of a text', place);
  for (const one of operand) checkValue(one, place);
};

/** The bound of a comparison need not be a possible value of the field: a condition may ask whether a whole number is above 1.5. */
const checkBound: CheckOperand = (operand, place) => {
  if (typeof operand !== 'number' && typeof operand !== 'string') throw wrongOperand(operand, 'a number or a text', place);
  const shapes = place.shapes.map(({ type, format }) => ({ type: type === 'integer' ? 'number' : type, format }));
  checkValue(operand, { ...place, shapes });
};

const checkBoolean: CheckOperand = (operand, place) => {
  if (typeof operand !== 'boolean') throw wrongOperand(operand, 'true or false', place);
};

const operandChecks: Record<OperatorName, CheckOperand> = {
  $eq: checkValue,
  $neq: checkValue,
  $gt: checkBound,
  $gte: checkBound,
  $lt: checkBound,
  $lte: checkBound,
  $in: checkList,
  $nin: checkList,
  $startsWith: checkText,
  $endsWith: checkText,
  $exist: checkBoolean,
};

function checkOperand(operator: OperatorName, operand: unknown, { shapes, path }: Place): void {
  operandChecks[operator](operand, { operator, path, shapes: shapes.flatMap(itemsOf) });
}

/** Throws unless the place can have this value. */
function checkValue(value: unknown, place: OperandPlace): void {
  if (Array.isArray(value))
    throw wrongOperand(value, `one value. Write {"$in": ${JSON.stringify(value)}} for one of these`, place);
  if (isObject(value)) throw wrongOperand(value, 'a text, a number, true, false or null', place);
  const typed = place.shapes.filter(({ type }) => type === typeOf(value) || (type === 'integer' && typeof value === 'number'));
  if (typed.length === 0) throw wrongType(value, place);
  if (typed.some((shape) => canBe(shape, value))) return;
  const ofType =
    typeof value === 'string'
      ? 'It is a date with a time and an offset, such as "2026-11-21T08:53:00Z".'
      : 'It is a whole number.';
  const advice = adviceOnValues(value, typed) || ofType;
  throw refuse(place, 'impossible_value', `${nameOf(place)} is never ${JSON.stringify(value)}. ${advice}`);
}

const typeOf = (value: unknown) => (value === null ? 'null' : typeof value);

function canBe(shape: Shape, value: unknown): boolean {
  if (shape.enum) return shape.enum.includes(value);
  if ('const' in shape) return shape.const === value;
  if (shape.type === 'integer') return Number.isInteger(value);
  return shape.format !== 'date-time' || parseInstant(value as string) !== undefined;
}

function wrongType(value: unknown, place: Place): Error {
  const types = [...new Set(place.shapes.map(({ type }) => type))];
  const isQuoted = typeof value === 'string' && types.includes('number') && value.trim() !== '' && !Number.isNaN(Number(value));
  const advice = isQuoted ? ` Write ${Number(value)} without quotes.` : '';
  const message = `${nameOf(place)} is of the type ${types.join(' or ')} and never ${JSON.stringify(value)}.${advice}`;
  return refuse(place, 'wrong_type', message);
}

/** Refuses a range that holds nothing, such as {"$gte": 10, "$lt": 5}. */
function checkRange({ $gt, $gte, $lt, $lte }: Record<string, unknown>, place: Place): void {
  const [low, high] = [$gte ?? $gt, $lte ?? $lt];
  const order = orderOf(low, high);
  if (order === undefined) return;
  const holdsOne = $gte !== undefined && $lte !== undefined;
  if (order < 0 || (order === 0 && holdsOne)) return;
  const message = `${nameOf(place)} cannot be above ${JSON.stringify(low)} and below ${JSON.stringify(high)}.`;
  throw refuse(place, 'impossible_value', message);
}
