/** What the package `passerelle` offers to programs. `passerelle/receiver` is `verifySignature` alone, and loads nothing else. */
export * from './receivers/verify-signature.ts';
