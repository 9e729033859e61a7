/**
 * The one family of refusals. A verb or a hook throws one; each API turns it into a status and a body of its own
 * shape (`http/mount.ts`), so that what went wrong is said once and worded for whoever called.
 */
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

/** One thing that was wrong, and where: `field` is a dotted path (`items.0.price`), `rule` a stable word. */
export interface Detail {
  field: string;
  rule: string;
  message: string;
}

export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;
  /** A stable, machine-readable reason, such as `insufficient_stock`. */
  readonly code: string;
  readonly details: Detail[];
  /** Headers that the reply carries, such as Retry-After. */
  readonly headers: Record<string, string>;

  constructor(
    kind: RefusalKind,
    code: string,
    message: string,
    options: { details?: Detail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The request names a field whose value cannot be used. */
export function invalid(field: string, rule: string, message: string): Refusal {
  return new Refusal('invalid', rule, message, { details: [{ field, rule, message }] });
}

/** The request names something that does not exist, or that its caller may not see. */
export function notFound(field: string, message: string): Refusal {
  return new Refusal('not_found', 'not_found', message, { details: [{ field, rule: 'not_found', message }] });
}

/** The request is well formed, but what it asks for is not a legal move from the present state. */
export function illegalMove(message: string, legal: readonly string[]): Refusal {
  const details = [{ field: 'legal_moves', rule: 'one_of', message: legal.join(', ') || 'none' }];
  return new Refusal('conflict', 'illegal_move', message, { details });
}

export function unauthorized(code: string, message: string): Refusal {
  return new Refusal('unauthorized', code, message, { headers: { 'www-authenticate': 'Bearer' } });
}

export function forbidden(code: string, message: string, details: Detail[] = []): Refusal {
  return new Refusal('forbidden', code, message, { details });
}

/** A mistake in the settings: the process says this line and stops. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}
