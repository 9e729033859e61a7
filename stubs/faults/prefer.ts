import type { Examples } from '../examples/reply.ts';
import type { ChosenFaults } from './applied.ts';
import { FaultError } from './errors.ts';
import { drawnMs } from './faults.ts';
import { kindNames } from './kinds.ts';
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
}

/** The result of reading a request's `Prefer` header. */
export interface Wishes {
  chosen: ChosenFaults;
  /** Preferences for the header Preference-Applied. */
  applied: string[];
  /** Known preferences that cannot be applied, each with the reason. */
  ignored: string[];
  /** `handling=strict`, or an example that does not exist: refuse the request rather than ignore a preference. */
  strict: boolean;
}

/** The fault that each preference asks for. */
const faultOf: Readonly<Record<string, Fault['kind']>> = {
  code: 'status',
  ...Object.fromEntries(kindNames.map((kind) => [kind, kind])),
};

/** Reads the preferences of a request as faults. Unknown preferences are ignored (RFC 7240, section 2). */
export function wishesOf(header: string, operation: string | undefined, random: Random, examples: Examples): Wishes {
  const wishes: Wishes = { chosen: {}, applied: [], ignored: [], strict: false };
  for (const preference of parsePrefer(header)) {
    const { name, value } = preference;
    if (name === 'handling' && value === 'strict') wishes.strict = true;
    if (!Object.hasOwn(faultOf, name)) continue;
    try {
      wish(wishes.chosen, preference, { operation, random, examples });
      wishes.applied.push(preferenceText(preference));
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      wishes.ignored.push(`${preferenceText(preference)} (${error.message})`);
      // The caller wants no real reply: a sale would be stored.
      if (name === 'example' && operation !== undefined && !examples.find(operation, value)) wishes.strict = true;
    }
  }
  return wishes;
}

interface WishContext {
  operation: string | undefined;
  random: Random;
  examples: Examples;
}

function wish(chosen: ChosenFaults, preference: Preference, { operation, random, examples }: WishContext): void {
  const { name, value, parameters } = preference;
  const kind = faultOf[name] ?? '';
  // RFC 7240 counts in seconds (`wait=10`), so a number without a unit means seconds.
  const given = kind === 'delay' && value !== undefined && /^\d+$/.test(value) ? `${value}s` : value;
  const fault = parseFault(given === undefined ? kind : `${kind}=${given}`, parameters);
  const source = `Prefer: ${preferenceText(preference)}`;
  if (fault.kind === 'delay') {
    if (chosen.delay) throw new FaultError(`"${chosen.delay.source}" takes precedence`);
    chosen.delay = { source, fault, ms: drawnMs(fault, random) };
    return;
  }
  const { outcome } = chosen;
  if (fault.kind === 'example') checkExample(fault, operation, examples);
  // `code=404, example=gone` names the status and the example.
  const agree = outcome && agreeing(outcome.fault, fault, (name) => examples.find(operation, name)?.status);
  if (outcome && !agree) throw new FaultError(`"${outcome.source}" takes precedence`);
  chosen.outcome = outcome
    ? { ...outcome, source: `${outcome.source}, ${preferenceText(preference)}`, fault: agree ?? fault }
    : { source, fault, ms: 0 };
}

function checkExample({ name }: ExampleFault, operation: string | undefined, examples: Examples): void {
  if (examples.find(operation, name)) return;
  if (operation === undefined) throw new FaultError('this path is not an operation');
  throw new FaultError(`${operation} has no example "${name}". ${examples.hint(operation, name ?? '')}`);
}

type Outcome = Exclude<Fault, { kind: 'delay' }>;

/** Of a status and an example with that status, in either order, the example. */
function agreeing(one: Outcome, other: Outcome, statusOf: (name: string | undefined) => number | undefined): Outcome | undefined {
  const [status, example] = one.kind === 'status' ? [one, other] : [other, one];
  if (status.kind !== 'status' || example.kind !== 'example') return undefined;
  const retryAfterMs = example.retryAfterMs ?? status.retryAfterMs;
  return statusOf(example.name) === status.status ? { ...example, retryAfterMs } : undefined;
}

const token = "[!#$%&'*+.^_`|~\\w-]+";
const preferencePattern = new RegExp(`^(${token})(?:[ \\t]*=[ \\t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")?)?$`);

/** Reads `Prefer` (RFC 7240, section 2). Names ignore case, the first of a name counts, and invalid parts are skipped. */
export function parsePrefer(header: string): Preference[] {
  const preferences = new Map<string, Preference>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [first, ...more] = splitOutsideQuotes(element, ';').map(pairOf);
    if (!first || preferences.has(first.name)) continue;
    const parameters = more.flatMap((pair) => (pair ? [pairText(pair)] : []));
    preferences.set(first.name, { ...first, parameters });
  }
  return [...preferences.values()];
}

function pairOf(text: string): { name: string; value: string | undefined } | undefined {
  const match = preferencePattern.exec(text.trim());
  if (!match?.[1]) return undefined;
  // An empty value is the same as no value (section 2).
  return { name: match[1].toLowerCase(), value: (match[2] ?? match[3]?.replace(/\\(.)/g, '$1')) || undefined };
}

/** Writes a preference for Preference-Applied, quoted where necessary. */
function preferenceText({ name, value, parameters }: Preference): string {
  const written = value === undefined || /^[\w.-]+$/.test(value) ? value : JSON.stringify(value);
  return [pairText({ name, value: written }), ...parameters].join('; ');
}

function pairText({ name, value }: { name: string; value: string | undefined }): string {
  return value === undefined ? name : `${name}=${value}`;
}

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
