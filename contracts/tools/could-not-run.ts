/** A check could not run: no pact, no reply, a rejected login. The message is one line that says what to do. */
export class CouldNotRun extends Error {
  override name = 'CouldNotRun';
}
