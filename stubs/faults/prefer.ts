import { nearOf } from '../../gateway/base/nearest.ts';
import type { Examples } from '../examples/reply.ts';
import type { ChosenFaults } from './applied.ts';
import { FaultError } from './errors.ts';
import { drawnMs } from './faults.ts';
import { kindNames, kindOf } from './kinds.ts';
import type { Random } from './random.ts';
import { parseFault } from './rule-text.ts';
import type { ExampleFault, Fault } from './types.ts';

/** One preference of RFC 7240: `slow=3s;pieces=4`. */
export interface Preference {
  /** In lower case. */
  name: string;
  value: string | undefined;
  /** `pieces=4` */
  parameters: string[];
  /** True if this is no preference: `code:503` has only its name. */
  isMalformed?: true;
}

/** The result of reading a request's `Prefer` header. */
export interface Wishes {
  chosen: ChosenFaults;
  /** Preferences for the header Preference-Applied. */
  applied: string[];
  /** Preferences that another one excludes, each with the reason. */
  ignored: string[];
  /**
   * Preferences for which the request is refused, each with the reason: whoever misspells one wants no real reply, which may have
   * stored a sale. With `handling=strict`, a preference that another one excludes is refused too.
   */
  refused: string[];
}

const knownNames = ['handling', 'code', ...kindNames];

/** Reads the preferences of a request as faults. Unknown ones are ignored (RFC 7240, section 2) unless their name is near a known one. */
export function wishesOf(header: string, operation: string | undefined, random: Random, examples: Examples): Wishes {
  const wishes: Wishes = { chosen: {}, applied: [], ignored: [], refused: [] };
  let isStrict = false;
  for (const preference of parsePrefer(header)) {
    const nearest = nearOf(preference.name, knownNames);
    if (nearest === undefined) continue;
    const text = preferenceText(preference);
    try {
      if (nearest !== preference.name) throw new FaultError(`"${preference.name}" is not a preference. Did you mean ${nearest}?`);
      if (preference.isMalformed) throw new FaultError(`a preference looks like ${nearest}=VALUE`);
      if (nearest === 'handling') {
        isStrict = isStrictHandling(preference);
        continue;
      }
      const excludedBy = wish(wishes.chosen, preference, { operation, random, examples });
      if (excludedBy) wishes.ignored.push(`${text} ("${excludedBy}" takes precedence)`);
      else wishes.applied.push(text);
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      wishes.refused.push(`${text} (${error.message})`);
    }
  }
  if (isStrict) wishes.refused.push(...wishes.ignored);
  return wishes;
}

function isStrictHandling({ value = '' }: Preference): boolean {
  if (value === 'strict' || value === 'lenient') return value === 'strict';
  throw new FaultError('handling must be strict or lenient');
}

interface WishContext {
  operation: string | undefined;
  random: Random;
  examples: Examples;
}

/** Adds the fault of a preference to those chosen. Returns the preference that takes precedence, if one does. Throws `FaultError`. */
function wish(chosen: ChosenFaults, preference: Preference, context: WishContext): string | undefined {
  const { operation, random, examples } = context;
  const { name, value, parameters } = preference;
  const kind = name === 'code' ? 'status' : name;
  if (kind === 'status') checkStatus(value, context);
  // RFC 7240 counts in seconds (`wait=10`), so a number without a unit means seconds.
  const given = kind === 'delay' && value !== undefined && /^\d+$/.test(value) ? `${value}s` : value;
  const fault = parseFault(given === undefined ? kind : `${kind}=${given}`, parameters);
  if (kindOf(fault).isOfWebhooks)
    throw new FaultError(
      `it is about webhooks, and a preference about this call. Add a fault rule, such as *:${kind},times=1, with --fault or POST /_stub/faults`,
    );
  const source = `Prefer: ${preferenceText(preference)}`;
  if (fault.kind === 'delay') {
    if (chosen.delay) return chosen.delay.source;
    chosen.delay = { source, fault, ms: drawnMs(fault, random) };
    return undefined;
  }
  const { outcome } = chosen;
  if (fault.kind === 'example') checkExample(fault, operation, examples);
  // `code=404, example=gone` names the status and the example.
  const agree = outcome && agreeing(outcome.fault, fault, (name) => examples.find(operation, name)?.status);
  if (outcome && !agree) return outcome.source;
  chosen.outcome = outcome
    ? { ...outcome, source: `${outcome.source}, ${preferenceText(preference)}`, fault: agree ?? fault }
    : { source, fault, ms: 0 };
  return undefined;
}

/** Refuses a status that the operation never answers with. */
function checkStatus(value: string | undefined, { operation, examples }: WishContext): void {
  const statuses = examples.statusesOf(operation);
  if (statuses.length === 0 || statuses.some((one) => String(one) === value)) return;
  const given = value === undefined ? 'it has no status' : `${operation} does not answer ${value}`;
  throw new FaultError(
    `${given}. Its statuses are ${statuses.join(', ')}. A fault rule such as ${operation}:status=418,times=1 sends any status.`,
  );
}

function checkExample({ name }: ExampleFault, operation: string | undefined, examples: Examples): void {
  if (examples.find(operation, name)) return;
  if (operation === undefined) throw new FaultError('this path is not an operation');
  throw new FaultError(`${operation} has no example "${name}". ${examples.hint(operation, name ?? '')}`);
}

type Outcome = Exclude<Fault, { kind: 'delay' }>;

/** If one is a status, and the other an example with that status, returns the example. */
function agreeing(one: Outcome, other: Outcome, statusOf: (name: string | undefined) => number | undefined): Outcome | undefined {
  const [status, example] = one.kind === 'status' ? [one, other] : [other, one];
  if (status.kind !== 'status' || example.kind !== 'example') return undefined;
  const retryAfterMs = example.retryAfterMs ?? status.retryAfterMs;
  return statusOf(example.name) === status.status ? { ...example, retryAfterMs } : undefined;
}

const token = "[!#$%&'*+.^_`|~\\w-]+";
const preferencePattern = new RegExp(`^(${token})(?:[ \\t]*=[ \\t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")?)?$`);

/** Reads `Prefer` (RFC 7240, section 2). Names ignore case, the first of a name counts, and parts without a name are skipped. */
export function parsePrefer(header: string): Preference[] {
  const preferences = new Map<string, Preference>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [first = '', ...more] = splitOutsideQuotes(element, ';');
    const preference = pairOf(first) ?? malformed(first);
    if (!preference || preferences.has(preference.name)) continue;
    const parameters = more
      .map((text) => text.trim())
      .filter(Boolean)
      .map((text) => {
        const pair = pairOf(text);
        return pair ? pairText(pair) : text;
      });
    preferences.set(preference.name, { ...preference, parameters });
  }
  return [...preferences.values()];
}

type Pair = Omit<Preference, 'parameters'>;

function pairOf(text: string): Pair | undefined {
  const match = preferencePattern.exec(text.trim());
  if (!match?.[1]) return undefined;
  // An empty value is the same as no value (section 2).
  return { name: match[1].toLowerCase(), value: (match[2] ?? match[3]?.replace(/\\(.)/g, '$1')) || undefined };
}

function malformed(text: string): Pair | undefined {
  const [, name, value] = new RegExp(`^(${token})(.*)$`).exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), value, isMalformed: true };
}

/** Writes a preference for Preference-Applied, quoted where necessary. */
function preferenceText({ name, value, parameters, isMalformed }: Preference): string {
  if (isMalformed) return `${name}${value}`;
  const written = value === undefined || /^[\w.-]+$/.test(value) ? value : JSON.stringify(value);
  return [pairText({ name, value: written }), ...parameters].join('; ');
}

const pairText = ({ name, value }: Pair): string => (value === undefined ? name : `${name}=${value}`);

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\' && quoted) at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
