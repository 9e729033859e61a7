/** The direction of a value, from the consumer's view. */
export type Direction =
  /** The consumer sends it: accepted values must stay accepted. */
  | 'sent'
  /** The consumer receives it: no new values may appear. */
  | 'received';

/** A change that breaks a consumer of the released document. */
export interface Change {
  rule: RuleName;
  /** Such as `POST /api/v1/sales, reply 201, $.data.id`. */
  place: string;
  /** The value as JSON, if there is one. */
  before?: string;
  after?: string;
}

interface Rule {
  what: string;
  /** The consequence for consumers. */
  why: string;
}

/** The breaking changes. New operations, optional parameters, reply fields and events do not break consumers. */
export const rules = {
  'operation-removed': { what: 'The operation was removed.', why: 'Calls get 404.' },
  'event-removed': { what: 'The event was removed.', why: 'Receivers wait for it in vain.' },
  'server-removed': { what: 'The base address was removed.', why: 'Calls get 404.' },
  'security-tightened': { what: 'The operation requires another authorization.', why: 'The old authorization gets 401 or 403.' },
  'security-scheme-changed': { what: 'The security scheme changed.', why: 'A token sent as before gets 401.' },
  'ability-required': { what: 'A new ability is required.', why: 'Tokens without it get 403.' },
  'parameter-removed': {
    what: 'The parameter was removed.',
    why: 'Calls that send it are rejected, because unknown parameters are.',
  },
  'parameter-required': { what: 'The parameter is now required.', why: 'Calls without it are rejected.' },
  'body-removed': { what: 'The body is no longer accepted.', why: 'Calls that send it are rejected, or the body is ignored.' },
  'body-required': { what: 'A body is now required.', why: 'Calls without one are rejected.' },
  'content-type-removed': { what: 'The content type was removed.', why: 'Consumers can no longer send or read it.' },
  'status-removed': { what: 'The status was removed.', why: 'Code that handles it no longer runs.' },
  'header-removed': { what: 'The header was removed.', why: 'Consumers that read it get nothing.' },
  'header-optional': { what: 'The header is now optional.', why: 'Consumers that read it may get nothing.' },
  'field-removed': {
    what: 'The field was removed.',
    why: 'Calls that send it are rejected; consumers that read it get nothing.',
  },
  'field-required': { what: 'The field is now required.', why: 'Calls without it are rejected.' },
  'field-optional': { what: 'The field is now optional.', why: 'Consumers that read it may get nothing.' },
  narrowed: { what: 'Fewer values are accepted.', why: 'Calls with the other values are rejected.' },
  widened: { what: 'New values are possible.', why: 'Consumers do not expect them.' },
  'default-changed': { what: 'The default changed.', why: 'Calls without the value get a different result.' },
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** A document contains a keyword without a rule, so the check cannot judge a change of it. */
export class CannotJudge extends Error {
  override name = 'CannotJudge';
}

const json = (value: unknown) => JSON.stringify(value);

/** Returns a change with its values; omits undefined values. */
export function change(rule: RuleName, place: string, before?: unknown, after?: unknown): Change {
  return {
    rule,
    place,
    ...(before !== undefined && { before: json(before) }),
    ...(after !== undefined && { after: json(after) }),
  };
}
