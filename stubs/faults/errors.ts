/** A fault rule that cannot be used. The message says what is wrong and shows a correct rule. */
export class FaultError extends Error {
  override name = 'FaultError';
}
