/** In which direction a value goes, as the consumer sees it. */
export type Direction =
  /** The consumer sends it: what was accepted must stay accepted. */
  | 'sent'
  /** The consumer receives it: nothing may come that could not come before. */
  | 'received';

/** A change that breaks a consumer which rests on the released document. */
export interface Change {
  rule: RuleName;
  /** `POST /api/v1/sales, reply 201, $.data.id`. */
  place: string;
  /** As JSON; left out where there is nothing. */
  before?: string;
  after?: string;
}

interface Rule {
  what: string;
  /** Who breaks, and why. */
  why: string;
}

/** What breaks a consumer. Additions of operations, optional parameters, fields of replies and events do not. */
export const rules = {
  'operation-removed': { what: 'The operation is gone.', why: 'Who calls it gets 404.' },
  'event-removed': { what: 'The event is gone.', why: 'Who awaits it waits forever.' },
  'server-removed': { what: 'The base address is gone.', why: 'Who calls it gets 404.' },
  'security-tightened': { what: 'Another authorization is asked for.', why: 'Who sends what was enough gets 401 or 403.' },
  'security-scheme-changed': { what: 'The way to authorize has changed.', why: 'Who sends its token as before gets 401.' },
  'ability-required': { what: 'A further ability is needed.', why: 'Who has a token without it gets 403.' },
  'parameter-removed': { what: 'The parameter is gone.', why: 'Who sends it is refused: unknown parameters are.' },
  'parameter-required': { what: 'The parameter is now required.', why: 'Who does not send it is refused.' },
  'body-removed': { what: 'The body is no longer taken.', why: 'Who sends it is refused, or its content is lost.' },
  'body-required': { what: 'A body is now required.', why: 'Who sends none is refused.' },
  'content-type-removed': { what: 'The content type is gone.', why: 'Who sends or reads it cannot any longer.' },
  'status-removed': { what: 'The status is gone.', why: 'Who acts upon it no longer does.' },
  'header-removed': { what: 'The header is gone.', why: 'Who reads it finds nothing.' },
  'header-optional': { what: 'The header is no longer always there.', why: 'Who reads it may find nothing.' },
  'field-removed': { what: 'The field is gone.', why: 'Who sends it is refused; who reads it finds nothing.' },
  'field-required': { what: 'The field is now required.', why: 'Who does not send it is refused.' },
  'field-optional': { what: 'The field is no longer always there.', why: 'Who reads it may find nothing.' },
  narrowed: { what: 'Fewer values are accepted.', why: 'Who sends one of the others is refused.' },
  widened: { what: 'Further values may come.', why: 'Who reads it does not expect them.' },
  'default-changed': { what: 'The default has changed.', why: 'Who leaves it out gets something else.' },
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** A keyword in a document that this check has no rule for, so that it cannot say whether a change of it breaks. */
export class CannotJudge extends Error {
  override name = 'CannotJudge';
}

const json = (value: unknown) => JSON.stringify(value);

/** A change with its values; undefined is left out. */
export function change(rule: RuleName, place: string, before?: unknown, after?: unknown): Change {
  return {
    rule,
    place,
    ...(before !== undefined && { before: json(before) }),
    ...(after !== undefined && { after: json(after) }),
  };
}
