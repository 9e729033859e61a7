import { durationText } from '../../gateway/base/duration.ts';
import { didYouMean, nearestOf } from '../../gateway/base/nearest.ts';
import { FaultError } from './errors.ts';
import { kindNames, kindOf } from './kinds.ts';
import { number, type Option, readTime, time, word } from './options.ts';
import { checkRule, methods } from './rule.ts';
import type { Fault, FaultRule } from './types.ts';
import { parseWhen, whenWords } from './when.ts';

/** The options of every rule, by the words of its text form. */
const ruleOptions: Readonly<Record<string, Option>> = {
  times: number('times'),
  after: number('after'),
  for: time('forMs'),
  probability: number('probability'),
  per: word('per'),
  id: word('id'),
};

const ruleFields = new Set(Object.values(ruleOptions).map(({ field }) => field));

const example = 'A rule looks like "createSale:status=503,times=2", "*:delay=200ms..2s" or "GET /api/v1/inventory:reset".';

/**
 * Reads a rule in its text form: the calls, a colon, the fault, and options after commas.
 *
 *     createSale:status=503,times=2
 *     *:delay=200ms..2s
 *     readInventory:reset,probability=0.1
 *     POST /api/v1/sales:slow=3s,pieces=20,per=caller,times=1
 *
 * Throws only `FaultError`, whose message says what is wrong.
 */
export function parseRule(text: string): FaultRule {
  // A path may contain colons. Options never do, so the last colon separates them.
  const colon = text.lastIndexOf(':');
  try {
    if (colon < 0) throw new FaultError('it has no ":"');
    const [fault = '', ...options] = text.slice(colon + 1).split(',');
    const { when, others } = parseWhen(options);
    const { kind, fields } = parseFields(fault, others, ruleOptions);
    const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !ruleFields.has(name)));
    const shared = Object.fromEntries(Object.entries(fields).filter(([name]) => ruleFields.has(name)));
    const rule = { ...parseCalls(text.slice(0, colon)), ...shared, ...(when && { when }), fault: { kind, ...own } };
    return checkWritten(rule, kind, ruleOptions);
  } catch (error) {
    if (error instanceof FaultError)
      throw new FaultError(`"${text.slice(0, 200)}": ${error.message.replace(/\.?$/, '.')} ${example}`);
    throw error;
  }
}

/** Reads a fault without its calls: `status=503`, with options such as `retry=5s`. Throws only `FaultError`. */
export function parseFault(text: string, options: readonly string[] = []): Fault {
  const { kind, fields } = parseFields(text, options, {});
  return checkWritten({ fault: { kind, ...fields } }, kind, {}).fault;
}

/** Checks a rule that was read from its text form. Refusals name the words of that form in place of fields. */
function checkWritten(rule: object & { fault: object }, kind: Fault['kind'], more: Readonly<Record<string, Option>>): FaultRule {
  try {
    return checkRule(rule);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    const { form, options } = kindOf({ kind });
    const messages = error.details.map(({ field, message }) => {
      const [, own] = /^fault\.?(.*)$/.exec(field) ?? [];
      if (form !== undefined && own !== undefined && !(own in rule.fault)) return `write ${form}`;
      const [word] = Object.entries({ ...options, ...more }).find(([, option]) => option.field === (own ?? field)) ?? [];
      return `${word ?? (own === undefined ? field : kind)}: ${message}`;
    });
    throw new FaultError(messages.join('; '));
  }
}

/**
 * Writes a rule in its text form, which `parseRule` reads as the same rule. A reply's own headers and body have no text form,
 * nor have values with commas or colons.
 */
export function ruleText(rule: FaultRule): string {
  const calls = [rule.operation, rule.method, rule.path].filter((part) => part !== undefined).join(' ') || '*';
  return `${calls}:${[...faultWords(rule.fault), ...written(ruleOptions, rule), ...whenWords(rule.when)].join(',')}`;
}

function parseCalls(text: string): Partial<FaultRule> {
  const calls: Record<string, string> = {};
  if (text.trim() === '*') return calls;
  for (const part of text.split(' ').filter(Boolean)) {
    const field = fieldOfCalls(part);
    if (field in calls) throw new FaultError(`"${part}" is a second ${field}. A rule has one.`);
    calls[field] = field === 'method' ? (methodOf(part) ?? part) : part;
  }
  if (Object.keys(calls).length === 0) throw new FaultError('it names no calls. Write an operation, a path, or * for all calls.');
  return calls;
}

const methodOf = (part: string) => methods.find((method) => method === part.toUpperCase());

function fieldOfCalls(part: string): 'path' | 'method' | 'operation' {
  if (part.startsWith('/')) return 'path';
  return methodOf(part) === undefined ? 'operation' : 'method';
}

function parseFields(fault: string, options: readonly string[], more: Readonly<Record<string, Option>>) {
  const [kind, value] = pair(fault);
  if (!isKind(kind)) {
    const meant = otherWord(kind, value);
    const hint = meant === undefined ? didYouMean(kind, kindNames) : `Did you mean ${meant}? `;
    throw new FaultError(`"${kind}" is not a fault. ${hint}The faults are: ${kindNames.join(', ')}.`);
  }
  const known: Readonly<Record<string, Option>> = { ...kindOf({ kind }).options, ...more };
  const fields: Record<string, unknown> = {};
  const set = (name: string, text: string | undefined) => {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!option && name === kind) throw new FaultError(`${name} takes no value.${optionsText(Object.keys(known))}`);
    if (!option) throw new FaultError(`"${name}" is not an option of ${kind}. ${hintOf(name, Object.keys(known))}`);
    if (text === undefined || text === '') throw new FaultError(`${name} needs a value: ${name}=...`);
    if (option.field in fields) throw new FaultError(`${name} is given twice.`);
    fields[option.field] = option.read(text);
  };

  if (kind === 'delay' && value?.includes('..')) Object.assign(fields, parseRange(value));
  else if (value !== undefined) set(kind, value);
  for (const option of options) {
    const [name, text] = pair(option);
    // `delay,delay=2s` names the kind twice.
    if (name === kind) throw new FaultError(`${name} is given twice.`);
    set(name, text);
  }
  return { kind, fields };
}

const hintOf = (name: string, known: readonly string[]) =>
  known.length === 0 ? 'It has none.' : `Did you mean ${nearestOf(name, known)}?${optionsText(known)}`;

const optionsText = (known: readonly string[]) => (known.length === 0 ? '' : ` Its options: ${known.join(', ')}.`);

function parseRange(text: string): { fromMs: number; toMs: number } {
  const [from = '', to = '', ...surplus] = text.split('..');
  if (surplus.length > 0) throw new FaultError(`"${text}" is not a range. Write 200ms..2s.`);
  const range = { fromMs: readTime(from), toMs: readTime(to) };
  if (range.fromMs > range.toMs)
    throw new FaultError(`"${text}" is not a range. Write the shorter time first, such as 200ms..2s.`);
  return range;
}

function pair(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Words for faults in other tools and in `Prefer`. */
const otherWords: Readonly<Record<string, Fault['kind']>> = {
  code: 'status',
  error: 'status',
  http: 'status',
  maintenance: 'down',
  outage: 'down',
  latency: 'delay',
  wait: 'delay',
  sleep: 'delay',
  timeout: 'delay',
  disconnect: 'reset',
  abort: 'reset',
  drop: 'reset',
  close: 'empty',
  stall: 'hang',
  chunk: 'malformed-chunk',
  throughput: 'bandwidth',
  expired: 'token-expired',
  throttle: 'rate-limit',
  limit: 'rate-limit',
};

/** The fault that another word, or a bare status, means; undefined if it is not known. */
function otherWord(word: string, value: string | undefined): string | undefined {
  if (/^[2-5]\d\d$/.test(word)) return `status=${word}`;
  const kind = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  return kind === 'status' && value !== undefined ? `status=${value}` : kind;
}

const isKind = (text: string): text is Fault['kind'] => (kindNames as readonly string[]).includes(text);

function faultWords(fault: Fault): string[] {
  const { [fault.kind]: main, ...others } = kindOf(fault).options;
  const [value] = main ? written({ [fault.kind]: main }, fault) : [];
  return [value ?? rangeText(fault) ?? fault.kind, ...written(others, fault)];
}

function rangeText(fault: Fault): string | undefined {
  if (fault.kind !== 'delay' || fault.fromMs === undefined || fault.toMs === undefined) return undefined;
  return `delay=${durationText(fault.fromMs)}..${durationText(fault.toMs)}`;
}

const written = (options: Readonly<Record<string, Option>>, values: object): string[] =>
  Object.entries(options).flatMap(([name, { field, write }]) => {
    const value = (values as Record<string, unknown>)[field];
    return value === undefined ? [] : [`${name}=${write(value)}`];
  });
