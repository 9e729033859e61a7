/** The interface of the package `passerelle`. `passerelle/receiver` exports only `verifySignature`, and loads nothing else. */
export { probe } from './contracts/tools/probe/library.ts';
export type { Dependency, ProbeOptions, ProbeResult, ProbeRun } from './contracts/tools/probe/types.ts';
export * from './receivers/verify-signature.ts';
export type { EventName, OperationName, PlanName } from './stubs/names.ts';
export { type Stub, type StubEvent, type StubOptions, startStub, type World, type WorldOptions } from './stubs/stub.ts';
