/** The kinds of refusals. Verbs and hooks throw a `Refusal`; `http/mount.ts` turns it into each API's status and body. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'media_type'
  | 'limited'
  | 'unavailable'
  | 'internal';

/** The status of each kind, for what has no document of its own. */
export const usualStatus: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  media_type: 415,
  limited: 429,
  unavailable: 503,
  internal: 500,
};

/** The header that every refusal of a kind carries (RFC 9110, sections 10.2.3 and 11.6.1). */
export const headerOfKind: Readonly<Partial<Record<RefusalKind, 'retry-after' | 'www-authenticate'>>> = {
  unauthorized: 'www-authenticate',
  limited: 'retry-after',
  unavailable: 'retry-after',
};

/** One problem with a request. `field` is a dotted path (`items.0.price`); `rule` is a stable identifier. */
export interface Detail {
  field: string;
  rule: string;
  message: string;
}

/** A refusal lists this many details, and says how many mistakes there are: a small request must not get a huge reply. */
export const mostDetails = 20;

export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;
  /** A stable, machine-readable reason, such as `insufficient_stock`. */
  readonly code: string;
  readonly details: Detail[];
  /** When the same call may succeed. Replies say it for the kinds that `headerOfKind` names. */
  readonly retryAfterSeconds: number;

  constructor(
    kind: RefusalKind,
    code: string,
    message: string,
    options: { details?: Detail[]; mistakes?: number; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    const { details = [], mistakes = details.length, retryAfterSeconds = 5, cause } = options;
    super(mistakes > mostDetails ? `${message} (${mostDetails} of ${mistakes} mistakes are listed)` : message, { cause });
    this.kind = kind;
    this.code = code;
    this.details = details.slice(0, mostDetails);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The headers that its reply carries. */
  get headers(): Record<string, string> {
    const header = headerOfKind[this.kind];
    return header === undefined ? {} : { [header]: header === 'retry-after' ? String(this.retryAfterSeconds) : 'Bearer' };
  }
}

/** A field of the request has an invalid value. */
export const invalid = (field: string, rule: string, message: string): Refusal =>
  new Refusal('invalid', rule, message, { details: [{ field, rule, message }] });

/** The request refers to something that does not exist, or that the caller may not see. */
export const notFound = (field: string, message: string): Refusal =>
  new Refusal('not_found', 'not_found', message, { details: [{ field, rule: 'not_found', message }] });

/** The request is well-formed, but the current state does not allow it. `legal` lists what it allows. */
export function illegalMove(message: string, legal: readonly string[]): Refusal {
  const details = [{ field: 'legal_moves', rule: 'one_of', message: legal.join(', ') || 'none' }];
  return new Refusal('conflict', 'illegal_move', message, { details });
}

export const unauthorized = (code: string, message: string): Refusal => new Refusal('unauthorized', code, message);

export const forbidden = (code: string, message: string): Refusal => new Refusal('forbidden', code, message);

/** A mistake in the settings. The process prints the message and exits. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** The code of a refusal because more calls came than could be handled. */
export const overloadedCode = 'overloaded';
