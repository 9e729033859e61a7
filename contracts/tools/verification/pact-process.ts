/**
 * Runs Pact's own verifier once, for its parent: the native library writes to standard output as it likes, and a fault in
 * it ends this process only. Takes `VerifierOptions` as a message and answers with `PactVerdict`.
 */
import { Verifier, type VerifierOptions } from '@pact-foundation/pact-core';

/** What Pact's verifier says, as JSON text, or why it could not run. */
export type PactVerdict = { results: string } | { error: string };

process.once('message', async (options: VerifierOptions) => {
  process.send?.(await verdict(options), () => process.disconnect());
});

async function verdict(options: VerifierOptions): Promise<PactVerdict> {
  try {
    return { results: await new Verifier(options).verify() };
  } catch (error) {
    const text = (error as Error).message;
    // Mismatches are thrown too, with the results as their message.
    return text.startsWith('{') ? { results: text } : { error: text };
  }
}
