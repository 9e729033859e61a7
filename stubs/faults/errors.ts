/** A fault that cannot be: its message says what is wrong and what a right one looks like. */
export class FaultError extends Error {
  override name = 'FaultError';
}
