/** What the package `passerelle` offers to programs. `passerelle/receiver` is `verifySignature` alone, and loads nothing else. */
export * from './receivers/verify-signature.ts';
export { type Stub, type StubEvent, type StubOptions, startStub } from './stubs/stub.ts';
