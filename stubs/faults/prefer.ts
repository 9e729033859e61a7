import type { ChosenFaults } from './applied.ts';
import { FaultError } from './errors.ts';
import { drawnMs } from './faults.ts';
import { kindNames } from './kinds.ts';
import type { Random } from './random.ts';
import { parseFault } from './rule-text.ts';
import type { Fault } from './types.ts';

/** One preference of RFC 7240: `slow=3s;pieces=4`. */
export interface Preference {
  /** In lower case. */
  name: string;
  value: string | undefined;
  /** `pieces=4` */
  parameters: string[];
}

interface ExampleWish {
  operation: string | undefined;
  /** The reply's status; undefined means the success reply. */
  status: number | undefined;
  /** The example's name; undefined means the first one. */
  name: string | undefined;
}
export type ExampleOf = (wish: ExampleWish) => { status: number; body: unknown } | undefined;

/** The result of reading a request's `Prefer` header. */
export interface Wishes {
  chosen: ChosenFaults;
  /** Preferences for the header Preference-Applied. */
  applied: string[];
  /** Known preferences that cannot be applied, each with the reason. */
  ignored: string[];
  /** `handling=strict`: refuse the request rather than ignore a preference. */
  strict: boolean;
}

/** The fault that each preference asks for. */
const faultOf: Readonly<Record<string, Fault['kind']>> = {
  code: 'status',
  ...Object.fromEntries(kindNames.map((kind) => [kind, kind])),
};

/** Reads the preferences of a request as faults. Unknown preferences are ignored (RFC 7240, section 2). */
export function wishesOf(header: string, operation: string | undefined, random: Random, exampleOf?: ExampleOf): Wishes {
  const preferences = parsePrefer(header);
  const wishes: Wishes = { chosen: {}, applied: [], ignored: [], strict: false };
  const attempt = (preference: Preference, follow: () => void) => {
    try {
      follow();
      wishes.applied.push(preferenceText(preference));
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      wishes.ignored.push(`${preferenceText(preference)} (${error.message})`);
    }
  };

  for (const preference of preferences) {
    const { name, value } = preference;
    if (name === 'handling') wishes.strict = value === 'strict';
    else if (Object.hasOwn(faultOf, name)) attempt(preference, () => wishFault(wishes.chosen, preference, random));
  }
  const example = preferences.find(({ name }) => name === 'example');
  if (example) attempt(example, () => wishExample(wishes.chosen, example, operation, exampleOf));
  else fillWithExample(wishes.chosen, operation, exampleOf);
  return wishes;
}

function wishFault(chosen: ChosenFaults, preference: Preference, random: Random): void {
  const { name, value, parameters } = preference;
  const kind = faultOf[name] ?? '';
  // RFC 7240 counts in seconds (`wait=10`), so a number without a unit means seconds.
  const given = kind === 'delay' && value !== undefined && /^\d+$/.test(value) ? `${value}s` : value;
  const fault = parseFault(given === undefined ? kind : `${kind}=${given}`, parameters);
  const slot = fault.kind === 'delay' ? 'delay' : 'outcome';
  if (chosen[slot]) throw new FaultError(`"${chosen[slot].source}" takes precedence`);
  const ms = fault.kind === 'delay' ? drawnMs(fault, random) : 0;
  Object.assign(chosen, { [slot]: { source: `Prefer: ${preferenceText(preference)}`, fault, ms } });
}

/** `example=404` asks for the example of that reply, `example=name` for the one of that name. `code` beside it gives the status. */
function wishExample(chosen: ChosenFaults, { value }: Preference, operation: string | undefined, exampleOf?: ExampleOf): void {
  const { outcome } = chosen;
  if (outcome && outcome.fault.kind !== 'status') throw new FaultError(`"${outcome.source}" takes precedence`);
  const asStatus = outcome === undefined && /^[2-5]\d\d$/.test(value ?? '');
  const status = outcome?.fault.kind === 'status' ? outcome.fault.status : asStatus ? Number(value) : undefined;
  const found = exampleOf?.({ operation, status, name: asStatus ? undefined : value || undefined });
  if (!found)
    throw new FaultError(`the OpenAPI document has no such example for ${operation ?? 'this path, which is not an operation'}`);
  const source = [outcome?.source ?? 'Prefer:', value ? `example=${value}` : 'example'].join(outcome ? ', ' : ' ');
  chosen.outcome = { source, fault: { kind: 'status', status: found.status }, ms: 0, body: found.body };
}

/** `code=201` without `example` gets the body of a success reply instead of an error body. */
function fillWithExample(chosen: ChosenFaults, operation: string | undefined, exampleOf?: ExampleOf): void {
  const { outcome } = chosen;
  if (outcome?.fault.kind !== 'status' || outcome.fault.status >= 400) return;
  const found = exampleOf?.({ operation, status: outcome.fault.status, name: undefined });
  if (found) chosen.outcome = { ...outcome, body: found.body };
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
