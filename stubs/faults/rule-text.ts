import { durationText, parseDuration } from './duration.ts';
import { FaultError } from './errors.ts';
import { checkFault, checkRule, kinds, methods } from './rule.ts';
import type { Fault, FaultRule } from './types.ts';

/** One option of the text form: the field it is, and how its value is read and written. */
interface Option {
  field: string;
  read(text: string): unknown;
  write(value: never): string;
}

const time = (field: string): Option => ({ field, read: parseDuration, write: durationText });
const number = (field: string): Option => ({ field, read: parseNumber, write: String });
const word = (field: string): Option => ({ field, read: (text) => text, write: String });

const ruleOptions: Readonly<Record<string, Option>> = {
  times: number('times'),
  after: number('after'),
  probability: number('probability'),
  per: word('per'),
  id: word('id'),
};

/** Each kind's options; the one named as the kind is its value: `status=503`. */
const faultOptions: Readonly<Record<Fault['kind'], Readonly<Record<string, Option>>>> = {
  delay: {
    delay: time('ms'),
    mean: time('meanMs'),
    deviation: time('deviationMs'),
    median: time('medianMs'),
    sigma: number('sigma'),
    stage: word('stage'),
  },
  status: { status: number('status'), retry: time('retryAfterMs') },
  reset: { stage: word('stage') },
  truncated: { share: number('share') },
  malformed: {},
  slow: { slow: time('overMs'), pieces: number('pieces') },
  'rate-limit': { limit: number('limit'), retry: time('retryAfterMs') },
  'token-expired': {},
};

const example = 'A rule looks like "createSale:status=503,times=2", "*:delay=200ms..2s" or "GET /api/v1/inventory:reset".';

/**
 * Reads a rule as flags write it: which calls, a colon, the fault, and options after commas.
 *
 *     createSale:status=503,times=2
 *     *:delay=200ms..2s
 *     readInventory:reset,probability=0.1
 *     POST /api/v1/sales:slow=3s,pieces=20,per=caller,times=1
 *
 * Throws only `FaultError`, whose message says what is wrong.
 */
export function parseRule(text: string): FaultRule {
  // The last one: a path may have colons, options have none.
  const colon = text.lastIndexOf(':');
  try {
    if (colon < 0) throw new FaultError('it has no ":"');
    const [fault = '', ...options] = text.slice(colon + 1).split(',');
    const { kind, fields } = parseFields(fault, options, ruleOptions);
    const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in ruleOptions)));
    const shared = Object.fromEntries(Object.entries(fields).filter(([name]) => name in ruleOptions));
    return checkRule({ ...parseCalls(text.slice(0, colon)), ...shared, fault: { kind, ...own } });
  } catch (error) {
    if (error instanceof FaultError)
      throw new FaultError(`"${text.slice(0, 200)}": ${error.message.replace(/\.?$/, '.')} ${example}`);
    throw error;
  }
}

/** Reads a fault alone: `status=503`, with options such as `retry=5s`. Throws only `FaultError`. */
export function parseFault(text: string, options: readonly string[] = []): Fault {
  const { kind, fields } = parseFields(text, options, {});
  return checkFault({ kind, ...fields });
}

/** The text form of a rule: `parseRule` reads it as the same rule. */
export function ruleText(rule: FaultRule): string {
  const calls = [rule.operation, rule.method, rule.path].filter((part) => part !== undefined).join(' ') || '*';
  return `${calls}:${[...faultWords(rule.fault), ...written(ruleOptions, rule)].join(',')}`;
}

function parseCalls(text: string): Partial<FaultRule> {
  const calls: Record<string, string> = {};
  if (text.trim() === '*') return calls;
  for (const part of text.split(' ').filter(Boolean)) {
    const field = fieldOfCalls(part);
    if (field in calls) throw new FaultError(`"${part}" is a second ${field}.`);
    calls[field] = part;
  }
  if (Object.keys(calls).length === 0) throw new FaultError('it does not say which calls: an operation, a path, or * for all.');
  return calls;
}

function fieldOfCalls(part: string): 'path' | 'method' | 'operation' {
  if (part.startsWith('/')) return 'path';
  return (methods as readonly string[]).includes(part) ? 'method' : 'operation';
}

function parseFields(fault: string, options: readonly string[], more: Readonly<Record<string, Option>>) {
  const [kind, value] = pair(fault);
  if (!isKind(kind)) throw new FaultError(`"${kind}" is no fault. There are: ${kinds.join(', ')}.`);
  const known: Readonly<Record<string, Option>> = { ...faultOptions[kind], ...more };
  const fields: Record<string, unknown> = {};
  const set = (name: string, text: string | undefined) => {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!option) throw new FaultError(`"${name}" is no option of ${kind}. It takes: ${Object.keys(known).join(', ') || 'none'}.`);
    if (text === undefined || text === '') throw new FaultError(`${name} needs a value: ${name}=...`);
    if (option.field in fields) throw new FaultError(`${name} is given twice.`);
    fields[option.field] = option.read(text);
  };

  if (kind === 'delay' && value?.includes('..')) Object.assign(fields, parseRange(value));
  else if (value !== undefined) set(kind, value);
  for (const option of options) {
    const [name, text] = pair(option);
    // The kind is not its own option: `delay,delay=2s` says it twice.
    if (name === kind) throw new FaultError(`${name} is given twice.`);
    set(name, text);
  }
  return { kind, fields };
}

function parseRange(text: string): { fromMs: number; toMs: number } {
  const [from = '', to = '', ...surplus] = text.split('..');
  if (surplus.length > 0) throw new FaultError(`"${text}" is no range. Write 200ms..2s.`);
  return { fromMs: parseDuration(from), toMs: parseDuration(to) };
}

function pair(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function isKind(text: string): text is Fault['kind'] {
  return (kinds as readonly string[]).includes(text);
}

function parseNumber(text: string): number {
  const value = /^\d[\d.e+-]*$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new FaultError(`"${text}" is no number.`);
}

function faultWords(fault: Fault): string[] {
  const { [fault.kind]: main, ...others } = faultOptions[fault.kind];
  const [value] = main ? written({ [fault.kind]: main }, fault) : [];
  return [value ?? rangeText(fault) ?? fault.kind, ...written(others, fault)];
}

function rangeText(fault: Fault): string | undefined {
  if (fault.kind !== 'delay' || fault.fromMs === undefined || fault.toMs === undefined) return undefined;
  return `delay=${durationText(fault.fromMs)}..${durationText(fault.toMs)}`;
}

function written(options: Readonly<Record<string, Option>>, values: object): string[] {
  return Object.entries(options).flatMap(([name, { field, write }]) => {
    const value = (values as Record<string, unknown>)[field];
    return value === undefined ? [] : [`${name}=${write(value as never)}`];
  });
}
