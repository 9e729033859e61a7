/** The real verifier in a process of its own, because it prints on stdout: takes its options and sends its result. */
import pactCore, { type VerifierOptions } from '@pact-foundation/pact-core';

process.once('message', (options: VerifierOptions) => {
  // CommonJS as Node gives it: the default export is one level down.
  const { verifyPacts } = (pactCore as unknown as { default: { verifyPacts(options: VerifierOptions): Promise<string> } })
    .default;
  Promise.resolve({ logLevel: 'error' as const, ...options })
    .then(verifyPacts)
    .catch((error: Error) => error.message)
    .then((result) => process.send?.(result, () => process.disconnect()));
});
