/**
 * Runs Pact's verifier in a child process, because its native library writes to standard output and may crash. Gets
 * `VerifierOptions` as a message, answers with `PactVerdict`, and ends when its parent disconnects.
 */
import { Verifier, type VerifierOptions } from '@pact-foundation/pact-core';

/** The results of Pact's verifier as JSON text, or the reason why it could not run. */
export type PactVerdict = { results: string } | { error: string };

process.on('message', async (options: VerifierOptions) => {
  process.send?.(await verdict(options));
});

async function verdict(options: VerifierOptions): Promise<PactVerdict> {
  try {
    return { results: await new Verifier(options).verify() };
  } catch (error) {
    const text = (error as Error).message;
    // Mismatches are thrown too: in this case the message is the JSON of the results.
    return text.startsWith('{') ? { results: text } : { error: text };
  }
}
