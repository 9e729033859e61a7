/** A wrong field of a rule, by its dotted path: `fault.status`. */
export interface FaultDetail {
  field: string;
  message: string;
}

/** A fault rule that cannot be used. The message says what is wrong and shows a correct rule. */
export class FaultError extends Error {
  override name = 'FaultError';
  readonly details: readonly FaultDetail[];

  constructor(message: string, details: readonly FaultDetail[] = []) {
    super(message);
    this.details = details;
  }
}
