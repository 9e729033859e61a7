/** The direction of a value, from the consumer's view. */
export type Direction =
  /** The consumer sends it: accepted values must stay accepted. */
  | 'sent'
  /** The consumer receives it: no new values may appear. */
  | 'received';

/** What a consumer of the old document observes. */
export type Severity =
  /** A call that worked is refused, a value that it reads is missing or has another type, or a result differs. */
  | 'breaking'
  /**
   * A value that it has never seen, or a change that the document alone cannot judge. A consumer that was written for such a
   * change notices nothing.
   */
  | 'risky'
  /** Nothing. */
  | 'harmless';

/** From the worst to the least. */
export const severities = ['breaking', 'risky', 'harmless'] as const satisfies readonly Severity[];

/** A difference between two documents. */
export interface Change {
  rule: RuleName;
  /** Such as `POST /api/v1/sales, reply 201, $.data.id`. */
  place: string;
  /** The value as JSON, if there is one. */
  before?: string;
  after?: string;
}

interface Rule {
  severity: Severity;
  what: string;
  /** The consequence for consumers. */
  why: string;
  /** The harmless change that the rule finds when the documents are swapped. */
  swapped?: keyof typeof harmless;
}

/** What a consumer of the old document does not notice. Each is another rule's change in the other direction. */
export const harmless = {
  'operation-added': 'The operation is new.',
  'event-added': 'The event is new.',
  'server-added': 'The base address is new.',
  'security-relaxed': 'The operation accepts another authorization too.',
  'ability-dropped': 'An ability is no longer required.',
  'throttle-looser': 'More calls are allowed.',
  'parameter-added': 'The optional parameter is new.',
  'parameter-optional': 'The parameter is now optional.',
  'body-added': 'A body is accepted.',
  'body-optional': 'The body is now optional.',
  'content-type-added': 'The content type is new.',
  'status-added': 'The status is new.',
  'refusal-added': 'The error status is new.',
  'success-named': 'The document now names the status.',
  'header-added': 'The header is new.',
  'header-always-sent': 'The header is now always sent.',
  'field-added': 'The field is new.',
  'field-not-required': 'The field is now optional.',
  'field-always-sent': 'The field is now always sent.',
  'more-values-accepted': 'More values are accepted.',
  'fewer-values-possible': 'Fewer values are possible.',
  'variant-accepted': 'A variant of the union is accepted too.',
  'variant-no-longer-sent': 'A variant of the union is no longer sent.',
  'value-no-longer-sent': 'A value of the list is no longer sent.',
  'bound-tightened': 'A bound or pattern of a received value is new or tighter.',
  'default-declared': 'The document now states the default.',
} as const;

/** What each kind of change means for consumers of the old document. */
export const rules = {
  'operation-removed': {
    severity: 'breaking',
    what: 'The operation was removed.',
    why: 'Calls get 404.',
    swapped: 'operation-added',
  },
  'event-removed': {
    severity: 'breaking',
    what: 'The event was removed.',
    why: 'Receivers wait for it in vain.',
    swapped: 'event-added',
  },
  'server-removed': {
    severity: 'breaking',
    what: 'The base address was removed.',
    why: 'Calls get 404.',
    swapped: 'server-added',
  },
  'security-tightened': {
    severity: 'breaking',
    what: 'The operation requires another authorization.',
    why: 'The old authorization gets 401 or 403.',
    swapped: 'security-relaxed',
  },
  'security-scheme-changed': {
    severity: 'breaking',
    what: 'The security scheme changed.',
    why: 'A token sent as before gets 401.',
  },
  'ability-required': {
    severity: 'breaking',
    what: 'A new ability is required.',
    why: 'Tokens without it get 403.',
    swapped: 'ability-dropped',
  },
  'throttle-stricter': {
    severity: 'breaking',
    what: 'Fewer calls are allowed.',
    why: 'Calls at the old rate get 429.',
    swapped: 'throttle-looser',
  },
  'parameter-removed': {
    severity: 'breaking',
    what: 'The parameter was removed.',
    why: 'Calls that send it are rejected, or it has no effect.',
    swapped: 'parameter-added',
  },
  'parameter-required': {
    severity: 'breaking',
    what: 'The parameter is now required.',
    why: 'Calls without it are rejected.',
    swapped: 'parameter-optional',
  },
  'serialization-changed': {
    severity: 'breaking',
    what: 'Lists or objects are written differently.',
    why: 'The old form is rejected, or read as another value.',
  },
  'body-removed': {
    severity: 'breaking',
    what: 'The body is no longer accepted.',
    why: 'Calls that send it are rejected, or the body is ignored.',
    swapped: 'body-added',
  },
  'body-required': {
    severity: 'breaking',
    what: 'A body is now required.',
    why: 'Calls without one are rejected.',
    swapped: 'body-optional',
  },
  'content-type-removed': {
    severity: 'breaking',
    what: 'The content type was removed.',
    why: 'Consumers can no longer send or read it.',
    swapped: 'content-type-added',
  },
  'status-removed': {
    severity: 'breaking',
    what: 'The status was removed.',
    why: 'Code that handles it no longer runs.',
    swapped: 'status-added',
  },
  'refusal-removed': {
    severity: 'risky',
    what: 'The error status was removed.',
    why: 'Code that handles it no longer runs; another status may replace it.',
    swapped: 'refusal-added',
  },
  'success-generalized': {
    severity: 'risky',
    what: 'The document names the status no longer; a general one covers it.',
    why: 'Another status may come instead, which consumers that compare the status do not expect.',
    swapped: 'success-named',
  },
  'success-added': {
    severity: 'risky',
    what: 'A new status of success or redirection is possible.',
    why: 'Consumers that compare the status with the old one do not expect it.',
  },
  'header-removed': {
    severity: 'breaking',
    what: 'The header was removed.',
    why: 'Consumers that read it get nothing.',
    swapped: 'header-added',
  },
  'header-optional': {
    severity: 'breaking',
    what: 'The header is now optional.',
    why: 'Consumers that read it may get nothing.',
    swapped: 'header-always-sent',
  },
  'field-removed': {
    severity: 'breaking',
    what: 'The field was removed.',
    why: 'Calls that send it are rejected, or the value is ignored; consumers that read it get nothing.',
    swapped: 'field-added',
  },
  'field-required': {
    severity: 'breaking',
    what: 'The field is now required.',
    why: 'Calls without it are rejected.',
    swapped: 'field-not-required',
  },
  'field-optional': {
    severity: 'breaking',
    what: 'The field is now optional.',
    why: 'Consumers that read it may get nothing.',
    swapped: 'field-always-sent',
  },
  narrowed: {
    severity: 'breaking',
    what: 'Fewer values are accepted.',
    why: 'Calls with the other values are rejected.',
    swapped: 'more-values-accepted',
  },
  widened: {
    severity: 'breaking',
    what: 'New values are possible.',
    why: 'Consumers do not expect them.',
    swapped: 'fewer-values-possible',
  },
  'variant-removed': {
    severity: 'breaking',
    what: 'A variant of the union is no longer accepted.',
    why: 'Calls with it are rejected.',
    swapped: 'variant-accepted',
  },
  'variant-added': {
    severity: 'breaking',
    what: 'The union has a new variant.',
    why: 'Consumers do not expect it, and read fields that it lacks.',
    swapped: 'variant-no-longer-sent',
  },
  'value-added': {
    severity: 'risky',
    what: 'The list of possible values has a new one.',
    why: 'Consumers without a case for unknown values do not expect it.',
    swapped: 'value-no-longer-sent',
  },
  'bound-loosened': {
    severity: 'risky',
    what: 'A bound or pattern of a received value no longer holds.',
    why: 'Consumers that rely on it, for example for the size of a column, do not expect the new values.',
    swapped: 'bound-tightened',
  },
  'default-changed': {
    severity: 'breaking',
    what: 'The default changed.',
    why: 'Calls without the value get a different result.',
    swapped: 'default-declared',
  },
  'not-judged': {
    severity: 'risky',
    what: 'A rule changed that this check cannot compare.',
    why: 'Read the change: it may reject calls or allow new values.',
  },
  deprecated: {
    severity: 'harmless',
    what: 'It is now deprecated.',
    why: 'It still works; a later version may remove it.',
  },
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** The rules, typed so that each may have every field. */
export const ruleOf = (name: RuleName): Rule => rules[name];

/** A document that the check cannot compare. The message names the place. */
export class CannotJudge extends Error {
  override name = 'CannotJudge';
}

const deepest = 5;

/** Returns a value as JSON. Schemas may contain themselves, so deep values are cut. */
export function json(value: unknown, depth = deepest): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === 0) return '"…"';
  if (Array.isArray(value)) return `[${value.map((one) => json(one, depth - 1) ?? 'null').join(',')}]`;
  const fields = Object.entries(value).map(([name, one]) => [JSON.stringify(name), json(one, depth - 1)]);
  return `{${fields
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${name}:${one}`)
    .join(',')}}`;
}

/** Returns a value as JSON with sorted names, so that the order of names does not matter. */
export function canonical(value: unknown, depth = 12): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (depth === 0) return '…';
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, depth - 1)).join(',')}]`;
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${fields
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one, depth - 1)}`)
    .sort()
    .join(',')}}`;
}

/** Returns a change with its values; omits undefined values. */
export function change(rule: RuleName, place: string, before?: unknown, after?: unknown): Change {
  const [old, now] = [json(before), json(after)];
  return { rule, place, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
}
