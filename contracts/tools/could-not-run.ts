/** Why nothing could be checked: no pact, an address that does not answer, a broker that refuses. Its message is one helpful line. */
export class CouldNotRun extends Error {
  override name = 'CouldNotRun';
}
